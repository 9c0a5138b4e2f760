#include "parsimap/mapping/map_reach.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/core/error.hpp"

#include "unit/mapping/hand_made_scene.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

// A piece of the scene of `values`, as a scene of its own.
MemoryScene piece_of(const Spectra& values, const Window& piece) {
  Spectra part(piece.pixels(), kBands);
  for (Index row = 0; row < piece.height; ++row) {
    part.middleRows(row * piece.width, piece.width) =
        values.middleRows((piece.row + row) * kWidth + piece.column, piece.width);
  }
  RasterGrid grid;
  grid.width = piece.width;
  grid.height = piece.height;
  return {"piece", grid, scene_of(values).bands(), part};
}

// Whether the pixels of `inner` are in the map of the scene what they are in that of the inner window and `border`
// pixels around it.
bool same_in_piece(const Spectra& values, const Model& model, const MappingOptions& options, const Window& inner,
                   Index border) {
  const Index left = std::max<Index>(0, inner.column - border);
  const Index top = std::max<Index>(0, inner.row - border);
  const Window piece{left, top, std::min(kWidth, inner.column + inner.width + border) - left,
                     std::min(kHeight, inner.row + inner.height + border) - top};
  MemoryScene whole = scene_of(values);
  MemoryScene part = piece_of(values, piece);
  const Outcome expected = map_of(whole, model, options);
  const Outcome outcome = map_of(part, model, options);
  bool equal = true;
  for (Index row = inner.row; row < inner.row + inner.height; ++row) {
    for (Index column = inner.column; column < inner.column + inner.width; ++column) {
      const Index there = row * kWidth + column;
      const Index here = (row - top) * piece.width + column - left;
      equal = equal &&
              expected.codes[static_cast<std::size_t>(there)] == outcome.codes[static_cast<std::size_t>(here)] &&
              same(expected.probabilities.row(there), outcome.probabilities.row(here)) &&
              same(expected.decision_values.row(there), outcome.decision_values.row(here));
    }
  }
  return equal;
}

}  // namespace

TEST_CASE("a piece of a scene that reaches so far around its pixels tells of them what the whole scene does") {
  for (const Model& model : {hand_made_model(), profiled_model()}) {
    for (const char* rule : {"none", "gaussian:1.5", "neighbours:0.7:3"}) {
      const MappingOptions options{.regularisation = parse_regularisation(rule)};
      const Index reach = map_reach(model, options.regularisation, {});
      CHECK((reach == 0) == (!model.profile && options.regularisation.method == RegularisationMethod::none));
      for (const Spectra& values : {dense_values(), sparse_values()}) {
        CHECK(same_in_piece(values, model, options, {20, 15, 9, 7}, reach));
        CHECK(same_in_piece(values, model, options, {0, 30, 12, 17}, reach));
        CHECK(same_in_piece(values, model, options, {45, 0, 16, 8}, reach));
      }
    }
  }
}

TEST_CASE("neighbours and profiles reach no further than that") {
  CHECK(map_reach(hand_made_model(), parse_regularisation("neighbours:1"), {}) == 3);
  CHECK(map_reach(hand_made_model(), parse_regularisation("gaussian:1.5"), {}) == 5);
  CHECK_FALSE(same_in_piece(dense_values(), hand_made_model(), {.regularisation = parse_regularisation("neighbours:1")},
                            {20, 15, 9, 7}, 2));
  // A disc of radius 2, opened and closed, sees 4 pixels, and 3 steps of reconstruction 3 more.
  CHECK(map_reach(profiled_model(), {}, {}) == 7);
  CHECK(map_reach(profiled_model(), parse_regularisation("neighbours:1"), {}) == 10);
}

TEST_CASE("what is chosen from a scene, or is in metres of it, needs the scene") {
  CHECK_THROWS_AS(map_reach(hand_made_model(), parse_regularisation("auto"), {}), ConfigError);
  Model metres = profiled_model();
  metres.profile->metres = true;
  metres.profile->radii = {30, 60};
  CHECK_THROWS_AS(map_reach(metres, {}, {}), DataError);
  CHECK(map_reach(metres, {}, 30) == 7);
}
