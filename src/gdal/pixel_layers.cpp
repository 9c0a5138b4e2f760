#include "parsimap/gdal/pixel_layers.hpp"

#include <cpl_conv.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/settings.hpp"

#include "dataset.hpp"
#include "graded_style.hpp"
#include "memory_file.hpp"
#include "outline.hpp"

namespace parsimap {
namespace {

bool is_geopackage(const std::string& path) { return EQUAL(CPLGetExtension(path.c_str()), "gpkg"); }

Window window_of(const std::vector<std::int64_t>& pixels, Index width) {
  Index left = width;
  Index right = 0;
  for (const std::int64_t pixel : pixels) {
    left = std::min<Index>(left, pixel % width);
    right = std::max<Index>(right, pixel % width);
  }
  const Index top = pixels.front() / width;
  return {left, top, right - left + 1, pixels.back() / width - top + 1};
}

// The polygons around pixels, in map coordinates.
OGRMultiPolygon outline(const std::vector<std::int64_t>& pixels, const RasterGrid& grid) {
  const Window window = window_of(pixels, grid.width);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(window.pixels()), 0);
  for (const std::int64_t pixel : pixels) {
    mask[static_cast<std::size_t>((pixel / grid.width - window.row) * window.width + pixel % grid.width -
                                  window.column)] = 1;
  }
  return outline_of(std::move(mask), window, grid);
}

OGRPoint centre(std::int64_t pixel, const RasterGrid& grid) {
  const auto [x, y] =
      map_point(grid, static_cast<double>(pixel % grid.width) + 0.5, static_cast<double>(pixel / grid.width) + 0.5);
  return {x, y};
}

void set_values(OGRFeature& feature, const std::vector<FieldValue>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int field = static_cast<int>(i);
    if (const auto* integer = std::get_if<std::int64_t>(&values[i])) {
      feature.SetField(field, static_cast<GIntBig>(*integer));
    } else if (const auto* real = std::get_if<double>(&values[i])) {
      feature.SetField(field, *real);
    } else if (const auto* text = std::get_if<std::string>(&values[i])) {
      feature.SetField(field, text->c_str());
    }
  }
}

// A GeoPackage in the making. Its driver lets SQLite open the file, so that it is made in memory first.
class LayeredFile {
 public:
  LayeredFile(const StagedOutput& output, const RasterGrid& grid) : output_(output), grid_(grid) {
    const ErrorCollector errors;
    initialise_gdal();
    dataset_.reset(
        GetGDALDriverManager()->GetDriverByName("GPKG")->Create(memory_.name().c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    require(dataset_ != nullptr, errors);
    if (!map_crs(grid).empty()) {
      reference_ = spatial_reference(grid.crs);
    }
  }

  void add(const PixelLayer& described) {
    const ErrorCollector errors;
    const bool areas = described.geometry == PixelGeometry::outline;
    OGRLayer* layer = create(described.name, areas ? wkbMultiPolygon : wkbPoint, described.fields, errors);
    // One transaction: a GeoPackage is slow otherwise.
    dataset_->StartTransaction();
    for (const PixelFeature& feature : described.features) {
      OGRFeature made(layer->GetLayerDefn());
      set_values(made, feature.values);
      const OGRErr placed = areas ? made.SetGeometryDirectly(outline(feature.pixels, grid_).clone())
                                  : made.SetGeometryDirectly(centre(feature.pixels.front(), grid_).clone());
      require(placed == OGRERR_NONE && layer->CreateFeature(&made) == OGRERR_NONE, errors);
    }
    require(dataset_->CommitTransaction() == OGRERR_NONE, errors);
  }

  // The table in which QGIS looks for styles. The names of its columns are those that QGIS gives them.
  void add_styles(const std::vector<PixelLayer>& layers) {
    const ErrorCollector errors;
    OGRLayer* table = create("layer_styles", wkbNone,
                             {{"f_table_catalog"},
                              {"f_table_schema"},
                              {"f_table_name"},
                              {"f_geometry_column"},
                              {"styleName"},
                              {"styleQML"},
                              {"styleSLD"},
                              {"useAsDefault", FieldKind::integer},
                              {"description"},
                              {"owner"},
                              {"ui"},
                              {"update_time"}},
                             errors);
    for (const PixelLayer& layer : layers) {
      OGRFeature style(table->GetLayerDefn());
      set_values(style,
                 {"", "", layer.name, "geom", layer.style.name, graded_style_document(layer.style, layer.geometry), "",
                  std::int64_t{1}, layer.style.name, "", FieldValue(), "2000-01-01T00:00:00.000Z"});
      require(table->CreateFeature(&style) == OGRERR_NONE, errors);
    }
  }

  void close() {
    const ErrorCollector errors;
    dataset_.reset();
    require(!errors.failed() && memory_.copy_to(output_.path), errors);
  }

 private:
  OGRLayer* create(const std::string& name, OGRwkbGeometryType geometry, const std::vector<VectorField>& fields,
                   const ErrorCollector& errors) {
    OGRLayer* layer = dataset_->CreateLayer(name.c_str(), geometry != wkbNone && reference_ ? &*reference_ : nullptr,
                                            geometry, nullptr);
    require(layer != nullptr, errors);
    for (const VectorField& field : fields) {
      OGRFieldDefn definition(field.name.c_str(), field_type(field.kind));
      require(layer->CreateField(&definition) == OGRERR_NONE, errors);
    }
    return layer;
  }

  void require(bool succeeded, const ErrorCollector& errors) const {
    if (!succeeded || errors.file_failed()) {
      throw IoError("output file '" + output_.target + "' cannot be written: " + errors.text());
    }
  }

  CPLConfigOptionSetter date_{"OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z", false};
  const StagedOutput& output_;
  const RasterGrid& grid_;
  MemoryFile memory_;  // goes after the dataset has been closed
  DatasetPtr dataset_;
  std::optional<OGRSpatialReference> reference_;
};

}  // namespace

const StagedOutput& stage_pixel_layers(OutputSet& outputs, const std::string& role, const std::string& path) {
  if (!is_geopackage(path)) {
    throw ConfigError("the name of the output '" + path + "' of " + role +
                      " does not end in .gpkg; it holds several layers with their styles, which takes a GeoPackage");
  }
  return outputs.stage(role, path);
}

void write_pixel_layers(const StagedOutput& output, const RasterGrid& grid, const std::vector<PixelLayer>& layers) {
  LayeredFile file(output, grid);
  for (const PixelLayer& layer : layers) {
    file.add(layer);
  }
  file.add_styles(layers);
  file.close();
}

}  // namespace parsimap
