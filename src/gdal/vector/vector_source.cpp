#include "vector_source.hpp"

#include <cpl_conv.h>
#include <cpl_json.h>
#include <cpl_string.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <regex>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_table.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/raster/source_name.hpp"

#include "label_claims.hpp"

namespace parsimap {

static bool is_text_table(const std::string& file) {
  const std::string extension = lower_case(CPLGetExtension(file.c_str()));
  return (extension == "csv" || extension == "tsv" || extension == "txt") && is_file(file);
}

// A text with a separator in it and without quotes is several fields, of which the last have no column.
static void check_columns(const TextTable& table, const std::string& name) {
  for (const TextTable::Row& row : table.rows) {
    const std::size_t columns = table.rows.front().fields.size();
    for (std::size_t i = columns; i < row.fields.size(); ++i) {
      if (!row.fields[i].empty()) {
        throw DataError(name + ": line " + std::to_string(row.line) + " has '" + row.fields[i] + "' beyond the " +
                        std::to_string(columns) + " columns of the header; " +
                        (row.fields.front() == "1" ? "R's write.table names the column of row names with col.names = NA"
                                                   : "texts that hold the separator need quotes"));
      }
    }
  }
}

// Whether the texts of a column say more than numbers do: 01, 1E1, yes and dates, which GDAL would take for numbers,
// truth values and times. Where values are not whole, they are no names.
static bool has_names(const TextTable& table, std::size_t column) {
  bool whole = true;
  bool plain = true;
  for (auto row = table.rows.begin() + 1; row < table.rows.end(); ++row) {
    const std::string text = column < row->fields.size() ? row->fields[column] : "";
    const auto number = parse_number<double>(text);
    if (!number && !text.empty()) {
      return true;
    }
    const bool zero = text.size() > 1 && text[0] == '0' && text[1] != '.';
    whole = whole && (!number || *number == std::floor(*number));
    plain = plain && !zero && text.find_first_of("eE+") == std::string::npos;
  }
  return whole && !plain;
}

VectorSource open_vector_source(const std::string& name) {
  initialise_gdal();
  refuse_special_file(name);
  const ErrorCollector errors;
  VectorSource source;
  std::string file = resolved_source(name);
  CPLStringList options(kOpenOptions);
  if (is_text_table(file)) {
    source.files = {file};
    source.table = std::make_unique<MemoryFile>(std::string(CPLGetBasename(file.c_str())) + ".csv");
    // Names in Latin-1 are left as they are for ClassNameReader, which reads them and says so, as in all other formats.
    const std::string content = whole_file(file);
    const DecodedText decoded = decoded_text(content);
    const TextTable table = read_text_table(decoded.latin1 ? content : decoded.text);
    check_columns(table, name);
    const Indices columns = consecutive(table.rows.empty() ? 0 : std::ssize(table.rows.front().fields));
    write_whole_file(source.table->path(), csv_text(table, mapped<bool>(columns, [&](Index column) {
                                                      return has_names(table, static_cast<std::size_t>(column));
                                                    })));
    // All columns of a text table are text otherwise. 0 means that all rows are examined before the type is decided.
    options.SetNameValue("AUTODETECT_TYPE", "YES").SetNameValue("AUTODETECT_SIZE_LIMIT", "0");
    options.SetNameValue("QUOTED_FIELDS_AS_STRING", "YES");
    // As geopandas, PostGIS and the clipboard of QGIS name geometries in WKT, beside WKT itself.
    options.SetNameValue("GEOM_POSSIBLE_NAMES", "geometry,geom,the_geom,wkt_geom");
    file = source.table->path();
  }
  source.dataset.reset(GDALDataset::Open(file.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                         nullptr, options.List()));
  errors.check_files(name + " cannot be opened:");
  if (source.dataset == nullptr) {
    const std::string members = archive_members(file);
    source.reason = source.table != nullptr
                        ? "it has no header and rows of a table of text, separated by commas, semicolons or tabs"
                    : members.empty() ? errors.text()
                                      : "it is an archive of several files; name one: " + members;
  } else if (source.table == nullptr) {
    source.files = files_of(*source.dataset);
  }
  return source;
}

void select_features(OGRLayer& layer, const std::string& name, const std::optional<std::string>& where) {
  if (where && std::regex_replace(*where, std::regex(R"('[^']*'|"[^"]*")"), "").find(';') != std::string::npos) {
    throw ConfigError(name + ": the condition \"" + *where + "\" has a semicolon; it must be a single one");
  }
  const ErrorCollector errors;
  // Formats with SQL look at the condition only when a feature is asked for.
  const bool fits = layer.SetAttributeFilter(where ? where->c_str() : nullptr) == OGRERR_NONE &&
                    (!where || OGRFeatureUniquePtr(layer.GetNextFeature()) != nullptr || !errors.failed());
  errors.check_files(name + " cannot be read:");
  if (!fits) {
    throw ConfigError(name + ": the condition \"" + *where + "\" does not go with the layer: " + errors.text() +
                      "; layer " + layer.GetName() + " has " + field_list(*layer.GetLayerDefn()));
  }
  layer.ResetReading();
}

bool assumes_crs(const std::string& name) {
  const ErrorCollector ignored;
  // The driver keeps the members of a document beside its features on request.
  const CPLStringList options(CPLStringList(kOpenOptions).SetNameValue("NATIVE_DATA", "YES"));
  const DatasetPtr dataset(
      GDALDataset::Open(resolved_source(name).c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, nullptr, options.List()));
  const std::string driver = dataset == nullptr ? "" : dataset->GetDriverName();
  if (driver != "GeoJSON") {
    return driver == "GeoJSONSeq" || driver == "TopoJSON";
  }
  OGRLayer* layer = dataset->GetLayerCount() > 0 ? dataset->GetLayer(0) : nullptr;
  const char* members = layer == nullptr ? nullptr : layer->GetMetadataItem("NATIVE_DATA", "NATIVE_DATA");
  CPLJSONDocument document;  // "crs": null names none
  return members == nullptr || !document.LoadMemory(members) || document.GetRoot().GetObj("crs").ToString().empty();
}

}  // namespace parsimap
