#include "parsimap/gdal/vector/vector_output.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal_alg.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "../raster/dataset.hpp"
#include "../raster/raster_file.hpp"
#include "vector_layers.hpp"

namespace parsimap {
namespace {

bool is_table(const std::string& path) { return EQUAL(CPLGetExtension(path.c_str()), "csv"); }

GDALDriver& driver_of(const std::string& path) {
  initialise_gdal();
  // The usual vector formats do not include tables: polygons in a table are of no use.
  return is_table(path) ? *GetGDALDriverManager()->GetDriverByName("CSV") : vector_driver(path);
}

// The driver's library opens its file by itself, so that the layer below GDAL does not see its writes, and the driver
// passes over some that fail.
bool writes_unseen(const std::string& path) {
  const char* driver = driver_of(path).GetDescription();
  return EQUAL(driver, "GPKG") || EQUAL(driver, "SQLite");
}

// Options that make files readable by other programs and the same in every run.
CPLStringList layer_options(const std::string& path) {
  if (is_table(path)) {
    // Tables have the coordinates of points in two columns, and the line ends of RFC 4180.
    return string_list({"GEOMETRY=AS_XY", "LINEFORMAT=CRLF", "STRING_QUOTING=IF_NEEDED"});
  }
  if (EQUAL(driver_of(path).GetDescription(), "ESRI Shapefile")) {
    return string_list({"ENCODING=UTF-8"});  // of Latin-1, the default, other letters would become question marks
  }
  // An index would bring features into another order, and leave out those without a place.
  return string_list(EQUAL(CPLGetExtension(path.c_str()), "fgb") ? std::vector<std::string>{"SPATIAL_INDEX=NO"}
                                                                 : std::vector<std::string>{});
}

// A value that is none of the three types leaves its field unset (null).
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

// The name of a layer that is called like a file: GeoPackages take none that begins with a sign.
std::string layer_name(std::string name) {
  name.erase(0, name.find_first_not_of(R"(`~!@#$%^&*()+-={}|[]\:";'<>?,./)"));
  return name.empty() ? "layer" : name;
}

class GdalPixelSink final : public PixelSink {
 public:
  GdalPixelSink(const StagedOutput& output, const RasterGrid& grid, PixelGeometry geometry,
                const std::vector<VectorField>& fields)
      : grid_(grid), file_(output, map_crs(grid)) {
    // The only layer of a file is called like it.
    file_.begin_layer(CPLGetBasename(output.target.c_str()),
                      geometry == PixelGeometry::outline ? wkbMultiPolygon : wkbPoint, fields);
  }

  void add(std::int64_t pixel, const std::vector<FieldValue>& values) override {
    // A negative pixel stands for a feature without a place.
    const OGRPoint point = pixel_centre(std::max<std::int64_t>(pixel, 0), grid_);
    file_.add(pixel < 0 ? nullptr : &point, values);
  }
  void add_point(const std::array<double, 2>& place, const std::vector<FieldValue>& values) override {
    const OGRPoint point(place[0], place[1]);
    file_.add(&point, values);
  }
  void add_outline(const Window& window, const std::vector<std::uint8_t>& mask,
                   const std::vector<FieldValue>& values) override {
    const auto outline = outline_of(mask, window, grid_);
    file_.add(&outline, values);
  }
  void close() override { file_.close(); }

 private:
  RasterGrid grid_;
  VectorFile file_;
};

}  // namespace

const StagedOutput& stage_vector(OutputSet& outputs, const std::string& role, const std::string& path) {
  // The changes that SQLite keeps beside an earlier database would become part of the new one.
  std::vector<std::string> files = {path, path + "-wal", path + "-shm", path + "-journal"};
  if (EQUAL(driver_of(path).GetDescription(), "ESRI Shapefile")) {
    // A shapefile is several files, which are checked and put in place together; indices of earlier features go.
    for (const char* extension : {"shx", "dbf", "prj", "cpg", "qix", "sbn", "sbx", "idm", "ind"}) {
      files.emplace_back(CPLResetExtension(path.c_str(), extension));
    }
  }
  return outputs.stage(role, path, std::move(files));
}

std::unique_ptr<PixelSink> create_features(const StagedOutput& output, const RasterGrid& grid, PixelGeometry geometry,
                                           const std::vector<VectorField>& fields) {
  return std::make_unique<GdalPixelSink>(output, grid, geometry, fields);
}

void write_polygons(const StagedOutput& output, const std::string& crs, const std::string& class_field,
                    const std::vector<ClassPolygon>& polygons) {
  VectorFile file(output, crs);
  file.begin_layer(CPLGetBasename(output.target.c_str()), wkbPolygon,
                   {{class_field, FieldKind::text}, {"split", FieldKind::text}});
  for (const ClassPolygon& polygon : polygons) {
    OGRLinearRing ring;
    std::ranges::for_each(polygon.ring, [&](const auto& corner) { ring.addPoint(corner[0], corner[1]); });
    OGRPolygon shape;
    shape.addRing(&ring);
    file.add(&shape, {polygon.class_name, polygon.split});
  }
  file.close();
}

// Files whose writes cannot be observed are made in memory and copied to the disk at the end: a failed write of the
// copy is noticed. See writes_unseen().
VectorFile::VectorFile(const StagedOutput& output, const std::string& crs)
    : target_(output.target), path_(output.path), made_(writes_unseen(target_) ? memory_.path() : path_) {
  const ErrorCollector errors;
  dataset_.reset(driver_of(target_).Create(made_.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  require(dataset_ != nullptr, errors);
  if (!crs.empty()) {
    reference_ = spatial_reference(crs);
  }
}

void VectorFile::begin_layer(const std::string& name, OGRwkbGeometryType geometry,
                             const std::vector<VectorField>& fields) {
  commit();
  const ErrorCollector errors;
  // Layers without geometries, such as tables of styles, have no reference system.
  layer_ = dataset_->CreateLayer(layer_name(name).c_str(), geometry != wkbNone && reference_ ? &*reference_ : nullptr,
                                 geometry, layer_options(target_).List());
  require(layer_ != nullptr, errors);
  for (const VectorField& field : fields) {
    OGRFieldDefn definition(field.name.c_str(), field.kind == FieldKind::integer ? OFTInteger64
                                                : field.kind == FieldKind::real  ? OFTReal
                                                                                 : OFTString);
    require(layer_->CreateField(&definition) == OGRERR_NONE, errors);
  }
  dataset_->StartTransaction();
}

void VectorFile::commit() {
  const ErrorCollector errors;
  // Formats without transactions refuse to commit one, which is not an error.
  const bool done = layer_ == nullptr || dataset_->CommitTransaction() == OGRERR_NONE ||
                    dataset_->TestCapability(ODsCTransactions) == 0;
  require(done && !errors.failed(), errors);
}

void VectorFile::add(const OGRGeometry* geometry, const std::vector<FieldValue>& values) {
  const ErrorCollector errors;
  OGRFeature feature(layer_->GetLayerDefn());
  set_values(feature, values);
  const bool placed = geometry == nullptr || feature.SetGeometry(geometry) == OGRERR_NONE;
  const bool written = placed && layer_->CreateFeature(&feature) == OGRERR_NONE;
  // Shapefiles cut texts of more than 254 bytes, after which different classes may have one name.
  require(written && errors.text().find("has been truncated") == std::string::npos, errors);
}

// Much is written only when the dataset is closed, so that errors are checked afterwards.
void VectorFile::close() {
  commit();
  const ErrorCollector errors;
  dataset_.reset();
  require(!errors.failed(), errors);
  require(made_ == path_ || memory_.copy_to(path_), errors);
}

void VectorFile::require(bool succeeded, const ErrorCollector& errors) const {
  // A function of GDAL may report success although a write below it failed: both are checked.
  if (!succeeded || errors.file_failed()) {
    throw IoError("output file '" + target_ + "' cannot be written: " + errors.text());
  }
}

OGRPoint pixel_centre(std::int64_t pixel, const RasterGrid& grid) {
  const auto [x, y] =
      map_point(grid, static_cast<double>(pixel % grid.width) + 0.5, static_cast<double>(pixel / grid.width) + 0.5);
  return {x, y};
}

OGRMultiPolygon outline_of(std::vector<std::uint8_t> mask, const Window& window, const RasterGrid& grid) {
  initialise_gdal();
  const ErrorCollector errors;
  GDALDriverManager& drivers = *GetGDALDriverManager();
  const int width = static_cast<int>(window.width);
  const int height = static_cast<int>(window.height);
  // The mask is made a raster in memory, georeferenced like its window, which GDAL's tracing makes polygons of: band
  // and mask are the same, so that areas without a mask are left out.
  const DatasetPtr raster(drivers.GetDriverByName("MEM")->Create("", width, height, 1, GDT_Byte, nullptr));
  const DatasetPtr vector(drivers.GetDriverByName("Memory")->Create("", 0, 0, 0, GDT_Unknown, nullptr));
  // The geotransform of the grid with its origin moved to the upper left corner of the window.
  std::array<double, 6> transform = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  const std::array<double, 2> corner =
      map_point(grid, static_cast<double>(window.column), static_cast<double>(window.row));
  transform[0] = corner[0];
  transform[3] = corner[1];
  OGRLayer* layer = vector != nullptr ? vector->CreateLayer("outline", nullptr, wkbPolygon, nullptr) : nullptr;
  GDALRasterBand* band = raster != nullptr ? raster->GetRasterBand(1) : nullptr;
  if (layer == nullptr || band == nullptr || raster->SetGeoTransform(transform.data()) != CE_None ||
      band->RasterIO(GF_Write, 0, 0, width, height, mask.data(), width, height, GDT_Byte, 0, 0, nullptr) != CE_None ||
      GDALPolygonize(band, band, layer, -1, nullptr, nullptr, nullptr) != CE_None) {
    throw IoError("the outline of pixels cannot be traced: " + errors.text());
  }
  OGRMultiPolygon polygons;
  for (const auto& feature : *layer) {
    polygons.addGeometry(feature->GetGeometryRef());
  }
  return polygons;
}

// The polygons around pixels, in map coordinates: drawn into a mask that is as large as the pixels need, whose areas
// are then traced.
static OGRMultiPolygon outline(const std::vector<std::int64_t>& pixels, const RasterGrid& grid) {
  const Window window = bounds_of(pixels, grid.width).window();
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(window.pixels()), 0);
  for (const std::int64_t pixel : pixels) {
    mask[static_cast<std::size_t>((pixel / grid.width - window.row) * window.width + pixel % grid.width -
                                  window.column)] = 1;
  }
  return outline_of(std::move(mask), window, grid);
}

// The names of the columns are those that QGIS gives them.
void add_styles(const std::vector<PixelLayer>& layers, VectorFile& file) {
  std::vector<VectorField> fields;
  for (const char* name : {"f_table_catalog", "f_table_schema", "f_table_name", "f_geometry_column", "styleName",
                           "styleQML", "styleSLD", "useAsDefault", "description", "owner", "ui", "update_time"}) {
    fields.push_back({name, EQUAL(name, "useAsDefault") ? FieldKind::integer : FieldKind::text});
  }
  file.begin_layer("layer_styles", wkbNone, fields);
  for (const PixelLayer& layer : layers) {
    file.add(nullptr, {"", "", layer_name(layer.name), "geom", layer.style.name,
                       graded_style_document(layer.style, layer.geometry), "", std::int64_t{1}, layer.style.name, "",
                       FieldValue(), "2000-01-01T00:00:00.000Z"});
  }
}

const StagedOutput& stage_pixel_layers(OutputSet& outputs, const std::string& role, const std::string& path) {
  if (!EQUAL(CPLGetExtension(path.c_str()), "gpkg")) {
    throw ConfigError("the name of the output '" + path + "' of " + role +
                      " does not end in .gpkg; it holds several layers with their styles, which takes a GeoPackage");
  }
  return stage_vector(outputs, role, path);
}

void write_pixel_layers(const StagedOutput& output, const RasterGrid& grid, const std::vector<PixelLayer>& layers) {
  VectorFile file(output, map_crs(grid));
  for (const PixelLayer& layer : layers) {
    // Features are areas (the outlines of their pixels) or points (the centre of their first pixel).
    const bool areas = layer.geometry == PixelGeometry::outline;
    file.begin_layer(layer.name, areas ? wkbMultiPolygon : wkbPoint, layer.fields);
    for (const PixelFeature& feature : layer.features) {
      const std::unique_ptr<OGRGeometry> shape(areas ? static_cast<OGRGeometry*>(outline(feature.pixels, grid).clone())
                                                     : pixel_centre(feature.pixels.front(), grid).clone());
      file.add(shape.get(), feature.values);
    }
  }
  add_styles(layers, file);
  file.close();
}

static std::string escaped(const std::string& text) {
  const std::unique_ptr<char, decltype(&VSIFree)> xml(CPLEscapeString(text.c_str(), -1, CPLES_XML), VSIFree);
  return xml.get();
}

static std::string number(double value) { return CPLSPrintf("%.12g", value); }

// QGIS before 3.26 reads `prop`, later versions `Option`.
static std::string properties(const std::vector<std::pair<std::string, std::string>>& values) {
  std::string options;
  std::string props;
  for (const auto& [name, value] : values) {
    options += R"(<Option name=")" + name + R"(" value=")" + value + R"(" type="QString"/>)";
    props += R"(<prop k=")" + name + R"(" v=")" + value + R"("/>)";
  }
  return R"(<Option type="Map">)" + options + "</Option>" + props;
}

static std::string symbol(std::size_t place, const std::string& colour, PixelGeometry geometry) {
  const bool areas = geometry == PixelGeometry::outline;
  const std::string layer =
      areas
          ? properties({{"color", colour},
                        {"style", "solid"},
                        {"outline_color", "35,35,35,255"},
                        {"outline_style", "solid"},
                        {"outline_width", "0.26"},
                        {"outline_width_unit", "MM"}})
          : properties(
                {{"color", colour}, {"name", "circle"}, {"size", "1.6"}, {"size_unit", "MM"}, {"outline_style", "no"}});
  return R"(<symbol type=")" + std::string(areas ? "fill" : "marker") + R"(" name=")" + std::to_string(place) +
         R"(" alpha="1" clip_to_extent="1" force_rhr="0"><layer class=")" + (areas ? "SimpleFill" : "SimpleMarker") +
         R"(" enabled="1" locked="0" pass="0">)" + layer + "</layer></symbol>";
}

// A list of values to choose from where the attributes of a feature are edited, with one that empties the field.
static std::string value_map(const std::string& field, const std::vector<std::string>& values) {
  const auto entry = [](const std::string& shown, const std::string& value) {
    return R"(<Option type="Map"><Option name=")" + escaped(shown) + R"(" value=")" + escaped(value) +
           R"(" type="QString"/></Option>)";
  };
  // The value by which QGIS stands for null in such a list (QgsValueMapFieldFormatter::NULL_VALUE).
  const std::string entries = entry("<NULL>", "{2839923C-8B7D-419E-B84B-CA2FE9B80EC7}") +
                              separated(values, "", [&](const std::string& value) { return entry(value, value); });
  return R"(<fieldConfiguration><field name=")" + escaped(field) +
         R"("><editWidget type="ValueMap"><config><Option type="Map"><Option name="map" type="List">)" + entries +
         "</Option></Option></config></editWidget></field></fieldConfiguration>";
}

// A style of QGIS that colours features by the range in which the value of an expression lies.
std::string graded_style_document(const GradedStyle& style, PixelGeometry geometry) {
  std::string ranges;
  std::string symbols;
  for (std::size_t i = 0; i < style.steps.size(); ++i) {
    const StyleStep& step = style.steps[i];
    ranges += R"(<range lower=")" + number(step.low) + R"(" upper=")" + number(step.high) + R"(" label=")" +
              escaped(step.label) + R"(" symbol=")" + std::to_string(i) + R"(" render="true"/>)";
    symbols += symbol(i, step.colour, geometry);
  }
  // The version is that of the document's format; later versions of QGIS read it.
  return R"(<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'><qgis version="3.22" styleCategories=")" +
         std::string(style.choices.empty() ? "Symbology" : "Symbology|Forms") +
         R"("><renderer-v2 type="graduatedSymbol" graduatedMethod="GraduatedColor" symbollevels="0" enableorderby="0" )"
         R"(forceraster="0" attr=")" +
         escaped(style.expression) + R"("><ranges>)" + ranges + "</ranges><symbols>" + symbols +
         "</symbols></renderer-v2>" + (style.choices.empty() ? "" : value_map(style.choice_field, style.choices)) +
         "</qgis>";
}

GradedStyle order_style(const std::string& name, const std::string& field, const std::string& one, std::int64_t count,
                        const std::vector<std::string>& classes) {
  const std::array<const char*, 4> colours = {"189,0,38,255", "240,59,32,255", "253,141,60,255", "254,204,92,255"};
  GradedStyle style{name, "\"" + field + "\"", {}, "class", classes};
  std::int64_t first = 1;
  for (std::int64_t quarter = 1; quarter <= 4; ++quarter) {
    // The upper bound of quarter q is ceil(q n / 4). With fewer than four points some quarters are empty and have no
    // step.
    const std::int64_t last = (quarter * count + 3) / 4;
    if (last >= first) {
      style.steps.push_back({static_cast<double>(first), static_cast<double>(last),
                             first == last ? one + " " + std::to_string(first)
                                           : one + "s " + std::to_string(first) + " to " + std::to_string(last),
                             colours[static_cast<std::size_t>(quarter - 1)]});
    }
    first = last + 1;
  }
  return style;
}

}  // namespace parsimap
