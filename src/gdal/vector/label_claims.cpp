#include "label_claims.hpp"

#include <cpl_string.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/source_name.hpp"

#include "../raster/dataset.hpp"

namespace parsimap {
namespace {

// Names of pairs of columns with coordinates, compared without regard to case, in order of preference: tables often
// have both degrees and projected coordinates, and degrees have a known reference system.
struct UsualNames {
  const char* x;
  const char* y;
  bool degrees;
};

constexpr std::array<UsualNames, 10> kUsualNames{{{"lon", "lat", true},
                                                  {"longitude", "latitude", true},
                                                  {"long", "lat", true},
                                                  {"lng", "lat", true},
                                                  {"x", "y", false},
                                                  {"easting", "northing", false},
                                                  {"point_x", "point_y", false},
                                                  {"x_coord", "y_coord", false},
                                                  {"xcoord", "ycoord", false},
                                                  {"coord_x", "coord_y", false}}};

// The name of the column of latitudes beside one of longitudes, with the same words before it, if any: GPS_LON,
// decimalLongitude of Darwin Core, _location_longitude of KoboToolbox. Empty for other columns.
std::string latitude_beside(const std::string& longitude) {
  const std::string name = lower_case(longitude);
  const auto usual = std::ranges::find_if(
      kUsualNames, [&](const UsualNames& names) { return names.degrees && name.ends_with(names.x); });
  return usual == kUsualNames.end() ? "" : name.substr(0, name.size() - std::strlen(usual->x)) + usual->y;
}

int named_column(const OGRFeatureDefn& fields, const std::string& name, const std::string& path) {
  const int index = field_index(fields, name);
  if (index < 0) {
    throw ConfigError(path + ": there is no column '" + name + "' of coordinates; it has " + field_list(fields));
  }
  return index;
}

}  // namespace

void read_codes(const std::vector<std::string>& paths, std::vector<VectorClaims>& files) {
  std::set<std::string> texts;
  std::ranges::for_each(files, [&](const auto& file) { texts.insert(file.texts.begin(), file.texts.end()); });
  for (const char* missing : {"NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"}) {
    if (texts.contains(missing)) {
      files.front().messages.push_back(paths.front() + ": a class is called '" + missing +
                                       "', as missing values are; --where leaves its features out");
    }
  }
  std::set<std::string> names = texts;
  std::erase_if(names, [](const std::string& text) { return text == "0" || code_of_text(text).value_or(0) != 0; });
  if (!names.empty() && names.size() < texts.size()) {
    check_codes(texts, paths.front() + ": the class field");
    files.front().messages.push_back(paths.front() + ": some texts of its classes are whole numbers, but not all (" +
                                     quoted_names(names) + "): all of them are names, and none is a code");
  }
  for (std::size_t i = 0; i < files.size() && names.empty(); ++i) {
    VectorClaims& file = files[i];
    if (file.texts.empty()) {
      continue;
    }
    const auto coded = [](const ClassKey& key) {
      return ClassKey{key.text == "0" ? kZeroKey : code_of_text(key.text).value_or(0), ""};
    };
    file.named_by_text = false;
    file.messages.push_back(paths[i] + ": all texts of its classes are whole numbers and are read as codes");
    const auto classes = mapped<ClassKey>(file.classes, coded);
    file.classes = {classes.begin(), classes.end()};
    std::ranges::for_each(file.regions, [&](RegionClaim& region) { region.key = coded(region.key); });
  }
}

int field_index(const OGRFeatureDefn& definition, const std::string& name) {
  const int same = definition.GetFieldIndexCaseSensitive(name.c_str());
  return same >= 0 ? same : definition.GetFieldIndex(name.c_str());
}

std::string field_list(const OGRFeatureDefn& definition) {
  return separated(consecutive(definition.GetFieldCount()), ", ", [&](Index i) {
    const OGRFieldDefn& field = *definition.GetFieldDefn(static_cast<int>(i));
    return std::string(field.GetNameRef()) + " (" + OGRFieldDefn::GetFieldTypeName(field.GetType()) + ")";
  });
}

std::optional<PointColumns> point_columns(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  const OGRFeatureDefn& fields = *layer.GetLayerDefn();
  // Coordinates in columns are for tables only: with geometries there would be two contradicting positions.
  if (fields.GetGeomFieldCount() > 0) {
    if (options.x_field || options.y_field) {
      throw ConfigError(path + " has geometries; --x and --y are for tables of points without them");
    }
    return std::nullopt;
  }
  if (options.x_field && options.y_field) {
    return PointColumns{named_column(fields, *options.x_field, path), named_column(fields, *options.y_field, path),
                        lower_case(*options.y_field) == latitude_beside(*options.x_field)};
  }
  // Columns that the user does not name are found by their usual names, in the order of the list.
  for (const UsualNames& usual : kUsualNames) {
    const int x = fields.GetFieldIndex(usual.x);
    const int y = fields.GetFieldIndex(usual.y);
    if (x >= 0 && y >= 0) {
      return PointColumns{x, y, usual.degrees};
    }
  }
  std::vector<PointColumns> degrees;
  for (int x = 0; x < fields.GetFieldCount(); ++x) {
    const int y = fields.GetFieldIndex(latitude_beside(fields.GetFieldDefn(x)->GetNameRef()).c_str());
    if (y >= 0) {
      degrees.push_back({x, y, true});
    }
  }
  if (degrees.size() == 1) {
    return degrees.front();
  }
  throw DataError(path + " has no geometries, and " + (degrees.empty() ? "no" : "several pairs of") +
                  " columns of coordinates that are called like x and y or lon and lat; name them (--x, --y): it has " +
                  field_list(fields));
}

std::unique_ptr<OGRGeometry> point_of(const OGRFeature& row, const PointColumns& columns, const std::string& path) {
  std::array<double, 2> place{};
  for (const auto& [column, coordinate] : {std::pair(columns.x, &place[0]), std::pair(columns.y, &place[1])}) {
    const OGRFieldDefn& field = *row.GetFieldDefnRef(column);
    // Rows without coordinates have no place, which is not an error. Text must be a complete number: with a decimal
    // comma GDAL would read only what precedes it.
    const std::string text(trimmed(row.GetFieldAsString(column)));
    if (!row.IsFieldSetAndNotNull(column) || text.empty()) {
      return nullptr;
    }
    // Columns of type real were converted by GDAL when the table was read.
    const std::optional<double> number =
        field.GetType() == OFTReal ? std::optional(row.GetFieldAsDouble(column)) : parse_number<double>(text);
    if (!number) {
      throw DataError(path + ": row " + std::to_string(row.GetFID()) + " has " + field.GetNameRef() + " = '" + text +
                      "'; coordinates are numbers with a decimal point");
    }
    *coordinate = *number;
  }
  return std::make_unique<OGRPoint>(place[0], place[1]);
}

// Scenes that say where their pixels lie in another way than by a geotransform, which labels on a map would need.
static void check_placement(const std::string& path, const std::string& scene) {
  const ErrorCollector ignored;
  const DatasetPtr dataset(GDALDataset::Open(source_name(scene).file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY));
  for (const auto& [domain, what, option] :
       {std::tuple("RPC", "rational polynomial coefficients (RPC)", "-rpc"),
        std::tuple("GEOLOCATION", "arrays of the positions of its pixels (geolocation)", "-geoloc")}) {
    if (dataset != nullptr && CSLCount(dataset->GetMetadata(domain)) > 0) {
      throw DataError(path + " has map coordinates, but " + scene + " has no geotransform, only " + what +
                      ", which are not used here; gdalwarp " + option + " puts the scene on a map");
    }
  }
}

void check_grid_on_map(const std::string& path, const RasterGrid& grid, const std::string& grid_name) {
  if (!grid.geotransform && !grid.control_points.empty()) {
    throw DataError(path + " has map coordinates, but " + grid_name +
                    " is in the sensor's own geometry and has control points alone, which do not place single pixels; "
                    "with --orthorectify the scene and its map lie on the grid of the geometry lookup table (GLT) that "
                    "comes with it, and gdalwarp puts other rasters on a map");
  }
}

std::string crs_of_labels(const std::string& path, const std::string& own, std::optional<int> epsg,
                          const RasterGrid& grid, const std::string& grid_name, std::vector<std::string>& messages) {
  // What the file says counts before what the user says. Where both speak they must agree; where neither does, labels
  // are taken to be in the system of the scene.
  check_grid_on_map(path, grid, grid_name);
  if (!grid.geotransform && (!own.empty() || epsg)) {
    check_placement(path, grid_name);
  }
  const std::string said = epsg ? crs_from_epsg(*epsg) : "";
  // A local system, such as that of a site, says nothing of its place on the earth, and the user may.
  const bool local = !own.empty() && spatial_reference(own).IsLocal() != 0;
  if (!own.empty() && !said.empty() && !local && !same_crs(own, said)) {
    throw ConfigError(path + " is in " + crs_title(own) + ", but --crs says " + crs_title(said) +
                      "; --crs is for labels that do not name their coordinate reference system");
  }
  const std::string crs = own.empty() || (local && epsg) ? said : own;
  // Assumptions about reference systems are reported, since a wrong one would move all labels.
  if (crs.empty() && !grid.crs.empty()) {
    messages.push_back(path + " names no coordinate reference system: its coordinates are taken to be in that of " +
                       grid_name + ", " + crs_title(grid.crs) + "; --crs EPSG:n names another");
  } else if (!crs.empty() && grid.crs.empty()) {
    messages.push_back(grid_name + " names no coordinate reference system: it is taken to be in that of " + path +
                       ", " + crs_title(crs));
  }
  // If the scene has no reference system, the coordinates are used as they are: see transformation_between().
  return grid.crs.empty() ? "" : crs;
}

std::unique_ptr<OGRCoordinateTransformation> transformation_between(const std::string& from, const std::string& to,
                                                                    const std::string& path) {
  // Without a transformation coordinates stay as they are, which also saves the noise of one that changes nothing.
  if (from.empty() || to.empty() || same_crs(from, to)) {
    return nullptr;
  }
  const OGRSpatialReference source = spatial_reference(from);
  const OGRSpatialReference target = spatial_reference(to);
  const ErrorCollector errors;
  std::unique_ptr<OGRCoordinateTransformation> transformation(OGRCreateCoordinateTransformation(&source, &target));
  if (transformation == nullptr) {
    throw DataError(path + " cannot be brought from " + crs_title(from) + " to " + crs_title(to) + ": " +
                    errors.text());
  }
  return transformation;
}

}  // namespace parsimap
