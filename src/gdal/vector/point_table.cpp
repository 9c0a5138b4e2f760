#include <cpl_string.h>

#include <array>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "label_claims.hpp"

namespace parsimap {
namespace {

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

bool are_degrees(const std::string& x, const std::string& y) {
  for (const UsualNames& usual : kUsualNames) {
    if (EQUAL(x.c_str(), usual.x) && EQUAL(y.c_str(), usual.y)) {
      return usual.degrees;
    }
  }
  return false;
}

int named_column(const OGRFeatureDefn& fields, const std::string& name, const std::string& path) {
  const int index = fields.GetFieldIndex(name.c_str());
  if (index < 0) {
    throw ConfigError(path + ": there is no column '" + name + "' of coordinates; it has " + field_list(fields));
  }
  return index;
}

}  // namespace

std::string field_list(const OGRFeatureDefn& definition) {
  std::string list;
  for (int i = 0; i < definition.GetFieldCount(); ++i) {
    const OGRFieldDefn* field = definition.GetFieldDefn(i);
    list += (list.empty() ? "" : ", ") + std::string(field->GetNameRef()) + " (" +
            OGRFieldDefn::GetFieldTypeName(field->GetType()) + ")";
  }
  return list;
}

std::optional<PointColumns> point_columns(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  const OGRFeatureDefn& fields = *layer.GetLayerDefn();
  if (fields.GetGeomFieldCount() > 0) {
    if (options.x_field || options.y_field) {
      throw ConfigError(path + " has geometries; --x and --y are for tables of points without them");
    }
    return std::nullopt;
  }
  if (options.x_field && options.y_field) {
    return PointColumns{named_column(fields, *options.x_field, path), named_column(fields, *options.y_field, path),
                        are_degrees(*options.x_field, *options.y_field)};
  }
  for (const UsualNames& usual : kUsualNames) {
    const int x = fields.GetFieldIndex(usual.x);
    const int y = fields.GetFieldIndex(usual.y);
    if (x >= 0 && y >= 0) {
      return PointColumns{x, y, usual.degrees};
    }
  }
  throw DataError(path + " has no geometries, and no columns of coordinates that are called like x and y or lon and " +
                  "lat; name them (--x, --y): it has " + field_list(fields));
}

std::unique_ptr<OGRGeometry> point_of(const OGRFeature& row, const PointColumns& columns, const std::string& path) {
  std::array<double, 2> place{};
  for (const auto& [column, coordinate] : {std::pair(columns.x, &place[0]), std::pair(columns.y, &place[1])}) {
    const OGRFieldDefn& field = *row.GetFieldDefnRef(column);
    const std::string text(trimmed(row.GetFieldAsString(column)));
    if (!row.IsFieldSetAndNotNull(column) || text.empty()) {
      return nullptr;
    }
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

}  // namespace parsimap
