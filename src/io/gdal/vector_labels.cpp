#include "vector_labels.hpp"

#include <ogr_feature.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"

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

// A pixel wanted by a feature; `key` is the class as the field gives it.
struct Claim {
  std::int64_t pixel;
  int key;
  std::int64_t region;
};

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

std::string extent_text(const OGREnvelope& extent) {
  return CPLSPrintf("x %.10g to %.10g, y %.10g to %.10g", extent.MinX, extent.MaxX, extent.MinY, extent.MaxY);
}

class FeatureReader {
 public:
  FeatureReader(OGRLayer& layer, const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                const std::string& grid_name);

  LabelledPixels read();

 private:
  void filter();
  void prepare_transformation();
  void add(OGRFeature& feature);
  // The class of a feature, -1 when it is unlabelled.
  int class_key(const OGRFeature& feature);
  // Classes found on the grid, and the index of each key.
  std::map<int, int> build_classes(ClassTable& classes) const;
  void resolve(const std::map<int, int>& label_of, LabelledPixels& labels);
  [[noreturn]] void fail_outside() const;

  OGRLayer& layer_;
  const std::string& path_;
  const LabelOptions& options_;
  const RasterGrid& grid_;
  const std::string& grid_name_;
  int field_;
  bool text_;
  std::string crs_;
  TransformationPtr transformation_;
  Rasteriser rasteriser_;
  std::map<std::string, int> text_keys_;  // key of every text class, by first appearance
  std::set<int> keys_;                    // every class on the grid
  std::vector<Claim> claims_;
  std::vector<std::int64_t> pixels_;
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

LabelledPixels FeatureReader::read() {
  const ErrorCollector errors;
  if (options_.where && layer_.SetAttributeFilter(options_.where->c_str()) != OGRERR_NONE) {
    throw ConfigError(path_ + ": the condition \"" + *options_.where + "\" cannot be used: " + errors.text());
  }
  layer_.ResetReading();
  bool any = false;
  while (const OGRFeatureUniquePtr feature{layer_.GetNextFeature()}) {
    any = true;
    add(*feature);
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
  if (claims_.empty()) {
    fail_outside();
  }
  LabelledPixels labels;
  labels.named_by_text = text_;
  labels.outside = outside_;
  resolve(build_classes(labels.classes), labels);
  return labels;
}

int FeatureReader::class_key(const OGRFeature& feature) {
  if (!feature.IsFieldSetAndNotNull(field_)) {
    return -1;
  }
  if (text_) {
    const std::string text = feature.GetFieldAsString(field_);
    if (text.find_first_not_of(" \t") == std::string::npos) {
      return -1;
    }
    return text_keys_.emplace(text, static_cast<int>(text_keys_.size())).first->second;
  }
  const std::int64_t code = feature.GetFieldAsInteger64(field_);
  if (code < 0 || code > largest_code) {
    throw DataError(path_ + ": feature " + std::to_string(feature.GetFID()) + " has " + *options_.class_field + " = " +
                    std::to_string(code) + "; class codes are whole numbers from 1 to 65535, 0 for unlabelled.");
  }
  return code == 0 ? -1 : static_cast<int>(code);
}

void FeatureReader::add(OGRFeature& feature) {
  const int key = class_key(feature);
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
    keys_.insert(key);
  }
  pixels_.clear();
  rasteriser_.add_pixels(*geometry, pixels_);
  outside_ += pixels_.empty() ? 1 : 0;
  for (const std::int64_t pixel : pixels_) {
    claims_.push_back({pixel, key, feature.GetFID()});
  }
}

std::map<int, int> FeatureReader::build_classes(ClassTable& classes) const {
  std::map<int, int> label_of;
  const auto append = [&](int key, int code, const std::string& name) {
    label_of.emplace(key, static_cast<int>(classes.size()));
    classes.push_back({code, name, std::nullopt});
  };
  if (!text_) {
    for (const int code : keys_) {
      append(code, code, std::to_string(code));
    }
    return label_of;
  }
  // std::map orders names by their bytes.
  for (const auto& [name, key] : text_keys_) {
    if (keys_.contains(key)) {
      append(key, static_cast<int>(classes.size()) + 1, name);
    }
  }
  if (static_cast<std::int64_t>(classes.size()) > largest_code) {
    throw DataError(path_ + ": the field '" + *options_.class_field + "' has " + std::to_string(classes.size()) +
                    " different texts; a map holds 65535 classes.");
  }
  return label_of;
}

void FeatureReader::resolve(const std::map<int, int>& label_of, LabelledPixels& labels) {
  std::stable_sort(claims_.begin(), claims_.end(), [](const Claim& a, const Claim& b) { return a.pixel < b.pixel; });
  for (std::size_t first = 0; first < claims_.size();) {
    std::size_t next = first;
    bool agreed = true;
    for (; next < claims_.size() && claims_[next].pixel == claims_[first].pixel; ++next) {
      agreed = agreed && claims_[next].key == claims_[first].key;
    }
    if (agreed) {
      labels.pixels.push_back({claims_[first].pixel, label_of.at(claims_[first].key), claims_[first].region});
    } else {
      ++labels.conflicting;
    }
    first = next;
  }
}

void FeatureReader::fail_outside() const {
  const std::string features =
      features_extent_.IsInit() != 0 ? extent_text(features_extent_) : "no geometry that can be placed";
  throw DataError(path_ + ": no feature owns a pixel of " + grid_name_ + "; the features (" + crs_title(crs_) +
                  (transformation_ ? ", brought to the scene's CRS" : "") + ") span " + features + ", the scene (" +
                  crs_title(grid_.crs) + ") " + extent_text(rasteriser_.extent()) + ".");
}

}  // namespace

LabelledPixels read_vector_labels(GDALDataset& dataset, const std::string& path, const LabelOptions& options,
                                  const RasterGrid& grid, const std::string& grid_name) {
  return FeatureReader(choose_layer(dataset, path, options), path, options, grid, grid_name).read();
}

}  // namespace parsimap::gdal
