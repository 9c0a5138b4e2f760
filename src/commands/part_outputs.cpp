#include "part_outputs.hpp"

#include <algorithm>
#include <filesystem>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/sha256.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/json/map_parts.hpp"

namespace parsimap {
namespace {

// Takes windows of the whole map for a raster that begins with row `first`.
template <typename Sink, typename Values>
class RowsOf final : public Sink {
 public:
  RowsOf(std::unique_ptr<Sink> target, Index first) : target_(std::move(target)), first_(first) {}

  void write(const Window& window, const Values& values) override {
    target_->write({window.column, window.row - first_, window.width, window.height}, values);
  }
  void close() override { target_->close(); }

 private:
  std::unique_ptr<Sink> target_;
  Index first_;
};

using RowsOfMap = RowsOf<ClassMapSink, std::vector<std::uint16_t>>;
using RowsOfField = RowsOf<FieldSink, Spectra>;

const MapLayerDescription& layer_of(const PlannedLayer& planned) {
  return *std::find_if(map_layers().begin(), map_layers().end(),
                       [&](const MapLayerDescription& one) { return one.option == planned.option; });
}

}  // namespace

struct PartOutputs::Rasters {
  std::unique_ptr<ClassMapSink> map;
  std::vector<std::unique_ptr<FieldSink>> layers;
};

RasterGrid grid_of_rows(const RasterGrid& grid, const ItemRange& rows) {
  RasterGrid part = grid;
  part.height = rows.size();
  const auto first = static_cast<double>(rows.first);
  if (part.geotransform) {
    std::array<double, 6>& g = *part.geotransform;
    g[0] += first * g[2];
    g[3] += first * g[5];
  }
  for (ControlPoint& point : part.control_points) {
    point.row -= first;
  }
  return part;
}

PartOutputs::PartOutputs(const PartsFolder& folder, const MapPlan& plan, const Shard& shard)
    : set_(true), rasters_(std::make_unique<Rasters>()) {
  set_.make_folder(folder.part_folder(shard.number));
  record_ = &set_.stage("part", folder.record_file(shard.number));
  const ItemRange rows = part_rows(plan, shard);
  if (rows.size() == 0) {
    return;
  }
  const RasterGrid grid = grid_of_rows(plan.grid, rows);
  staged_.push_back(&stage_raster(set_, "part of the map", folder.raster(shard.number, "map"), {}));
  rasters_->map = std::make_unique<RowsOfMap>(create_class_map(*staged_.back(), grid, plan.classes, {}), rows.first);
  sinks_.map = rasters_->map.get();
  for (const PlannedLayer& planned : plan.layers) {
    const MapLayerDescription& layer = layer_of(planned);
    staged_.push_back(&stage_raster(set_, "part of --" + layer.option, folder.raster(shard.number, layer.option), {}));
    rasters_->layers.push_back(
        std::make_unique<RowsOfField>(create_field(*staged_.back(), grid, layer.bands(plan.classes), {}), rows.first));
    sinks_.layers[layer.layer] = rasters_->layers.back().get();
  }
}

PartOutputs::~PartOutputs() = default;

void PartOutputs::complete(MapPart& part) {
  for (const auto& layer : rasters_->layers) {
    layer->close();
  }
  if (rasters_->map != nullptr) {
    rasters_->map->close();
  }
  for (const StagedOutput* staged : staged_) {
    part.files.push_back(
        {std::filesystem::path(staged->target).filename(), file_bytes(staged->path), sha256_of_file(staged->path)});
  }
}

void PartOutputs::publish(const MapPart& part) {
  write_text(*record_, part_json(part));
  set_.publish();
}

}  // namespace parsimap
