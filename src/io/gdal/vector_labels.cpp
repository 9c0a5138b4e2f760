#include "vector_labels.hpp"

#include <ogr_feature.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "parsimap/core/class_name.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "dataset.hpp"
#include "file_stamps.hpp"
#include "nearby_shape.hpp"
#include "rasterise.hpp"

namespace parsimap {
namespace {

constexpr std::int64_t kLargestCode = 65535;
constexpr std::int64_t kLargestId = std::int64_t{1} << 53U;  // of a feature, as double holds it

DatasetPtr open_vector(const std::string& path) {
  const ErrorCollector errors;
  DatasetPtr vector(GDALDataset::Open(resolve_envi_header(path).c_str(),
                                      GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr));
  errors.check_files(path + " cannot be opened:");
  if (vector != nullptr) {
    return vector;
  }
  if (is_raster(path)) {
    throw ConfigError(path +
                      " is a raster; class fields, conditions and several files of labels only go with vector labels");
  }
  throw DataError(path + " cannot be opened as a raster or vector of labels: " + errors.text());
}

std::string field_list(OGRFeatureDefn& definition) {
  std::string list;
  for (int i = 0; i < definition.GetFieldCount(); ++i) {
    const OGRFieldDefn* field = definition.GetFieldDefn(i);
    list += (list.empty() ? "" : ", ") + std::string(field->GetNameRef()) + " (" +
            OGRFieldDefn::GetFieldTypeName(field->GetType()) + ")";
  }
  return list;
}

// The first layer that has the class field, or else the first of all.
OGRLayer& choose_layer(GDALDataset& dataset, const std::string& path, const LabelOptions& options) {
  OGRLayer* first = nullptr;
  for (OGRLayer* layer : dataset.GetLayers()) {
    first = first == nullptr ? layer : first;
    if (options.class_field && layer->GetLayerDefn()->GetFieldIndex(options.class_field->c_str()) >= 0) {
      return *layer;
    }
  }
  if (first == nullptr) {
    throw DataError(path + " holds no vector layer");
  }
  return *first;
}

// The index of the class field, checked.
int class_field_index(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  OGRFeatureDefn& definition = *layer.GetLayerDefn();
  if (definition.GetFieldCount() == 0) {
    throw DataError(path + " carries no classes: layer " + layer.GetName() + " has no attribute field");
  }
  const std::string fields = "; layer " + std::string(layer.GetName()) + " has " + field_list(definition);
  if (!options.class_field) {
    throw ConfigError(path + ": vector labels need a class field" + fields);
  }
  const int index = definition.GetFieldIndex(options.class_field->c_str());
  if (index < 0) {
    throw ConfigError(path + ": there is no class field '" + *options.class_field + "'" + fields);
  }
  const OGRFieldType type = definition.GetFieldDefn(index)->GetType();
  if (type != OFTInteger && type != OFTInteger64 && type != OFTString) {
    throw ConfigError(path + ": the class field '" + *options.class_field + "' is of type " +
                      OGRFieldDefn::GetFieldTypeName(type) + "; classes are whole numbers or text" + fields);
  }
  return index;
}

// The index of the group field, -1 when none is asked for.
int group_field_index(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  if (!options.group_field) {
    return -1;
  }
  OGRFeatureDefn& definition = *layer.GetLayerDefn();
  const int index = definition.GetFieldIndex(options.group_field->c_str());
  if (index < 0) {
    throw ConfigError(path + ": there is no group field '" + *options.group_field + "'; layer " + layer.GetName() +
                      " has " + field_list(definition));
  }
  return index;
}

std::string extent_text(const OGREnvelope& extent) {
  return CPLSPrintf("x %.10g to %.10g, y %.10g to %.10g", extent.MinX, extent.MaxX, extent.MinY, extent.MaxY);
}

// What brings features from `from` to the CRS of the grid; null where they are in it, or where one of both is unknown.
std::unique_ptr<OGRCoordinateTransformation> transformation_to(const RasterGrid& grid, const std::string& grid_name,
                                                               const std::string& from, const std::string& path) {
  if (from.empty() || grid.crs.empty() || same_crs(from, grid.crs)) {
    return nullptr;
  }
  const OGRSpatialReference source = spatial_reference(from);
  const OGRSpatialReference target = spatial_reference(grid.crs);
  const ErrorCollector errors;
  std::unique_ptr<OGRCoordinateTransformation> transformation(OGRCreateCoordinateTransformation(&source, &target));
  if (transformation == nullptr) {
    throw DataError(path + " cannot be brought from " + crs_title(from) + " to " + crs_title(grid.crs) + " of " +
                    grid_name + ": " + errors.text());
  }
  return transformation;
}

class FeatureReader {
 public:
  FeatureReader(OGRLayer& layer, const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                const std::string& grid_name);

  [[nodiscard]] bool named_by_text() const { return claims_.named_by_text; }
  [[nodiscard]] VectorClaims read();

 private:
  void add(OGRFeature& feature);
  // Brings the geometry of a feature to the scene's CRS; null where there is none or where it cannot be brought there.
  [[nodiscard]] std::unique_ptr<OGRGeometry> place(OGRFeature& feature) const;
  // Adds the pixels of a feature, or of every part of it; returns whether there are any.
  bool claim(const OGRFeature& feature, const OGRGeometry& geometry, const ClassKey& key);
  [[nodiscard]] std::int64_t region_of(const OGRFeature& feature) const;
  // The class of a feature; nothing where it is unlabelled.
  [[nodiscard]] std::optional<ClassKey> class_of(const OGRFeature& feature);
  [[noreturn]] void refuse_condition(const std::string& reason) const;
  [[noreturn]] void refuse_outside() const;

  OGRLayer& layer_;
  const std::string& path_;
  const LabelOptions& options_;
  const RasterGrid& grid_;
  const std::string& grid_name_;
  int field_;
  int group_field_;  // -1 for none
  std::string crs_;
  std::unique_ptr<OGRCoordinateTransformation> transformation_;
  Rasteriser rasteriser_;
  VectorClaims claims_;
  ClassNameReader names_;
  std::int64_t parts_ = 0;  // so far
  std::int64_t labelled_ = 0;
  OGREnvelope features_extent_;  // in the scene's CRS
};

FeatureReader::FeatureReader(OGRLayer& layer, const std::string& path, const LabelOptions& options,
                             const RasterGrid& grid, const std::string& grid_name)
    : layer_(layer),
      path_(path),
      options_(options),
      grid_(grid),
      grid_name_(grid_name),
      field_(class_field_index(layer, path, options)),
      group_field_(group_field_index(layer, path, options)),
      crs_(wkt_of(layer.GetSpatialRef())),
      transformation_(transformation_to(grid, grid_name, crs_, path)),
      rasteriser_(grid) {
  claims_.named_by_text = layer.GetLayerDefn()->GetFieldDefn(field_)->GetType() == OFTString;
}

VectorClaims FeatureReader::read() {
  const ErrorCollector errors;
  if (options_.where && layer_.SetAttributeFilter(options_.where->c_str()) != OGRERR_NONE) {
    refuse_condition(errors.text());
  }
  layer_.ResetReading();
  bool any = false;
  while (const OGRFeatureUniquePtr feature{layer_.GetNextFeature()}) {
    any = true;
    add(*feature);
  }
  errors.check_files("the features of " + path_ + " cannot be read:");
  if (errors.failed()) {
    // SQL formats look at the condition only when the first feature is asked for.
    if (options_.where && !any) {
      refuse_condition(errors.text());
    }
    throw DataError("the features of " + path_ + " cannot be read: " + errors.text());
  }
  if (labelled_ == 0) {
    throw DataError(path_ + ": no feature has a class in the field '" + *options_.class_field + "'" +
                    (options_.where ? " under the condition \"" + *options_.where + "\"" : ""));
  }
  if (claims_.outside == labelled_) {
    refuse_outside();
  }
  claims_.notes = names_.notes(path_);
  return std::move(claims_);
}

std::optional<ClassKey> FeatureReader::class_of(const OGRFeature& feature) {
  if (!feature.IsFieldSetAndNotNull(field_)) {
    return std::nullopt;
  }
  if (claims_.named_by_text) {
    const std::string name = names_.read(feature.GetFieldAsString(field_));
    return name.empty() ? std::nullopt : std::optional(ClassKey{0, name});
  }
  const std::int64_t code = feature.GetFieldAsInteger64(field_);
  if (code < 0 || code > kLargestCode) {
    throw DataError(path_ + ": feature " + std::to_string(feature.GetFID()) + " has " + *options_.class_field + " = " +
                    std::to_string(code) + "; class codes are whole numbers from 1 to 65535, 0 for unlabelled");
  }
  return code == 0 ? std::nullopt : std::optional(ClassKey{static_cast<int>(code), ""});
}

std::unique_ptr<OGRGeometry> FeatureReader::place(OGRFeature& feature) const {
  std::unique_ptr<OGRGeometry> geometry(feature.StealGeometry());
  if (geometry != nullptr && geometry->hasCurveGeometry() != 0) {
    geometry.reset(geometry->getLinearGeometry());
  }
  // A feature outside the domain of the projection is outside the scene, which is no failure.
  const ErrorCollector ignored;
  if (geometry != nullptr && transformation_ && geometry->transform(transformation_.get()) != OGRERR_NONE) {
    return nullptr;
  }
  return geometry != nullptr && has_usable_coordinates(*geometry) ? std::move(geometry) : nullptr;
}

void FeatureReader::add(OGRFeature& feature) {
  const std::optional<ClassKey> key = class_of(feature);
  if (!key) {
    return;
  }
  ++labelled_;
  const std::unique_ptr<OGRGeometry> geometry = place(feature);
  if (geometry == nullptr) {
    ++claims_.outside;
    return;
  }
  if (geometry->IsEmpty() == 0) {
    OGREnvelope envelope;
    geometry->getEnvelope(&envelope);
    features_extent_.Merge(envelope);
  }
  if (rasteriser_.touches(*geometry)) {
    claims_.classes.insert(*key);
  }
  claims_.outside += claim(feature, *geometry, *key) ? 0 : 1;
}

// Regions of several files are counted on from each other, and groups are numbered below 0.
std::int64_t FeatureReader::region_of(const OGRFeature& feature) const {
  const std::int64_t id = feature.GetFID();
  if (id < 0 || id > kLargestId) {
    throw DataError(path_ + ": a feature has the id " + std::to_string(id) + "; ids are whole numbers from 0 to " +
                    std::to_string(kLargestId));
  }
  return id;
}

bool FeatureReader::claim(const OGRFeature& feature, const OGRGeometry& geometry, const ClassKey& key) {
  std::optional<std::string> group;
  if (group_field_ >= 0 && feature.IsFieldSetAndNotNull(group_field_)) {
    group = feature.GetFieldAsString(group_field_);
  }
  const auto claim_region = [&](const OGRGeometry& shape, std::int64_t region) {
    claims_.regions.push_back({key, region, group, rasteriser_.pixels_of(shape)});
    return !claims_.regions.back().pixels.empty();
  };
  if (!options_.separate_parts) {
    return claim_region(geometry, region_of(feature));
  }
  bool any = false;
  for (const OGRGeometry* part : parts_of(geometry)) {
    any = claim_region(*part, ++parts_) || any;
  }
  return any;
}

void FeatureReader::refuse_condition(const std::string& reason) const {
  throw ConfigError(path_ + ": the condition \"" + *options_.where + "\" cannot be used: " + reason);
}

void FeatureReader::refuse_outside() const {
  const std::string features =
      features_extent_.IsInit() != 0 ? extent_text(features_extent_) : "no geometry that can be placed";
  throw DataError(path_ + ": no feature owns a pixel of " + grid_name_ + "; the features (" + crs_title(crs_) +
                  (transformation_ ? ", brought to the scene's CRS" : "") + ") span " + features + ", the scene (" +
                  crs_title(grid_.crs) + ") " + extent_text(rasteriser_.extent()));
}

}  // namespace

std::vector<VectorClaims> read_vector_claims(const std::vector<std::string>& paths, const LabelOptions& options,
                                             const RasterGrid& grid, const std::string& grid_name) {
  const ErrorCollector errors;
  std::vector<DatasetPtr> datasets;
  std::transform(paths.begin(), paths.end(), std::back_inserter(datasets), open_vector);
  std::vector<FileStamps> stamps;
  for (const DatasetPtr& dataset : datasets) {
    stamps.emplace_back(files_of(*dataset));
  }
  std::vector<VectorClaims> files;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    FeatureReader reader(choose_layer(*datasets[i], paths[i], options), paths[i], options, grid, grid_name);
    if (!files.empty() && reader.named_by_text() != files.front().named_by_text) {
      throw ConfigError(paths[i] + ": the class field '" + *options.class_field + "' holds " +
                        (reader.named_by_text() ? "text, but numbers" : "numbers, but text") + " in " + paths.front() +
                        "; files of labels must name their classes in the same way");
    }
    files.push_back(reader.read());
    errors.check_files("the features of " + paths[i] + " cannot be read:");
    stamps[i].check_unchanged();
  }
  return files;
}

}  // namespace parsimap
