#include "parsimap/gdal/vector/segments.hpp"

#include <ogrsf_frmts.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "../raster/dataset.hpp"
#include "../raster/stored_values.hpp"
#include "label_claims.hpp"
#include "rasterise.hpp"
#include "vector_source.hpp"

namespace parsimap {
namespace {

// Doubles hold all whole numbers up to here.
constexpr double kLargestNumber = 9007199254740992.0;

// What a file is to hold.
struct Content {
  std::string noun;         // for messages
  bool areas_only = false;  // of a vector: features must be polygons
  bool one_layer = false;
  bool valid = false;  // polygons must not cross themselves
};
const Content kSegments = {.noun = "segments", .areas_only = true, .one_layer = true};
const Content kRegions = {.noun = "regions", .areas_only = true, .valid = true};
const Content kLabels = {.noun = "labels"};

class RasterSegments final : public SegmentSource {
 public:
  RasterSegments(const std::string& path, const RasterGrid& grid, const std::string& grid_name, const Content& content)
      : name_(path),
        noun_(content.noun),
        dataset_(open_raster(path)),
        stamps_(files_of(*dataset_)),
        band_(dataset_->GetRasterBand(1)) {
    if (dataset_->GetRasterCount() != 1) {
      throw DataError(name_ + " holds no " + noun_ + ": it has " + std::to_string(dataset_->GetRasterCount()) +
                      " bands; a raster of " + noun_ + " has one");
    }
    // Segments are not resampled to another grid.
    check_same_grid(grid_of(*dataset_), name_, grid, grid_name, noun_ + " must lie on the scene's grid");
    nodata_ = nodata_of(*band_);
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  // In double precision, so that values that are not whole numbers are noticed.
  void read(const Window& window, std::vector<std::int64_t>& numbers) override {
    values_.resize(static_cast<std::size_t>(window.pixels()));
    read_values(*band_, window, values_.data(), GDT_Float64, name_);
    numbers.resize(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      numbers[i] = number_of(values_[i], window, static_cast<Index>(i));
    }
  }
  void check_unchanged() const override { stamps_.check_unchanged(); }

 private:
  [[nodiscard]] std::int64_t number_of(double value, const Window& window, Index i) const {
    if (std::isnan(value) || value == nodata_) {
      return 0;
    }
    if (value >= 0 && value <= kLargestNumber && value == std::floor(value)) {
      return static_cast<std::int64_t>(value);
    }
    throw DataError(name_ + " holds no " + noun_ + ": the value at column " +
                    std::to_string(window.column + i % window.width) + ", row " +
                    std::to_string(window.row + i / window.width) + " is " + CPLSPrintf("%.10g", value) + "; " + noun_ +
                    " are whole numbers from 1, and 0 stands for none");
  }

  std::string name_;
  std::string noun_;
  DatasetPtr dataset_;
  FileStamps stamps_;
  GDALRasterBand* band_;
  std::optional<double> nodata_;
  std::vector<double> values_;
};

// The layers that have geometries; or the only layer, which may be a table of points. Segments are in one layer.
std::vector<OGRLayer*> layers_of(GDALDataset& dataset, const std::string& path, const Content& content) {
  std::vector<OGRLayer*> layers(dataset.GetLayers().begin(), dataset.GetLayers().end());
  std::erase_if(layers, [&](auto* layer) { return layer->GetGeomType() == wkbNone && dataset.GetLayerCount() > 1; });
  if (layers.empty()) {
    throw DataError(path + " holds no vector layer");
  }
  if (content.one_layer && layers.size() > 1) {
    throw DataError(
        path + " has several layers; " + content.noun + " are in a file of one layer, such as " +
        listed(mapped<std::string>(layers, [](auto* layer) { return "'" + std::string(layer->GetName()) + "'"; })) +
        " written by itself");
  }
  return layers;
}

// The pixels of the features of a layer, by their places in it from 1.
// A feature's number is its place in the layer and not its identifier, which formats assign in different ways.
class FeaturePixels {
 public:
  FeaturePixels(OGRLayer& layer, const std::string& path, const RasterGrid& grid, const Content& content)
      : layer_(layer),
        path_(path),
        content_(content),
        columns_(content.areas_only ? std::nullopt : point_columns(layer, path, {})),
        rasteriser_(grid),
        transformation_(transformation_between(
            columns_ && columns_->degrees ? crs_from_epsg(kDegrees) : wkt_of(layer.GetSpatialRef()), grid.crs, path)) {}

  // `number` is that of the last feature of the layers before.
  void read(PixelRuns& runs, std::int64_t& number) {
    const ErrorCollector errors;
    layer_.ResetReading();
    while (const OGRFeatureUniquePtr feature{layer_.GetNextFeature()}) {
      ++number;
      if (const std::unique_ptr<OGRGeometry> geometry = place(*feature, number)) {
        runs.add(number, rasteriser_.pixels_of(*geometry));
      }
    }
    check_features_read(errors, path_);
  }

 private:
  // Null where there is nothing, or where it cannot be brought to the CRS of the grid, which is outside of the grid.
  [[nodiscard]] std::unique_ptr<OGRGeometry> place(OGRFeature& feature, std::int64_t number) const {
    std::unique_ptr<OGRGeometry> geometry(columns_ ? point_of(feature, *columns_, path_).release()
                                                   : feature.StealGeometry());
    if (geometry == nullptr || geometry->IsEmpty() != 0) {
      return nullptr;
    }
    if (content_.areas_only && geometry->getDimension() != 2) {
      throw DataError(path_ + " holds no " + content_.noun + ": feature " + std::to_string(number) + " is a " +
                      geometry->getGeometryName() + "; " + content_.noun + " are polygons");
    }
    // GEOS gives the reason as a warning; without GEOS polygons that cross themselves are filled by the even-odd rule.
    const ErrorCollector reason;
    if (content_.valid && OGRGeometryFactory::haveGEOS() && geometry->IsValid() == 0) {
      throw DataError(path_ + ": feature " + std::to_string(number) + " is not a valid polygon: " + reason.text() +
                      "; QGIS has 'Fix geometries' for such polygons");
    }
    return placed_geometry(std::move(geometry), transformation_.get());
  }

  OGRLayer& layer_;
  const std::string& path_;
  const Content& content_;
  std::optional<PointColumns> columns_;
  Rasteriser rasteriser_;
  std::unique_ptr<OGRCoordinateTransformation> transformation_;
};

// All features are rasterised at once. What is kept are runs of pixels, whose number goes with the outlines of the
// segments. Pixels that several features own belong to the first of them, see PixelRuns::settle().
PixelRuns read_runs(const std::string& path, const RasterGrid& grid, const std::string& grid_name,
                    const Content& content, const std::optional<std::string>& where) {
  const VectorSource source = open_vector_source(path);
  if (source.dataset == nullptr) {
    throw DataError(path + " cannot be opened as a raster or vector of " + content.noun + ": " + source.reason);
  }
  const FileStamps stamps(source.files);
  PixelRuns runs;
  std::int64_t number = 0;
  for (OGRLayer* layer : layers_of(*source.dataset, path, content)) {
    select_features(*layer, path, where);
    FeaturePixels(*layer, path, grid, content).read(runs, number);
  }
  runs.settle();
  stamps.check_unchanged();
  if (where && number == 0) {
    throw ConfigError(path + ": the condition \"" + *where + "\" selects no feature");
  }
  if (runs.empty() && !where) {
    throw DataError(path + ": no feature owns a pixel of " + grid_name +
                    (content.areas_only ? "; a polygon owns the pixels whose centre lies in it" : ""));
  }
  return runs;
}

class VectorSegments final : public SegmentSource {
 public:
  VectorSegments(std::string name, Index grid_width, PixelRuns runs)
      : name_(std::move(name)), grid_width_(grid_width), runs_(std::move(runs)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::int64_t lost() const override { return runs_.lost(); }
  void read(const Window& window, std::vector<std::int64_t>& numbers) override {
    numbers.assign(static_cast<std::size_t>(window.pixels()), 0);
    for (Index row = 0; row < window.height; ++row) {
      const std::int64_t first = std::int64_t{window.row + row} * grid_width_ + window.column;
      runs_.fill(first, window.width, &numbers[static_cast<std::size_t>(row * window.width)]);
    }
  }

 private:
  std::string name_;
  Index grid_width_;
  PixelRuns runs_;
};

std::unique_ptr<SegmentSource> open_pixels(const std::string& path, const RasterGrid& grid,
                                           const std::string& grid_name, const Content& content,
                                           const std::optional<std::string>& where = {}) {
  initialise_gdal();
  if (is_raster(path)) {
    if (where) {
      throw ConfigError(path + " is a raster, which has no features that a condition could select");
    }
    return std::make_unique<RasterSegments>(path, grid, grid_name, content);
  }
  check_grid_on_map(path, grid, grid_name);
  return std::make_unique<VectorSegments>(path, grid.width, read_runs(path, grid, grid_name, content, where));
}

// The pixels whose centre lies in a box.
PixelRuns box_runs(const std::string& text, const std::vector<double>& box, const RasterGrid& grid,
                   const std::string& grid_name) {
  if (box.size() != 4 || !(box[0] < box[2]) || !(box[1] < box[3])) {
    throw ConfigError("the region " + text +
                      " is no box; one is XMIN,YMIN,XMAX,YMAX, in the coordinate reference system of the scene");
  }
  OGRLinearRing ring;
  for (const auto& [x, y] : {std::pair(0, 1), std::pair(2, 1), std::pair(2, 3), std::pair(0, 3), std::pair(0, 1)}) {
    ring.addPoint(box[static_cast<std::size_t>(x)], box[static_cast<std::size_t>(y)]);
  }
  OGRPolygon polygon;
  polygon.addRing(&ring);
  const Rasteriser rasteriser(grid, grid_name);
  PixelRuns runs;
  runs.add(1, rasteriser.pixels_of(polygon));
  if (runs.empty()) {
    throw DataError("the region " + text + " holds the centre of no pixel of " + grid_name + ", which covers " +
                    extent_text(rasteriser.extent()));
  }
  return runs;
}

// The numbers of a list of nothing but several numbers; empty for any other text.
std::vector<double> numbers_of(const std::string& text) {
  const auto number_of = [](const std::string& part) { return parse_number<double>(part); };
  const auto numbers = mapped<std::optional<double>>(parts_of(text, ","), number_of);
  const bool all = numbers.size() > 1 && std::ranges::all_of(numbers, &std::optional<double>::has_value);
  return all ? mapped<double>(numbers, [](const auto& number) { return *number; }) : std::vector<double>();
}

}  // namespace

bool is_box(const std::string& text) { return !numbers_of(text).empty(); }

Region open_region(const std::string& text, const RasterGrid& grid, const std::string& grid_name) {
  initialise_gdal();
  check_grid_on_map("the region " + text, grid, grid_name);
  const std::vector<double> box = numbers_of(text);
  if (box.empty() && is_raster(text)) {
    throw ConfigError("the region " + text + " is a raster; regions are polygons, and --mask takes a raster");
  }
  PixelRuns runs = box.empty() ? read_runs(text, grid, grid_name, kRegions, {}) : box_runs(text, box, grid, grid_name);
  const Window window = runs.window(grid.width);
  return {std::make_shared<VectorSegments>(text, grid.width, std::move(runs)), window};
}

std::unique_ptr<SegmentSource> open_segments(const std::string& path, const RasterGrid& grid,
                                             const std::string& grid_name) {
  return open_pixels(path, grid, grid_name, kSegments);
}

std::unique_ptr<SegmentSource> open_labelled_pixels(const std::string& path, const RasterGrid& grid,
                                                    const std::string& grid_name,
                                                    const std::optional<std::string>& where) {
  return open_pixels(path, grid, grid_name, kLabels, where);
}

}  // namespace parsimap
