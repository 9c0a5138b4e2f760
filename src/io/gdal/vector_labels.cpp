#include "vector_labels.hpp"

#include <ogr_feature.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "parsimap/core/error.hpp"

#include "claims.hpp"
#include "rasterise.hpp"

namespace parsimap::gdal {

namespace {

constexpr std::int64_t largest_code = 65535;

struct DestroyTransformation {
  void operator()(OGRCoordinateTransformation* transformation) const {
    OGRCoordinateTransformation::DestroyCT(transformation);
  }
};
using TransformationPtr = std::unique_ptr<OGRCoordinateTransformation, DestroyTransformation>;

std::string field_list(OGRFeatureDefn& definition) {
  std::string list;
  for (int i = 0; i < definition.GetFieldCount(); ++i) {
    const OGRFieldDefn* field = definition.GetFieldDefn(i);
    list += (list.empty() ? "" : ", ") + std::string(field->GetNameRef()) + " (" +
            OGRFieldDefn::GetFieldTypeName(field->GetType()) + ")";
  }
  return list;
}

OGRLayer& choose_layer(GDALDataset& dataset, const std::string& path, const LabelOptions& options) {
  OGRLayer* first = nullptr;
  for (OGRLayer* layer : dataset.GetLayers()) {
    first = first == nullptr ? layer : first;
    if (options.class_field && layer->GetLayerDefn()->GetFieldIndex(options.class_field->c_str()) >= 0) {
      return *layer;
    }
  }
  if (first == nullptr) {
    throw DataError(path + ": holds no vector layer.");
  }
  return *first;
}

// The index of the class field, checked.
int class_field_index(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  OGRFeatureDefn& definition = *layer.GetLayerDefn();
  if (definition.GetFieldCount() == 0) {
    throw DataError(path + ": carries no classes: layer " + layer.GetName() + " has no attribute field.");
  }
  const std::string fields = "; layer " + std::string(layer.GetName()) + " has " + field_list(definition);
  if (!options.class_field) {
    throw ConfigError(path + ": vector labels need a class field" + fields + ".");
  }
  const int index = definition.GetFieldIndex(options.class_field->c_str());
  if (index < 0) {
    throw ConfigError(path + ": there is no class field '" + *options.class_field + "'" + fields + ".");
  }
  const OGRFieldType type = definition.GetFieldDefn(index)->GetType();
  if (type != OFTInteger && type != OFTInteger64 && type != OFTString) {
    throw ConfigError(path + ": the class field '" + *options.class_field + "' is of type " +
                      OGRFieldDefn::GetFieldTypeName(type) + "; classes are whole numbers or text" + fields + ".");
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
                      " has " + field_list(definition) + ".");
  }
  return index;
}

std::string extent_text(const OGREnvelope& extent) {
  return CPLSPrintf("x %.10g to %.10g, y %.10g to %.10g", extent.MinX, extent.MaxX, extent.MinY, extent.MaxY);
}

class FeatureReader {
 public:
  FeatureReader(OGRLayer& layer, const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                const std::string& grid_name);

  [[nodiscard]] bool text() const { return text_; }
  // Adds what the features claim, and returns how many of them own no pixel.
  std::int64_t read(Claims& claims);

 private:
  void filter();
  void prepare_transformation();
  void add(OGRFeature& feature, Claims& claims);
  // Claims the pixels of a feature, or of every part of it; returns whether there are any.
  bool claim(const OGRFeature& feature, const OGRGeometry& geometry, int key, Claims& claims);
  // The class of a feature, -1 when it is unlabelled.
  int class_key(const OGRFeature& feature, Claims& claims) const;
  [[noreturn]] void fail_outside() const;

  OGRLayer& layer_;
  const std::string& path_;
  const LabelOptions& options_;
  const RasterGrid& grid_;
  const std::string& grid_name_;
  int field_;
  int group_field_;  // -1 for none
  bool text_;
  std::string crs_;
  TransformationPtr transformation_;
  Rasteriser rasteriser_;
  std::vector<std::int64_t> pixels_;
  std::int64_t parts_ = 0;  // so far
  std::int64_t labelled_ = 0;
  std::int64_t outside_ = 0;
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
      text_(layer.GetLayerDefn()->GetFieldDefn(field_)->GetType() == OFTString),
      crs_(wkt_of(layer.GetSpatialRef())),
      rasteriser_(grid) {
  prepare_transformation();
}

void FeatureReader::prepare_transformation() {
  if (crs_.empty() || grid_.crs.empty() || same_crs(crs_, grid_.crs)) {
    return;
  }
  const OGRSpatialReference from = spatial_reference(crs_);
  const OGRSpatialReference to = spatial_reference(grid_.crs);
  const ErrorCollector errors;
  transformation_.reset(OGRCreateCoordinateTransformation(&from, &to));
  if (transformation_ == nullptr) {
    throw DataError(path_ + ": cannot be brought from " + crs_title(crs_) + " to " + crs_title(grid_.crs) + " of " +
                    grid_name_ + ": " + errors.text());
  }
}

std::int64_t FeatureReader::read(Claims& claims) {
  const ErrorCollector errors;
  if (options_.where && layer_.SetAttributeFilter(options_.where->c_str()) != OGRERR_NONE) {
    throw ConfigError(path_ + ": the condition \"" + *options_.where + "\" cannot be used: " + errors.text());
  }
  layer_.ResetReading();
  bool any = false;
  while (const OGRFeatureUniquePtr feature{layer_.GetNextFeature()}) {
    any = true;
    add(*feature, claims);
  }
  if (errors.failed()) {
    // SQL formats look at the condition only when the first feature is asked for.
    const std::string reason = errors.text();
    if (options_.where && !any) {
      throw ConfigError(path_ + ": the condition \"" + *options_.where + "\" cannot be used: " + reason);
    }
    throw DataError(path_ + ": its features cannot be read: " + reason);
  }
  if (labelled_ == 0) {
    throw DataError(path_ + ": no feature has a class in the field '" + *options_.class_field + "'" +
                    (options_.where ? " under the condition \"" + *options_.where + "\"" : "") + ".");
  }
  if (outside_ == labelled_) {
    fail_outside();
  }
  return outside_;
}

int FeatureReader::class_key(const OGRFeature& feature, Claims& claims) const {
  if (!feature.IsFieldSetAndNotNull(field_)) {
    return -1;
  }
  if (text_) {
    const std::string text = feature.GetFieldAsString(field_);
    if (text.find_first_not_of(" \t") == std::string::npos) {
      return -1;
    }
    return claims.key_of(text);
  }
  const std::int64_t code = feature.GetFieldAsInteger64(field_);
  if (code < 0 || code > largest_code) {
    throw DataError(path_ + ": feature " + std::to_string(feature.GetFID()) + " has " + *options_.class_field + " = " +
                    std::to_string(code) + "; class codes are whole numbers from 1 to 65535, 0 for unlabelled.");
  }
  return code == 0 ? -1 : static_cast<int>(code);
}

void FeatureReader::add(OGRFeature& feature, Claims& claims) {
  const int key = class_key(feature, claims);
  if (key < 0) {
    return;
  }
  ++labelled_;
  std::unique_ptr<OGRGeometry> geometry(feature.StealGeometry());
  if (geometry != nullptr && geometry->hasCurveGeometry() != 0) {
    geometry.reset(geometry->getLinearGeometry());
  }
  {
    const ErrorCollector ignored;  // a feature outside the projection's domain is outside the scene
    if (geometry == nullptr || (transformation_ && geometry->transform(transformation_.get()) != OGRERR_NONE)) {
      ++outside_;
      return;
    }
  }
  if (geometry->IsEmpty() == 0) {
    OGREnvelope envelope;
    geometry->getEnvelope(&envelope);
    features_extent_.Merge(envelope);
  }
  if (rasteriser_.touches(*geometry)) {
    claims.add_class(key);
  }
  outside_ += claim(feature, *geometry, key, claims) ? 0 : 1;
}

bool FeatureReader::claim(const OGRFeature& feature, const OGRGeometry& geometry, int key, Claims& claims) {
  const bool grouped = group_field_ >= 0 && feature.IsFieldSetAndNotNull(group_field_);
  bool any = false;
  const auto claim_region = [&](const OGRGeometry& shape, std::int64_t region) {
    pixels_.clear();
    rasteriser_.add_pixels(shape, pixels_);
    any = any || !pixels_.empty();
    claims.add(pixels_, key, region);
    if (grouped) {
      claims.add_to_group(region, feature.GetFieldAsString(group_field_));
    }
  };
  if (!options_.separate_parts) {
    claim_region(geometry, feature.GetFID());
    return any;
  }
  for (const OGRGeometry* part : parts_of(geometry)) {
    claim_region(*part, ++parts_);
  }
  return any;
}

void FeatureReader::fail_outside() const {
  const std::string features =
      features_extent_.IsInit() != 0 ? extent_text(features_extent_) : "no geometry that can be placed";
  throw DataError(path_ + ": no feature owns a pixel of " + grid_name_ + "; the features (" + crs_title(crs_) +
                  (transformation_ ? ", brought to the scene's CRS" : "") + ") span " + features + ", the scene (" +
                  crs_title(grid_.crs) + ") " + extent_text(rasteriser_.extent()) + ".");
}

}  // namespace

LabelledPixels read_vector_labels(const std::vector<VectorFile>& files, const LabelOptions& options,
                                  const RasterGrid& grid, const std::string& grid_name) {
  std::optional<Claims> claims;
  bool text = false;
  std::int64_t outside = 0;
  for (const VectorFile& file : files) {
    FeatureReader reader(choose_layer(*file.dataset, file.path, options), file.path, options, grid, grid_name);
    if (claims && reader.text() != text) {
      throw ConfigError(file.path + ": the class field '" + *options.class_field + "' holds " +
                        (text ? "numbers, but text" : "text, but numbers") + " in " + files.front().path +
                        "; files of labels must name their classes in the same way.");
    }
    if (!claims) {
      text = reader.text();
      claims.emplace(text);
    }
    claims->begin_file();
    outside += reader.read(*claims);
  }
  LabelledPixels labels = claims->settle();
  labels.outside = outside;
  return labels;
}

}  // namespace parsimap::gdal
