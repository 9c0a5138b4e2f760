#include "parsimap/gdal/vector/feature_table.hpp"

#include <ogrsf_frmts.h>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "../raster/dataset.hpp"
#include "rasterise.hpp"

namespace parsimap {
namespace {

// Null where GDAL does not open it.
DatasetPtr open_features(const std::string& path) {
  refuse_special_file(path);
  initialise_gdal();
  return DatasetPtr(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY));
}

// The first text of the field that is set.
std::string first_text(OGRLayer& layer, int field) {
  layer.ResetReading();
  while (const OGRFeatureUniquePtr feature{layer.GetNextFeature()}) {
    if (feature->IsFieldSetAndNotNull(field)) {
      return feature->GetFieldAsString(field);
    }
  }
  return {};
}

}  // namespace

std::optional<std::pair<std::string, std::string>> find_profile_field(
    const std::string& path, const std::function<bool(const std::string&)>& is_wanted) {
  const ErrorCollector errors;
  const DatasetPtr dataset = open_features(path);
  if (dataset == nullptr) {
    return std::nullopt;
  }
  // The contents decide, because the names of layers and fields differ from product to product: the first text of each
  // field of texts is shown to the caller.
  for (OGRLayer* layer : dataset->GetLayers()) {
    const OGRFeatureDefn& definition = *layer->GetLayerDefn();
    for (int field = 0; field < definition.GetFieldCount(); ++field) {
      if (definition.GetFieldDefn(field)->GetType() == OFTString && is_wanted(first_text(*layer, field))) {
        return std::pair<std::string, std::string>(layer->GetName(), definition.GetFieldDefn(field)->GetNameRef());
      }
    }
  }
  errors.check_files(path + " cannot be read:");
  return std::nullopt;
}

FeatureTable read_feature_table(const std::string& path, const std::string& layer_name) {
  const ErrorCollector errors;
  const DatasetPtr dataset = open_features(path);
  OGRLayer* layer = dataset == nullptr ? nullptr : dataset->GetLayerByName(layer_name.c_str());
  if (layer == nullptr) {
    throw DataError(path + " cannot be opened as a vector file with the layer '" + layer_name + "': " + errors.text());
  }
  // All values as text, in the order of the fields; empty where a field is not set.
  FeatureTable table;
  const OGRFeatureDefn& definition = *layer->GetLayerDefn();
  for (int field = 0; field < definition.GetFieldCount(); ++field) {
    table.columns.emplace_back(definition.GetFieldDefn(field)->GetNameRef());
  }
  layer->ResetReading();
  while (const OGRFeatureUniquePtr feature{layer->GetNextFeature()}) {
    std::vector<std::string>& row = table.rows.emplace_back();
    for (int field = 0; field < definition.GetFieldCount(); ++field) {
      row.emplace_back(feature->IsFieldSetAndNotNull(field) ? feature->GetFieldAsString(field) : "");
    }
  }
  check_features_read(errors, path);
  return table;
}

}  // namespace parsimap
