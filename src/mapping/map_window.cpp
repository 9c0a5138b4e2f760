#include "parsimap/mapping/map_window.hpp"

namespace parsimap {
namespace {

// The places of the pixels of `part` in the row-major order of `window`.
Indices places_in(const Window& part, const Window& window) {
  return mapped<Index>(consecutive(part.pixels()), [&](Index i) {
    return (part.row - window.row + i / part.width) * window.width + part.column - window.column + i % part.width;
  });
}

std::vector<std::uint16_t> taken(const std::vector<std::uint16_t>& codes, const Indices& places) {
  return values_at(codes, places);
}
Spectra taken(const Spectra& values, const Indices& places) { return values(places, Eigen::all); }

template <typename Sink, typename Values>
class WindowSink final : public Sink {
 public:
  WindowSink(Sink& target, const Window& window) : target_(target), window_(window) {}

  void write(const Window& window, const Values& values) override {
    const Window part = overlap(window, window_);
    if (part.pixels() == 0) {
      return;
    }
    const Window placed{part.column - window_.column, part.row - window_.row, part.width, part.height};
    if (part == window) {
      target_.write(placed, values);
    } else {
      target_.write(placed, taken(values, places_in(part, window)));
    }
  }
  void close() override { target_.close(); }

 private:
  Sink& target_;
  Window window_;
};

}  // namespace

RasterGrid grid_of_window(const RasterGrid& grid, const Window& window) {
  RasterGrid part = grid;
  part.width = window.width;
  part.height = window.height;
  if (part.geotransform) {
    const auto [x, y] = map_point(grid, static_cast<double>(window.column), static_cast<double>(window.row));
    (*part.geotransform)[0] = x;
    (*part.geotransform)[3] = y;
  }
  // Control points are positions in the raster.
  for (ControlPoint& point : part.control_points) {
    point.column -= static_cast<double>(window.column);
    point.row -= static_cast<double>(window.row);
  }
  return part;
}

WindowScene::WindowScene(SceneSource& scene, const Window& window)
    : SceneDecorator(std::shared_ptr<SceneSource>(std::shared_ptr<void>(), &scene),
                     grid_of_window(scene.grid(), window)),
      window_(window) {}

Window WindowScene::placed(const Window& window) const {
  return {window.column + window_.column, window.row + window_.row, window.width, window.height};
}

WindowOutputs::WindowOutputs(const MapOutputs& outputs, const Window& window) {
  map_ = std::make_unique<WindowSink<ClassMapSink, std::vector<std::uint16_t>>>(*outputs.map, window);
  outputs_.map = map_.get();
  for (const auto& [layer, sink] : outputs.layers) {
    layers_.push_back(std::make_unique<WindowSink<FieldSink, Spectra>>(*sink, window));
    outputs_.layers[layer] = layers_.back().get();
  }
}

}  // namespace parsimap
