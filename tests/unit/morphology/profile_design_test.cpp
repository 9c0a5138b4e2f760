#include "parsimap/morphology/profile_design.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

using namespace parsimap;

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
