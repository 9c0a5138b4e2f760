#include "parsimap/morphology/extended_profile.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

ProfileDesign design_of_two() {
  ProfileDesign design;
  design.mean = Vector::Zero(3);
  design.directions = Matrix::Identity(3, 2);
  design.deviations = Vector::Constant(2, 1.5);
  design.radii = {1, 4, 9};
  design.steps = 6;
  return design;
}

}  // namespace

TEST_CASE("profile design: a component has itself, and an opening and a closing of each radius") {
  CHECK(design_of_two().features() == 2 * (3 + 1 + 3));
}

TEST_CASE("profile design: radii in metres are rounded to whole pixels of the scene, one at least") {
  ProfileDesign design = design_of_two();
  CHECK(pixel_radii(design, nullptr) == Indices{1, 4, 9});
  design.metres = true;
  const double pixel = 4;
  CHECK(pixel_radii(design, &pixel) == Indices{1, 1, 2});
  CHECK_THROWS_AS(pixel_radii(design, nullptr), DataError);
}

TEST_CASE("profile design: a design that breaks its contract is refused") {
  CHECK_NOTHROW(check_profile_design(design_of_two(), 3));
  CHECK_THROWS_WITH_AS(check_profile_design(design_of_two(), 4), "profile: it is of 3 bands; it must be of 4",
                       DataError);
  const auto refused = [](auto change) {
    ProfileDesign design = design_of_two();
    change(design);
    CHECK_THROWS_AS(check_profile_design(design, 3), DataError);
  };
  refused([](ProfileDesign& design) { design.mean.resize(2); });
  refused([](ProfileDesign& design) { design.directions.resize(3, 0); });
  refused([](ProfileDesign& design) { design.deviations(1) = 0; });
  refused([](ProfileDesign& design) { design.deviations.resize(1); });
  refused([](ProfileDesign& design) { design.radii = {4, 1}; });
  refused([](ProfileDesign& design) { design.radii = {0}; });
  refused([](ProfileDesign& design) { design.steps = -1; });
}

namespace {

std::vector<Image> random_components(Index rows, Index columns, Index count) {
  Random random(3);
  std::vector<Image> components;
  for (Index p = 0; p < count; ++p) {
    components.emplace_back(random.normal_matrix(rows, columns).cast<float>().array());
  }
  for (Image& component : components) {
    component.block(4, 4, 3, 2).setConstant(std::numeric_limits<float>::quiet_NaN());
  }
  return components;
}

bool same_features(const Spectra& a, const Spectra& b) {
  return ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
}

}  // namespace

TEST_CASE("extended profile: components are distances from the mean along directions, in standard deviations") {
  Random random(1);
  for (const Index count : {1, 3, 4, 6}) {
    ProfileDesign design;
    design.mean = random.normal_matrix(9, 1).col(0);
    design.directions = random.normal_matrix(9, count);
    design.deviations = random.normal_matrix(count, 1).col(0).cwiseAbs();
    const ComponentValues components(design);
    REQUIRE(components.count() == count);
    const VectorF spectrum = random.normal_matrix(9, 1).col(0).cast<float>();
    VectorF values(count);
    components.of(spectrum.data(), values.data());
    const Vector expected =
        (design.directions.transpose() * (spectrum.cast<double>() - design.mean)).cwiseQuotient(design.deviations);
    CHECK((values.cast<double>() - expected).norm() < 1e-5 * expected.norm());
  }
}

TEST_CASE("extended profile: closings from the largest radius down, the component, and openings upwards") {
  const std::vector<Image> components = random_components(40, 50, 2);
  const Indices radii = {1, 3};
  const Index border = profile_reach(radii, 4);
  CHECK(border == 10);
  ProfileBuffers buffers;
  Spectra features;
  extended_profile(components, border, radii, 4, 1, buffers, features);
  REQUIRE(features.rows() == 20 * 30);
  REQUIRE(features.cols() == 2 * 5);
  PartialOpening opening;
  const auto column = [&](const Image& image) { return Spectra(image.reshaped<Eigen::RowMajor>().matrix()); };
  for (Index p = 0; p < 2; ++p) {
    const Image& component = components[static_cast<std::size_t>(p)];
    CHECK(same_features(features.col(5 * p), column(opening.close(component, border, 3, 4))));
    CHECK(same_features(features.col(5 * p + 1), column(opening.close(component, border, 1, 4))));
    CHECK(same_features(features.col(5 * p + 2), column(component.block(border, border, 20, 30))));
    CHECK(same_features(features.col(5 * p + 3), column(opening.open(component, border, 1, 4))));
    CHECK(same_features(features.col(5 * p + 4), column(opening.open(component, border, 3, 4))));
  }
  Spectra shared;
  extended_profile(components, border, radii, 4, 3, buffers, shared);
  CHECK(same_features(shared, features));
  CHECK(extended_profile_bytes(40, 50, 2) == 2 * PartialOpening::bytes(40, 50));
}

TEST_CASE("extended profile: without radii it is the components") {
  const std::vector<Image> components = random_components(8, 9, 3);
  ProfileBuffers buffers;
  Spectra features;
  extended_profile(components, profile_reach({}, 5), {}, 5, 2, buffers, features);
  CHECK(features.rows() == 72);
  CHECK(features.cols() == 3);
}

}  // namespace parsimap::test
