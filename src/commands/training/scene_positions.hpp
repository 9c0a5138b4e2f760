// Where the pixels of one scene, or of several that are stacked, lie in their scenes and on the ground.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/samples/sample_place.hpp"
#include "parsimap/scene/scene_stack.hpp"

namespace parsimap {

// A pixel of one of the scenes.
struct PixelPlace {
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::array<double, 2> point{};  // on the map
  std::string scene;
};

struct PixelPlaces {
  RasterGrid grid;                                // of the first scene, in whose CRS all points are
  bool several = false;                           // scenes, so that every pixel names its own
  std::vector<std::optional<PixelPlace>> places;  // unset for SamplePlace::kNoPixel
};

class ScenePositions {
 public:
  // The paths and grids of the scenes; of several, `stack` numbers the pixels, and must outlive this.
  explicit ScenePositions(const std::vector<std::pair<std::string, RasterGrid>>& scenes,
                          const SceneStack* stack = nullptr);

  [[nodiscard]] const RasterGrid& first() const { return grids_.front(); }
  // The scene that a pixel lies in, and its number there.
  [[nodiscard]] SceneStack::Place locate(std::int64_t pixel) const;
  // Without the point on the map.
  [[nodiscard]] PixelPlace place_of(std::int64_t pixel) const;
  // The scene that every one of these pixels lies in; scenes with a place in common are one.
  [[nodiscard]] std::vector<SampleUnit> scene_units(const std::vector<SamplePlace>& pixels) const;
  // Pixels by their scenes, without kNoPixel, and the rows that they have in the list.
  [[nodiscard]] std::vector<GridPixels> by_scene(const std::vector<std::int64_t>& pixels,
                                                 std::vector<Indices>& rows) const;
  // The centres of pixels, at least `apart` pixels between scenes that lie nowhere. Errors as pixel_positions().
  [[nodiscard]] PixelPositions positions(const std::vector<std::int64_t>& pixels, double apart) const;
  // The same, none apart; nothing where a reference system has no distances, as an engineering one of a local grid.
  [[nodiscard]] std::optional<PixelPositions> known_positions(const std::vector<std::int64_t>& pixels) const;
  // How wide a pixel of the first scene is, in the unit of the positions.
  [[nodiscard]] double pixel_width(const PixelPositions& positions) const;
  // In the CRS of the first scene. Errors as transform_points().
  [[nodiscard]] PixelPlaces places_of(const std::vector<std::int64_t>& pixels) const;

 private:
  std::vector<std::string> paths_;
  std::vector<RasterGrid> grids_;
  const SceneStack* stack_;
};

}  // namespace parsimap
