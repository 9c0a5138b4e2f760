#include "scene_positions.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "parsimap/core/error.hpp"

namespace parsimap {

ScenePositions::ScenePositions(const std::vector<std::pair<std::string, RasterGrid>>& scenes, const SceneStack* stack)
    : paths_(mapped<std::string>(scenes, [](const auto& scene) { return scene.first; })),
      grids_(mapped<RasterGrid>(scenes, [](const auto& scene) { return scene.second; })),
      stack_(stack) {}

SceneStack::Place ScenePositions::locate(std::int64_t pixel) const {
  // Pixels are numbered through the whole stack; without a stack they are row * width + column of the only scene.
  if (stack_ != nullptr) {
    return stack_->place_of(pixel);
  }
  const Index width = grids_.front().width;
  return {0, pixel, pixel % width, pixel / width};
}

PixelPlace ScenePositions::place_of(std::int64_t pixel) const {
  const SceneStack::Place place = locate(pixel);
  return {place.row, place.column, {}, paths_[place.scene]};
}

std::vector<SampleUnit> ScenePositions::scene_units(const std::vector<SamplePlace>& pixels) const {
  std::vector<std::size_t> joined(grids_.size());
  std::iota(joined.begin(), joined.end(), std::size_t{0});
  std::map<std::int64_t, std::size_t> scene_of_ground;
  std::vector<std::size_t> scenes;
  for (const SamplePlace& place : pixels) {
    scenes.push_back(locate(place.pixel).scene);
    if (place.ground) {
      const std::size_t known = scene_of_ground.emplace(*place.ground, scenes.back()).first->second;
      const std::size_t own = joined[scenes.back()];
      std::ranges::replace(joined, own, std::size_t{joined[known]});
    }
  }
  return mapped<SampleUnit>(scenes, [&](std::size_t scene) {
    return SampleUnit{static_cast<std::int64_t>(joined[scene]), SampleUnit::Reason::scene};
  });
}

std::vector<GridPixels> ScenePositions::by_scene(const std::vector<std::int64_t>& pixels,
                                                 std::vector<Indices>& rows) const {
  auto parts = mapped<GridPixels>(grids_, [](const RasterGrid& grid) { return GridPixels{grid, {}}; });
  rows.assign(parts.size(), {});
  for (std::size_t k = 0; k < pixels.size(); ++k) {
    if (pixels[k] == SamplePlace::kNoPixel) {
      continue;
    }
    const SceneStack::Place place = locate(pixels[k]);
    parts[place.scene].pixels.push_back(place.pixel);
    rows[place.scene].push_back(static_cast<Index>(k));
  }
  return parts;
}

PixelPositions ScenePositions::positions(const std::vector<std::int64_t>& pixels, double apart) const {
  if (stack_ == nullptr) {
    return pixel_positions(first(), pixels);
  }
  std::vector<Indices> of_scene;
  // Positions of all scenes lie on one plane in metres or, without reference systems, on grids at least `apart` pixels
  // below each other, so that a buffer never reaches into another scene. `of_scene` has the rows of the pixels of
  // each scene, by which the result is sorted back into their order.
  const PixelPositions ordered = pixel_positions(by_scene(pixels, of_scene), apart);
  PixelPositions result{Matrix(ordered.points.rows(), 2), ordered.metres};
  for (Index next = 0; const Indices& rows : of_scene) {
    result.points(rows, Eigen::all) = ordered.points.middleRows(next, std::ssize(rows));
    next += std::ssize(rows);
  }
  return result;
}

std::optional<PixelPositions> ScenePositions::known_positions(const std::vector<std::int64_t>& pixels) const {
  try {
    return positions(pixels, 0);
  } catch (const DataError&) {
    return std::nullopt;
  }
}

double ScenePositions::pixel_width(const PixelPositions& positions) const {
  return positions.metres ? pixel_metres(first()).value_or(1) : 1;
}

PixelPlaces ScenePositions::places_of(const std::vector<std::int64_t>& pixels) const {
  PixelPlaces result{first(), stack_ != nullptr, {}};
  result.places.resize(pixels.size());
  std::vector<Indices> rows;
  const std::vector<GridPixels> parts = by_scene(pixels, rows);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const RasterGrid& grid = parts[i].grid;
    std::vector<PixelPlace> places;
    Matrix points(static_cast<Index>(parts[i].pixels.size()), 2);
    for (const std::int64_t pixel : parts[i].pixels) {
      const PixelPlace place{pixel / grid.width, pixel % grid.width, {}, paths_[i]};
      const auto [x, y] =
          map_point(grid, static_cast<double>(place.column) + 0.5, static_cast<double>(place.row) + 0.5);
      points.row(static_cast<Index>(places.size())) << x, y;
      places.push_back(place);
    }
    // Centres of pixels of a further scene are transformed to the reference system of the first one, which the output
    // has.
    transform_points(grid.crs, result.grid.crs, points);
    for (std::size_t k = 0; k < places.size(); ++k) {
      places[k].point = {points(static_cast<Index>(k), 0), points(static_cast<Index>(k), 1)};
      result.places[static_cast<std::size_t>(rows[i][k])] = places[k];
    }
  }
  return result;
}

}  // namespace parsimap
