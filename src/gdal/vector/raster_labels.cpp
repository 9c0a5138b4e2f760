#include "raster_labels.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "../raster/dataset.hpp"
#include "label_claims.hpp"
#include "rasterise.hpp"

namespace parsimap {
namespace {

// At most so many pixels of a finer label raster are read at once.
constexpr Index kMostRead = Index{1} << 24;
// Edges of rasters bend where they are reprojected; so many points of each are transformed.
constexpr int kEdgePoints = 21;

// The class of a code. A file that changes while it is read may have others than when its classes were found.
int label_of(const Indices& labels, std::uint16_t code, const ClassMapSource& source) {
  if (code >= labels.size() || labels[code] < 0) {
    throw IoError(source.name() + " changed while it was read: it has the code " + std::to_string(code) + " now");
  }
  return static_cast<int>(labels[code]);
}

// A label raster on the grid of the scene: pixel by pixel, in strips of rows, so that pixels come ascending.
void read_on_grid(ClassMapSource& source, const RasterGrid& grid, LabelledPixels& labels) {
  const Indices labels_of_codes = index_of_codes(labels.classes);
  std::vector<std::uint16_t> codes;
  for (const Window& strip : row_strips(grid)) {
    source.read(strip, codes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] != 0) {
        labels.pixels.push_back({std::int64_t{strip.row} * grid.width + static_cast<std::int64_t>(i),
                                 label_of(labels_of_codes, codes[i], source), 0});
      }
    }
  }
}

// Takes the label under the centre of every pixel of a scene.
class NearestReader {
 public:
  // `crs` is that of the source, empty where it is that of `grid`.
  NearestReader(ClassMapSource& source, const std::string& crs, const RasterGrid& grid)
      : source_(source),
        grid_(grid),
        to_source_(transformation_between(grid.crs, crs, source.name())),
        to_scene_(transformation_between(crs, grid.crs, source.name())),
        on_source_(source.grid(), source.name()) {}

  // The part of the scene that the label raster may cover.
  [[nodiscard]] Window overlap() const {
    OGREnvelope box = on_source_.extent();
    if (to_scene_ != nullptr) {
      // The bounds of the label raster in the coordinate system of the scene, with bent edges. If they cannot be
      // transformed, the whole scene is searched.
      const ErrorCollector ignored;
      OGREnvelope other;
      if (to_scene_->TransformBounds(box.MinX, box.MinY, box.MaxX, box.MaxY, &other.MinX, &other.MinY, &other.MaxX,
                                     &other.MaxY, kEdgePoints) == 0) {
        return {0, 0, grid_.width, grid_.height};
      }
      box = other;
    }
    return Rasteriser(grid_).window_of(box);
  }

  void read(LabelledPixels& labels) {
    labels_of_codes_ = index_of_codes(labels.classes);
    for (const Window& strip : row_strips(overlap())) {
      read_part(strip, labels);
    }
    // Parts that were halved have not been read in the order of the pixels.
    std::ranges::sort(labels.pixels, [](const auto& a, const auto& b) { return a.pixel < b.pixel; });
  }

 private:
  struct Place {
    std::int64_t pixel;  // of the scene
    Index column;        // of the label raster
    Index row;
  };

  void read_part(const Window& part, LabelledPixels& labels) {
    // Where the centres of the pixels lie in the label raster: nearest neighbour, as a user would sample it.
    const std::vector<Place> places = places_of(part);
    if (places.empty()) {
      return;
    }
    // The pixels of the label raster under this part. Where they are too many to be read at once, because the raster
    // is finer than the scene, the part is halved, along its rows as long as it has several.
    PixelBounds bounds;
    for (const Place& place : places) {
      bounds.add(place.column, place.row);
    }
    const Window around = bounds.window();
    if (around.pixels() > kMostRead && part.pixels() > 1) {
      const Index width = part.height > 1 ? part.width : (part.width + 1) / 2;
      for (const Window& half : tiles_of(part, width, (part.height + 1) / 2)) {
        read_part(half, labels);
      }
      return;
    }
    source_.read(around, codes_);
    for (const Place& place : places) {
      const std::uint16_t code =
          codes_[static_cast<std::size_t>((place.row - around.row) * around.width + place.column - around.column)];
      if (code != 0) {
        labels.pixels.push_back({place.pixel, label_of(labels_of_codes_, code, source_), 0});
      }
    }
  }

  // The places of those pixels of `part` whose centre lies in the label raster.
  [[nodiscard]] std::vector<Place> places_of(const Window& part) const {
    const ErrorCollector ignored;  // what cannot be transformed lies outside of the label raster
    const auto width = static_cast<std::size_t>(part.width);
    const RasterGrid& own = source_.grid();
    std::vector<Place> places;
    std::vector<double> x(width);
    std::vector<double> y(width);
    // A row of pixels is transformed by one call; `placed` states which of its points could be transformed.
    std::vector<int> placed(width, 1);
    for (Index row = part.row; row < part.row + part.height; ++row) {
      for (std::size_t i = 0; i < width; ++i) {
        const auto point = map_point(grid_, static_cast<double>(part.column) + static_cast<double>(i) + 0.5,
                                     static_cast<double>(row) + 0.5);
        x[i] = point[0];
        y[i] = point[1];
      }
      if (to_source_ != nullptr) {
        to_source_->Transform(static_cast<int>(width), x.data(), y.data(), nullptr, placed.data());
      }
      // The way of a centre: from the scene's grid to its map coordinates, to those of the label raster, and to a
      // column and a row there.
      for (std::size_t i = 0; i < width; ++i) {
        const auto [c, r] = on_source_.place_of(x[i], y[i]);
        if (placed[i] != 0 && c >= 0 && r >= 0 && c < static_cast<double>(own.width) &&
            r < static_cast<double>(own.height)) {
          places.push_back(
              {row * grid_.width + part.column + static_cast<Index>(i), static_cast<Index>(c), static_cast<Index>(r)});
        }
      }
    }
    return places;
  }

  ClassMapSource& source_;
  const RasterGrid& grid_;
  std::unique_ptr<OGRCoordinateTransformation> to_source_;  // null where both have one CRS
  std::unique_ptr<OGRCoordinateTransformation> to_scene_;
  Rasteriser on_source_;
  Indices labels_of_codes_;
  std::vector<std::uint16_t> codes_;
};

void read_nearest(ClassMapSource& source, const std::string& crs, const RasterGrid& grid, const std::string& grid_name,
                  LabelledPixels& labels) {
  // No interpolation or majority: codes have no order, and a pixel of the scene has the class at its centre.
  NearestReader reader(source, crs, grid);
  reader.read(labels);
  if (labels.pixels.empty()) {
    throw DataError(source.name() + " has no label under a pixel of " + grid_name + "; the labels (" +
                    crs_title(crs.empty() ? grid.crs : crs) + ") span " +
                    extent_text(Rasteriser(source.grid()).extent()) + ", the scene (" + crs_title(grid.crs) + ") " +
                    extent_text(Rasteriser(grid).extent()));
  }
  // Classes of the label raster that occur only elsewhere are left out and reported.
  const std::string absent = separated(drop_small_classes(labels, class_sizes(labels), 1), ", ",
                                       [](const SmallClass& entry) { return "'" + entry.name + "'"; });
  if (!absent.empty()) {
    labels.messages.push_back(source.name() + ": classes without a pixel of " + grid_name + ": " + absent);
  }
}

}  // namespace

LabelledPixels read_raster_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                                  const std::string& grid_name) {
  const std::unique_ptr<ClassMapSource> source = open_class_map(path, options.zero_class);
  LabelledPixels labels;
  labels.classes = source->classes();
  labels.notes = source->notes();
  RasterGrid own = source->grid();
  std::string crs;
  // If only one of both is georeferenced, sizes must be equal and pixels are taken to correspond.
  if (own.geotransform && grid.geotransform) {
    crs = crs_of_labels(path, own.crs, options.epsg, grid, grid_name, labels.messages);
    own.crs = crs;
  } else if (own.geotransform || grid.geotransform) {
    labels.messages.push_back((own.geotransform ? grid_name : path) +
                              " is not georeferenced: pixels of both are taken to correspond");
  }
  const std::string difference = grid_difference(own, path, grid, grid_name);
  if (difference.empty()) {
    read_on_grid(*source, grid, labels);
  } else if (own.geotransform && grid.geotransform) {
    labels.messages.push_back(difference + "; each pixel of " + grid_name + " has the label that its centre lies in");
    read_nearest(*source, crs, grid, grid_name, labels);
  } else {
    throw DataError(difference + "; label rasters must lie on the same grid, or both must be georeferenced");
  }
  if (source->unlabelled_zeros() > 0) {
    labels.messages.push_back(zeros_text(path, "pixels", source->unlabelled_zeros(), options.has_zero_option));
  }
  source->check_unchanged();
  return labels;
}

}  // namespace parsimap
