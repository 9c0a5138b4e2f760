#include "parsimap/morphology/extended_profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "support/spectra.hpp"

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
    CHECK(same_values(features.col(5 * p), column(opening.close(component, border, 3, 4))));
    CHECK(same_values(features.col(5 * p + 1), column(opening.close(component, border, 1, 4))));
    CHECK(same_values(features.col(5 * p + 2), column(component.block(border, border, 20, 30))));
    CHECK(same_values(features.col(5 * p + 3), column(opening.open(component, border, 1, 4))));
    CHECK(same_values(features.col(5 * p + 4), column(opening.open(component, border, 3, 4))));
  }
  Spectra shared;
  extended_profile(components, border, radii, 4, 3, buffers, shared);
  CHECK(same_values(shared, features));
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

namespace {

constexpr float kNoPixel = std::numeric_limits<float>::quiet_NaN();

// Patches and single pixels of few values, some of them no pixels.
Image random_image(Index rows, Index columns, std::uint64_t seed, double missing) {
  Random random(seed);
  Image image = Image::Zero(rows, columns);
  for (int i = 0; i < 14; ++i) {
    const Index height = 1 + random.index(rows / 2);
    const Index width = 1 + random.index(columns / 2);
    image.block(random.index(rows - height), random.index(columns - width), height, width) +=
        static_cast<float>(random.index(7) - 3);
  }
  for (Index i = 0; i < image.size(); ++i) {
    image.data()[i] += random.uniform() < 0.15 ? static_cast<float>(random.normal()) : 0;
    image.data()[i] = random.uniform() < missing ? kNoPixel : image.data()[i];
  }
  return image;
}

// The image with `border` columns and rows around it that are no pixels.
Image framed(const Image& image, Index border) {
  Image result = Image::Constant(image.rows() + 2 * border, image.cols() + 2 * border, kNoPixel);
  result.block(border, border, image.rows(), image.cols()) = image;
  return result;
}

Image opened(const Image& image, Index radius, Index steps) {
  PartialOpening opening;
  const Index reach = opening_reach(radius, steps);
  return opening.open(framed(image, reach), reach, radius, steps);
}

Image closed(const Image& image, Index radius, Index steps) {
  PartialOpening opening;
  const Index reach = opening_reach(radius, steps);
  return opening.close(framed(image, reach), reach, radius, steps);
}

// The extreme of the pixels around one for which `around` holds.
template <typename Around, typename Better>
Image extremes(const Image& image, const Around& around, const Better& better) {
  Image result = image;
  for (Index y = 0; y < image.rows(); ++y) {
    for (Index x = 0; x < image.cols(); ++x) {
      for (Index v = 0; v < image.rows() && !std::isnan(image(y, x)); ++v) {
        for (Index u = 0; u < image.cols(); ++u) {
          if (around(u - x, v - y) && better(image(v, u), result(y, x))) {
            result(y, x) = image(v, u);
          }
        }
      }
    }
  }
  return result;
}

// What the header says, word for word.
Image opened_by_definition(const Image& image, Index radius, Index steps) {
  const auto less = [](float a, float b) { return a < b; };
  const auto greater = [](float a, float b) { return a > b; };
  const auto disc = [radius](Index x, Index y) { return x * x + y * y <= radius * radius; };
  const auto neighbours = [](Index x, Index y) { return std::abs(x) <= 1 && std::abs(y) <= 1; };
  Image marker = extremes(extremes(image, disc, less), disc, greater);
  for (Index k = 0; k < steps; ++k) {
    marker = image.isNaN().select(image, extremes(marker, neighbours, greater).min(image));
  }
  return marker;
}

// Reconstruction without end, by a queue of pixels whose neighbours may rise (Vincent 1993).
Image reconstructed(Image marker, const Image& mask) {
  std::queue<std::pair<Index, Index>> queue;
  for (Index y = 0; y < mask.rows(); ++y) {
    for (Index x = 0; x < mask.cols(); ++x) {
      queue.emplace(y, x);
    }
  }
  while (!queue.empty()) {
    const auto [y, x] = queue.front();
    queue.pop();
    for (Index v = std::max<Index>(0, y - 1); v <= std::min(mask.rows() - 1, y + 1); ++v) {
      for (Index u = std::max<Index>(0, x - 1); u <= std::min(mask.cols() - 1, x + 1); ++u) {
        const float risen = std::min(marker(y, x), mask(v, u));
        if (risen > marker(v, u)) {
          marker(v, u) = risen;
          queue.emplace(v, u);
        }
      }
    }
  }
  return marker;
}

}  // namespace

TEST_CASE("partial opening: it is the definition, with and without missing pixels") {
  for (const double missing : {0.0, 0.1, 0.6}) {
    const Image image = random_image(21, 27, 5, missing);
    for (const Index radius : {1, 2, 3, 5}) {
      for (const Index steps : {0, 1, 4}) {
        CAPTURE(missing);
        CAPTURE(radius);
        CAPTURE(steps);
        CHECK(same_values<Image>(opened(image, radius, steps), opened_by_definition(image, radius, steps)));
      }
    }
  }
}

TEST_CASE("partial opening: closing is opening upside down") {
  const Image image = random_image(30, 40, 6, 0.1);
  CHECK(same_values<Image>(closed(image, 3, 5), -opened(-image, 3, 5)));
}

TEST_CASE("partial opening: nothing gets brighter, and less is left of larger radii and fewer steps") {
  const Image image = random_image(40, 33, 7, 0);
  CHECK((opened(image, 2, 6) <= image).all());
  CHECK((closed(image, 2, 6) >= image).all());
  CHECK((opened(image, 2, 3) <= opened(image, 2, 6)).all());
  // Discs of these radii are made of smaller ones, so what holds a large one is left by the small one as well.
  CHECK((opened(image, 4, 50) <= opened(image, 1, 50)).all());
}

TEST_CASE("partial opening: with steps enough it is the reconstruction without end, and once is enough") {
  for (const double missing : {0.0, 0.2}) {
    const Image image = random_image(25, 25, 8, missing);
    const Image lowest = image.isNaN().select(-std::numeric_limits<float>::infinity(), image);
    const Image marker =
        opened(image, 2, 0).isNaN().select(-std::numeric_limits<float>::infinity(), opened(image, 2, 0));
    const Image expected = reconstructed(marker, lowest);
    const Image complete = opened(image, 2, image.size());
    CHECK(same_values<Image>(image.isNaN().select(image, expected), complete));
    CHECK(same_values<Image>(opened(complete, 2, image.size()), complete));
  }
}

TEST_CASE(
    "partial opening: thin lines vanish, wide objects stay as they are, and lines beside them come back by steps") {
  Image image = Image::Zero(40, 60);
  image.row(5).setConstant(2);                   // a line alone
  image.block(12, 10, 9, 11).setConstant(3);     // a field
  image.row(16).segment(21, 20).setConstant(3);  // a line that begins at the field
  image.block(30, 30, 2, 2).setConstant(1);      // a small object
  const Image result = opened(image, 2, 4);
  Image expected = Image::Zero(40, 60);
  expected.block(12, 10, 9, 11).setConstant(3);
  expected.row(16).segment(21, 5).setConstant(3);  // where the disc itself fits in by its tip, and four steps more
  CHECK(same_values<Image>(result, expected));
  CHECK(same_values<Image>(closed(-image, 2, 4), -expected));
}

TEST_CASE("partial opening: what is missing does not spread, and what lies behind it counts no more than the border") {
  Image image = Image::Constant(30, 30, 5);
  image.row(10).setConstant(kNoPixel);
  image(20, 20) = kNoPixel;
  CHECK(same_values<Image>(opened(image, 3, 4), image));
  CHECK(same_values<Image>(closed(image, 3, 4), image));
  const Image nothing = Image::Constant(9, 9, kNoPixel);
  CHECK(same_values<Image>(opened(nothing, 2, 2), nothing));
}

TEST_CASE("partial opening: a pixel has the same value whatever the image is cut out of, and however wide its border") {
  const Image image = framed(random_image(60, 70, 9, 0.05), 20);
  PartialOpening opening;
  const Image whole = opening.open(image, 20, 3, 9);
  for (const auto& [row, column, rows, columns, border] :
       {std::array<Index, 5>{0, 0, 60, 70, 15}, {7, 11, 1, 1, 15}, {30, 5, 12, 33, 17}, {59, 69, 1, 1, 20}}) {
    const Image cut = image.block(20 + row - border, 20 + column - border, rows + 2 * border, columns + 2 * border);
    CHECK(same_values<Image>(opening.open(cut, border, 3, 9), whole.block(row, column, rows, columns)));
  }
  CHECK(opening_reach(3, 9) == 15);
  CHECK(PartialOpening::bytes(10, 10) >= 5 * 100 * 4);
}

}  // namespace parsimap::test
