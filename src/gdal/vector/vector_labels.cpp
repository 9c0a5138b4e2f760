#include "vector_labels.hpp"

#include <ogr_feature.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/raster/source_name.hpp"
#include "parsimap/samples/class_table.hpp"

#include "../raster/dataset.hpp"
#include "envi_roi.hpp"
#include "rasterise.hpp"
#include "vector_source.hpp"

namespace parsimap {
namespace {

constexpr std::int64_t kLargestId = std::int64_t{1} << 53U;  // of a feature, as double holds it

// Without a dataset for regions of interest of ENVI, which have a reader of their own.
VectorSource open_vector(const std::string& path) {
  if (is_envi_roi(path)) {
    return {.files = {path}};
  }
  VectorSource vector = open_vector_source(path);
  if (vector.dataset != nullptr) {
    return vector;
  }
  if (is_raster(path)) {
    throw ConfigError(path +
                      " is a raster; class fields, conditions and several files of labels only go with vector labels");
  }
  throw DataError(path + " cannot be opened as a raster or vector of labels: " + vector.reason);
}

// The options for a file, with the layer and the condition that its name states.
LabelOptions options_for(const std::string& path, const LabelOptions& options) {
  const SourceName source = source_name(path);
  LabelOptions own = options;
  if (source.layer && options.layer && source.layer != options.layer) {
    throw ConfigError(path + ": --layer names another layer, '" + *options.layer + "'");
  }
  own.layer = source.layer ? source.layer : options.layer;
  if (source.where) {
    own.where = options.where ? "(" + *source.where + ") AND (" + *options.where + ")" : *source.where;
  }
  return own;
}

std::string name_of(const ClassKey& key) {
  return key.code == 0 ? key.text : key.code == kZeroKey ? "0" : std::to_string(key.code);
}

bool has_field(const OGRFeatureDefn& definition, const std::string& name) {
  return definition.GetFieldIndex(name.c_str()) >= 0;
}

// The field of a layer that holds the classes. Files of `suggest` hold them in `class`, or in `label` where an earlier
// version has written them, whose `class` is what a model predicted; the labels that they are read with may call the
// field otherwise.
std::string class_field_of(const OGRFeatureDefn& definition, const std::string& asked) {
  if (has_field(definition, "rank") && has_field(definition, "second_class") && has_field(definition, "novelty")) {
    const bool earlier = has_field(definition, "label") && !has_field(definition, "predicted");
    if (earlier ? asked == "class" || !has_field(definition, asked) : !has_field(definition, asked)) {
      return earlier ? "label" : "class";
    }
  }
  return asked;
}

// Whether parsimap has written the layer, whose classes are in `class`: training and test pixels and places to label.
bool has_own_pixels(const OGRFeatureDefn& definition) {
  return has_field(definition, "class") && has_field(definition, "row") && has_field(definition, "column");
}

// The same, or simulated polygons.
bool is_own_layer(const OGRFeatureDefn& definition) {
  return has_own_pixels(definition) ||
         (has_field(definition, "class") && has_field(definition, "split") && definition.GetFieldCount() == 2);
}

// The layer that the user names, or else the one that has the class field, or else the first of all. `only`: there is
// no other file, which may be the one with the layer.
OGRLayer& choose_layer(GDALDataset& dataset, const std::string& path, const LabelOptions& options, bool only) {
  std::vector<OGRLayer*> candidates;
  std::vector<std::string> names;
  for (OGRLayer* layer : dataset.GetLayers()) {
    if (options.layer == layer->GetName()) {
      return *layer;
    }
    const OGRFeatureDefn& fields = *layer->GetLayerDefn();
    if (options.class_field && has_field(fields, class_field_of(fields, *options.class_field))) {
      candidates.push_back(layer);
      names.push_back("'" + std::string(layer->GetName()) + "'");
    }
  }
  if (options.layer && only) {
    throw ConfigError(path + ": there is no layer '" + *options.layer + "'" +
                      (names.empty() ? "" : "; the class field is in " + listed(names)));
  }
  if (candidates.size() > 1) {
    // Tables of the names of classes, and layers without features, as in a GPX file, hold no labels.
    std::vector<OGRLayer*> filled = candidates;
    std::erase_if(filled, [](auto* layer) { return layer->GetGeomType() == wkbNone || layer->GetFeatureCount() == 0; });
    if (filled.size() == 1) {
      return *filled.front();
    }
    throw ConfigError(path + ": several layers have the class field '" + *options.class_field +
                      "'; choose one with --layer, which may be " + listed(names));
  }
  if (dataset.GetLayerCount() == 0) {
    throw DataError(path + " holds no vector layer");
  }
  return candidates.empty() ? *dataset.GetLayer(0) : *candidates.front();
}

// The only field beside identifiers and coordinates, where the layer is certain; empty where there are others.
std::string only_field(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  static const std::set<std::string> ids{"fid", "id", "gid", "uid", "ogc_fid", "objectid", "index", "unnamed: 0"};
  const OGRFeatureDefn& definition = *layer.GetLayerDefn();
  const auto place = options.layer ? point_columns(layer, path, options) : std::nullopt;
  // GDAL calls columns without a name, as those of row names, by their number.
  const bool row_names = has_field(definition, "field_1") && !has_field(definition, "field_2");
  const Indices others = indices_where(definition.GetFieldCount(), [&](int i) {
    return (!place || (i != place->x && i != place->y)) && (i > 0 || !row_names) &&
           !ids.contains(lower_case(definition.GetFieldDefn(i)->GetNameRef()));
  });
  return options.layer && others.size() == 1 ? definition.GetFieldDefn(static_cast<int>(others[0]))->GetNameRef() : "";
}

// The class field is not guessed, but in files of this program and where nothing else can be meant: a wrong one would
// train other classes without any sign of it.
int class_field_index(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  OGRFeatureDefn& definition = *layer.GetLayerDefn();
  if (definition.GetFieldCount() == 0) {
    throw DataError(
        path + " carries no classes: layer " + layer.GetName() + " has no " +
        (layer.GetFeatureCount() == 0 ? "features" : "attribute field") +
        (EQUAL(CPLGetExtension(path.c_str()), "shp") ? "; those of a shapefile are in the file .dbf beside it" : ""));
  }
  const std::string fields = "; layer " + std::string(layer.GetName()) + " has " + field_list(definition);
  const std::string name = options.class_field        ? *options.class_field
                           : is_own_layer(definition) ? "class"
                                                      : only_field(layer, path, options);
  if (name.empty()) {
    throw ConfigError(path + ": vector labels need a class field (--class-field NAME)" + fields);
  }
  const int index = field_index(definition, class_field_of(definition, name));
  const auto is_named = [&](int i) { return name == definition.GetFieldDefn(i)->GetNameRef(); };
  const bool several = indices_where(definition.GetFieldCount(), is_named).size() > 1;
  if (index < 0 || several) {
    throw ConfigError(path + (several ? ": it has several fields '" : ": there is no class field '") + name + "'" +
                      fields);
  }
  // Truth values are refused, of which one would mean unlabelled.
  const OGRFieldType type = definition.GetFieldDefn(index)->GetType();
  const bool truth = definition.GetFieldDefn(index)->GetSubType() == OFSTBoolean;
  if (truth || (type != OFTInteger && type != OFTInteger64 && type != OFTReal && type != OFTString)) {
    throw ConfigError(path + ": the class field '" + name + "' is of type " +
                      (truth ? "Boolean (true or false)" : OGRFieldDefn::GetFieldTypeName(type)) +
                      "; classes are whole numbers or text" + fields);
  }
  return index;
}

// The index of the group field, -1 when none is asked for and there is none by itself.
int group_field_index(OGRLayer& layer, const std::string& path, const LabelOptions& options) {
  const OGRFeatureDefn& definition = *layer.GetLayerDefn();
  const std::optional<std::string>& name = options.group_field ? options.group_field : options.unit_field;
  const int index = name ? field_index(definition, *name) : -1;
  if (options.group_field && index < 0) {
    throw ConfigError(path + ": there is no group field '" + *options.group_field + "'; layer " + layer.GetName() +
                      " has " + field_list(definition));
  }
  return index;
}

class FeatureReader {
 public:
  FeatureReader(OGRLayer& layer, const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                const std::string& grid_name)
      : layer_(layer),
        path_(path),
        options_(options),
        grid_(grid),
        grid_name_(grid_name),
        field_(class_field_index(layer, path, options)),
        group_field_(group_field_index(layer, path, options)),
        columns_(point_columns(layer, path, options)),
        rasteriser_(grid, grid_name),
        crs_(find_crs()),
        transformation_(transformation_between(crs_, grid.crs, path)) {
    if (!options.group_field && group_field_ >= 0) {
      claims_.messages.push_back(path + ": pixels with the same value of the field '" + *options.unit_field +
                                 "' count as one region");
    }
    claims_.named_by_text = layer.GetLayerDefn()->GetFieldDefn(field_)->GetType() == OFTString;
    const bool own = is_own_layer(*layer.GetLayerDefn());
    if (options.class_field ? own && class_field() != *options.class_field : !own) {
      claims_.messages.push_back(path + ": the classes are read from the field '" + class_field() + "'");
    }
  }

  [[nodiscard]] VectorClaims read() {
    const ErrorCollector errors;
    // The condition is applied by GDAL while features are read, so that others are neither placed nor counted.
    select_features(layer_, path_, options_.where);
    while (const OGRFeatureUniquePtr feature{layer_.GetNextFeature()}) {
      add(*feature);
    }
    check_features_read(errors, path_);
    // Two different mistakes: no feature has a class at all, or none of those that have one is on the scene, in which
    // case the message compares both extents.
    if (labelled_ == 0) {
      throw DataError(path_ + ": no feature has a class in the field '" + class_field() + "'" +
                      (options_.where ? " under the condition \"" + *options_.where + "\"" : "") +
                      "; unlabelled features: " + std::to_string(unlabelled_));
    }
    claims_.outside = static_cast<std::int64_t>(claims_.outside_features.size());
    if (claims_.outside == labelled_) {
      refuse_outside();
    }
    if (unlabelled_ > zeros_) {
      claims_.messages.push_back(path_ + ": features left out because they have no class in the field '" +
                                 class_field() + "': " + std::to_string(unlabelled_ - zeros_));
    }
    if (zeros_ > 0) {
      claims_.messages.push_back(zeros_text(path_, "features", zeros_, options_.has_zero_option));
    }
    constexpr std::size_t kManyClasses = 30;
    if (claims_.classes.size() >= kManyClasses && std::ssize(claims_.classes) == labelled_ - claims_.outside) {
      claims_.messages.push_back(path_ + ": each of the " + std::to_string(claims_.classes.size()) +
                                 " features has a class of its own in the field '" + class_field() +
                                 "'; if it numbers features, name another by --class-field");
    }
    claims_.notes = names_.notes(path_);
    return std::move(claims_);
  }

 private:
  // The CRS of the features, which is that of the scene where it is empty.
  [[nodiscard]] std::string find_crs() {
    if (!columns_) {
      stated_crs_ = wkt_of(layer_.GetSpatialRef());
      // What a driver assumes where a file says nothing gives way to what the user says.
      const std::string own = options_.epsg && assumes_crs(path_) ? "" : stated_crs_;
      return crs_of_labels(path_, own, options_.epsg, grid_, grid_name_, claims_.messages);
    }
    const OGRFeatureDefn& fields = *layer_.GetLayerDefn();
    // Columns called longitude and latitude are in degrees (WGS 84), unless the user names another reference system.
    const bool degrees = columns_->degrees && !options_.epsg;
    claims_.messages.push_back(
        path_ + ": points are at the columns '" + fields.GetFieldDefn(columns_->x)->GetNameRef() + "' and '" +
        fields.GetFieldDefn(columns_->y)->GetNameRef() + "'" + (degrees ? ", in degrees (EPSG:4326)" : ""));
    return crs_of_labels(path_, degrees ? crs_from_epsg(kDegrees) : "", options_.epsg, grid_, grid_name_,
                         claims_.messages);
  }

  [[nodiscard]] std::string class_field() const { return layer_.GetLayerDefn()->GetFieldDefn(field_)->GetNameRef(); }

  // The class of a feature; nothing where it is unlabelled.
  [[nodiscard]] std::optional<ClassKey> class_of(const OGRFeature& feature) {
    if (!feature.IsFieldSetAndNotNull(field_)) {
      return std::nullopt;
    }
    // Text names the class; whole numbers are codes, and 0 stands for unlabelled as in rasters.
    if (claims_.named_by_text) {
      const std::string name = names_.read(feature.GetFieldAsString(field_));
      const bool nested = name.starts_with("{") || name.starts_with("[");  // in GeoJSON
      if (nested && layer_.GetLayerDefn()->GetFieldDefn(field_)->GetSubType() == OFSTJSON) {
        throw DataError(path_ + ": '" + class_field() + "' of feature " + std::to_string(feature.GetFID()) + " is " +
                        name + "; classes are whole numbers or text");
      }
      if (code_of_text(name) == 0 && !options_.zero_class) {
        ++zeros_;
        return std::nullopt;
      }
      return name.empty() ? std::nullopt : std::optional(ClassKey{0, name});
    }
    const double value = feature.GetFieldAsDouble(field_);
    const std::optional<int> code = code_of_number(value);
    if (!code) {
      refuse_code(value, path_ + ": '" + class_field() + "' of feature " + std::to_string(feature.GetFID()));
    }
    if (*code == 0 && !options_.zero_class) {
      ++zeros_;
      return std::nullopt;
    }
    return ClassKey{*code == 0 ? kZeroKey : *code, ""};
  }

  void add(OGRFeature& feature) {
    const std::optional<ClassKey> key = class_of(feature);
    if (!key) {
      ++unlabelled_;
      return;
    }
    ++labelled_;
    if (claims_.named_by_text) {
      claims_.texts.insert(key->text);
    }
    add_texts(feature, *key);
    std::unique_ptr<OGRGeometry> geometry(columns_ ? point_of(feature, *columns_, path_).release()
                                                   : feature.StealGeometry());
    if (geometry != nullptr) {
      read_extent_.Merge(envelope_of(*geometry));
    }
    // Null where there is none, or where it cannot be brought to the scene's CRS.
    geometry = placed_geometry(std::move(geometry), transformation_.get());
    if (geometry == nullptr) {
      claims_.outside_features.emplace(labelled_, name_of(*key));
      return;
    }
    // The extent of all features, for the message in case that none is on the scene.
    features_extent_.Merge(envelope_of(*geometry));
    // A class exists where a feature of it meets the scene, even where it owns no pixel: it is then known, and has no
    // labels.
    if (rasteriser_.touches(*geometry)) {
      claims_.classes.insert(*key);
    }
    if (!claim(feature, *geometry, *key)) {
      claims_.outside_features.emplace(labelled_, name_of(*key));
    }
  }

  // Keeps what other text fields say of a feature of a class, as long as they look like names of classes.
  void add_texts(const OGRFeature& feature, const ClassKey& key) {
    // Other texts of places to label are what a map or a model says of them.
    if (has_own_pixels(*layer_.GetLayerDefn())) {
      return;
    }
    // Classes are few; fields with more texts are remarks or numbers of samples.
    constexpr std::size_t kMostTexts = 1000;
    for (int field = 0; field < feature.GetFieldCount(); ++field) {
      const OGRFieldDefn& definition = *feature.GetFieldDefnRef(field);
      if (field != field_ && definition.GetType() == OFTString && feature.IsFieldSetAndNotNull(field)) {
        auto& texts = claims_.other_texts[definition.GetNameRef()];
        if (texts.size() < kMostTexts) {
          texts[class_name(feature.GetFieldAsString(field))].insert(name_of(key));
        }
      }
    }
  }

  // Adds the pixels of a feature, or of every part of it; returns whether there are any.
  bool claim(const OGRFeature& feature, const OGRGeometry& geometry, const ClassKey& key) {
    std::optional<std::string> group;  // an empty text is no value
    if (group_field_ >= 0 && *feature.GetFieldAsString(group_field_) != '\0') {
      group = feature.GetFieldAsString(group_field_);
    }
    // Regions of several files are counted on from each other, and groups are numbered below 0.
    const std::int64_t id = feature.GetFID();
    if (id < 0 || id > kLargestId) {
      throw DataError(path_ + ": a feature has the id " + std::to_string(id) + "; ids are whole numbers from 0 to " +
                      std::to_string(kLargestId));
    }
    // A feature is one region with all its parts, numbered by its identifier, so that results can be traced to the
    // feature in the file. With separate parts, each part is a region, numbered on from 1, which remembers the
    // identifier of its feature.
    if (!options_.separate_parts) {
      claims_.regions.push_back({key, id, group, {}, rasteriser_.pixels_of(geometry)});
      return !claims_.regions.back().pixels.empty();
    }
    bool any = false;
    for (const OGRGeometry* part : parts_of(geometry)) {
      claims_.regions.push_back({key, ++parts_, group, id, rasteriser_.pixels_of(*part)});
      any = any || !claims_.regions.back().pixels.empty();
    }
    return any;
  }

  [[noreturn]] void refuse_outside() const {
    layer_.ResetReading();
    const OGRFeatureUniquePtr first(read_extent_.IsInit() != 0 ? nullptr : layer_.GetNextFeature());
    for (int field = 0; first != nullptr && field < first->GetFieldCount(); ++field) {
      if (const std::string text = first->GetFieldAsString(field); text.starts_with("SRID=")) {
        throw DataError(path_ + ": the field '" + first->GetFieldDefnRef(field)->GetNameRef() + "' has '" + text +
                        "', which is EWKT; write WKT without the part before the semicolon, and name the reference "
                        "system by --crs EPSG:n");
      }
    }
    const std::string features = features_extent_.IsInit() != 0 ? extent_text(features_extent_)
                                 : read_extent_.IsInit() != 0
                                     ? "no place there: in the file their coordinates are " + extent_text(read_extent_)
                                     : "no geometry that can be placed";
    const OGREnvelope& in = read_extent_;
    // Degrees are at most 360: larger coordinates are those of a projection that the file does not name.
    const bool degrees = in.MinX >= -360 && in.MaxX <= 360 && in.MinY >= -90 && in.MaxY <= 90;
    const auto swapped = placed_geometry(std::make_unique<OGRPoint>((in.MinY + in.MaxY) / 2, (in.MinX + in.MaxX) / 2),
                                         transformation_.get());
    const bool exchanged = swapped != nullptr && rasteriser_.extent().Intersects(envelope_of(*swapped)) != 0;
    const std::string remedy =
        exchanged ? "; with x and y exchanged they lie on it" + std::string(columns_ ? " (--x, --y)" : "")
        : !degrees && !options_.epsg && (columns_ ? columns_->degrees : assumes_crs(path_))
            ? "; the file names no coordinate reference system and counts as degrees, but its coordinates, " +
                  extent_text(read_extent_) + ", are none: --crs EPSG:n names their system"
        : transformation_ && rasteriser_.extent().Intersects(read_extent_) != 0
            ? "; as they are in the file they lie on it: this reference system is not theirs"
            : "";
    throw DataError(path_ + ": no feature owns a pixel of " + grid_name_ +
                    (claims_.classes.empty() ? "" : ", as none holds the centre of one") + "; the features (" +
                    crs_title(crs_.empty() && !grid_.geotransform ? stated_crs_ : crs_) +
                    (transformation_ ? ", brought to the scene's CRS" : "") + ") span " + features + ", the scene (" +
                    crs_title(grid_.crs) + (grid_.geotransform ? "" : ", not georeferenced") + ") " +
                    extent_text(rasteriser_.extent()) + remedy);
  }

  OGRLayer& layer_;
  const std::string& path_;
  const LabelOptions& options_;
  const RasterGrid& grid_;
  const std::string& grid_name_;
  int field_;
  int group_field_;  // -1 for none
  std::optional<PointColumns> columns_;
  Rasteriser rasteriser_;
  VectorClaims claims_;
  std::string stated_crs_;  // by the file or its driver
  std::string crs_;         // that the features are taken to be in; empty for that of the scene
  std::unique_ptr<OGRCoordinateTransformation> transformation_;
  ClassNameReader names_;
  std::int64_t parts_ = 0;  // so far
  std::int64_t labelled_ = 0;
  std::int64_t unlabelled_ = 0;
  std::int64_t zeros_ = 0;       // of these, because their class is 0
  OGREnvelope read_extent_;      // of the features, as they are in the file
  OGREnvelope features_extent_;  // in the scene's CRS
};

// Regions of interest name their classes themselves.
void refuse_vector_options(const std::string& path, const LabelOptions& options) {
  for (const auto& [option, value] :
       {std::pair("--class-field", options.class_field), std::pair("--where", options.where),
        std::pair("--group-field", options.group_field), std::pair("--x", options.x_field),
        std::pair("--layer", options.layer)}) {
    if (value) {
      throw ConfigError(path + " holds regions of interest, which have no fields: " + option + " does not go with it");
    }
  }
}

}  // namespace

std::vector<VectorClaims> read_vector_claims(const std::vector<std::string>& paths, const LabelOptions& options,
                                             const RasterGrid& grid, const std::string& grid_name) {
  const ErrorCollector errors;
  const auto sources = mapped<VectorSource>(paths, open_vector);
  // Files of regions of interest may be combined with vector files: options for fields then apply to the latter.
  if (std::ranges::all_of(sources, [](const auto& file) { return !file.dataset; })) {
    refuse_vector_options(paths.front(), options);
  }
  // All files are opened, and their stamps taken, before the first is read: a mistake in the last one shows at once.
  const auto stamps = mapped<FileStamps>(sources, [](const VectorSource& source) { return FileStamps(source.files); });
  std::vector<VectorClaims> files;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    GDALDataset* const dataset = sources[i].dataset.get();
    LabelOptions own = options_for(paths[i], options);
    const bool only = paths.size() == 1 || own.layer != options.layer;
    if (!own.layer && dataset != nullptr && dataset->GetLayerCount() == 1) {
      own.layer = dataset->GetLayer(0)->GetName();
    }
    files.push_back(
        dataset == nullptr
            ? read_envi_roi(paths[i], options.epsg, grid, grid_name)
            : FeatureReader(choose_layer(*dataset, paths[i], own, only), paths[i], own, grid, grid_name).read());
    errors.check_files("the features of " + paths[i] + " cannot be read:");
    stamps[i].check_unchanged();
  }
  read_codes(paths, files);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (files[i].named_by_text != files.front().named_by_text) {
      throw ConfigError(paths[i] + ": " +
                        (sources[i].dataset != nullptr
                             ? "the class field '" + options.class_field.value_or("class") + "' holds "
                             : std::string("the names of regions of interest are ")) +
                        (files[i].named_by_text ? "text, but numbers" : "numbers, but text") + " in " + paths.front() +
                        "; files of labels must name their classes in the same way");
    }
  }
  return files;
}

}  // namespace parsimap
