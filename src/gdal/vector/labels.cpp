#include "parsimap/gdal/vector/labels.hpp"

#include <cpl_minixml.h>
#include <cpl_string.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/raster/source_name.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "../raster/dataset.hpp"
#include "envi_roi.hpp"
#include "label_claims.hpp"
#include "raster_labels.hpp"
#include "rasterise.hpp"
#include "vector_labels.hpp"
#include "vector_source.hpp"

namespace parsimap {

// Of "r,g,b,a" or "#rrggbb"; what stands behind the third channel, such as the opacity, does not count.
static std::optional<Colour> colour_of_style(const std::string& text) {
  const CPLStringList numbers(CSLTokenizeString2(text.c_str(), ",", CSLT_ALLOWEMPTYTOKENS));
  return numbers.size() < 3 ? parse_colour(text.substr(0, 7))
                            : parse_colour(std::string(numbers[0]) + "," + numbers[1] + "," + numbers[2]);
}

static std::string value_of(const CPLXMLNode& node, const char* name) { return CPLGetXMLValue(&node, name, ""); }

// Calls visit(element) for the elements from a node on and all that they hold.
template <typename Visit>
static void each_element(const CPLXMLNode* node, const Visit& visit) {
  for (; node != nullptr; node = node->psNext) {
    if (node->eType == CXT_Element) {
      visit(*node);
    }
    each_element(node->psChild, visit);
  }
}

// The text of the first element of a kind inside of another; it is called `value` where one is given.
static std::string first_text(const CPLXMLNode& within, const std::string& kind, const std::string& value,
                              const char* text_in) {
  std::string found;
  each_element(within.psChild, [&](const CPLXMLNode& element) {
    if (found.empty() && kind == element.pszValue &&
        (value.empty() || value_of(element, "name") == value || value_of(element, "k") == value)) {
      found = value_of(element, text_in);
    }
  });
  return found;
}

// What a style says of classes. QGIS keeps entries of a palette, or categories with the names of symbols; SLD has
// entries of a palette, or rules with a value to compare with and a colour to fill with.
static std::vector<ColourRule> rules_of_style(const CPLXMLNode* document) {
  std::vector<ColourRule> rules;
  const auto add = [&](const std::string& name, const std::string& code, const std::string& colour) {
    if (const auto parsed = colour_of_style(colour)) {
      rules.push_back({name, parse_number<int>(code), *parsed});
    }
  };
  std::map<std::string, std::string> symbols;
  each_element(document, [&](const CPLXMLNode& element) {
    if (std::string(element.pszValue) == "symbol") {
      const std::string colour = first_text(element, "Option", "color", "value");
      symbols.emplace(value_of(element, "name"), colour.empty() ? first_text(element, "prop", "color", "v") : colour);
    }
  });
  each_element(document, [&](const CPLXMLNode& element) {
    const std::string kind = element.pszValue;
    if (kind == "paletteEntry") {
      add(value_of(element, "label"), value_of(element, "value"), value_of(element, "color"));
    } else if (kind == "category") {
      const std::string value = value_of(element, "value");
      add(value, value, symbols[value_of(element, "symbol")]);
    } else if (kind == "ColorMapEntry") {
      add(value_of(element, "label"), value_of(element, "quantity"), value_of(element, "color"));
    } else if (kind == "Rule") {
      const std::string value = first_text(element, "Literal", "", "");
      const std::string colour = first_text(element, "CssParameter", "fill", "");
      add(value, value, colour.empty() ? first_text(element, "SvgParameter", "fill", "") : colour);
    }
  });
  return rules;
}

// Classes without a colour get that of a style of the same base name beside the labels, as GIS programs keep it. A
// style that cannot be read is none.
static void take_colours_of_style(const std::string& labels, ClassTable& classes) {
  for (const char* extension : {".qml", ".sld"}) {
    const std::string path = std::filesystem::path(source_name(labels).file).replace_extension(extension).string();
    if (bytes_of_file(path).value_or(INT64_MAX) > static_cast<std::int64_t>(kLargestConfiguration)) {
      continue;
    }
    const ErrorCollector errors;
    const CPLXMLTreeCloser tree(CPLParseXMLString(read_text_file(path).c_str()));
    if (tree.get() == nullptr || errors.failed()) {
      continue;
    }
    CPLStripXMLNamespace(tree.get(), nullptr, TRUE);
    ClassTable styled = classes;
    colour_classes(styled, rules_of_style(tree.get()));
    for (std::size_t c = 0; c < classes.size(); ++c) {
      classes[c].colour = classes[c].colour ? classes[c].colour : styled[c].colour;
    }
  }
}

constexpr std::int64_t kMostFeatures = std::int64_t{1} << 40U;  // of a file

static int zero_class_code(const ClassTable& classes) {
  const int code = classes.empty() ? 1 : classes.back().code + 1;
  if (code > kLargestCode) {
    throw DataError("the code 0 of the labels is a class, but no code above 65535 is left for it in maps");
  }
  return code;
}

// Appends the classes that lie on the grid to the table, and returns the index of each. Where files give a class
// several colours, the first counts.
static std::map<ClassKey, int> build_classes(const std::vector<VectorClaims>& files, ClassTable& classes) {
  std::set<ClassKey> found;
  std::map<ClassKey, Colour> colours;
  for (const VectorClaims& file : files) {
    found.insert(file.classes.begin(), file.classes.end());
    colours.insert(file.colours.begin(), file.colours.end());
  }
  if (files.front().named_by_text && std::ssize(found) > kLargestCode) {
    throw DataError("the labels have " + std::to_string(found.size()) + " different texts; a map holds 65535 classes");
  }
  std::map<ClassKey, int> label_of;
  // Codes and names come sorted, so that the table does not depend on the order of the features.
  for (const ClassKey& key : found) {
    const int label = static_cast<int>(label_of.size());
    label_of.emplace(key, label);
    // Classes named by text are numbered from 1 in alphabetical order; numbers in the file stay the codes of the map.
    if (key.code == kZeroKey) {
      // The last of all keys: 0 stands for no class in every map, so that it gets the code after the largest.
      classes.push_back({zero_class_code(classes), "0", std::nullopt});
      continue;
    }
    classes.push_back(key.code == 0 ? ClassEntry{label + 1, key.text, std::nullopt}
                                    : ClassEntry{key.code, std::to_string(key.code), std::nullopt});
    if (const auto colour = colours.find(key); colour != colours.end()) {
      classes.back().colour = colour->second;
    }
  }
  return label_of;
}

// Merged classes do not contend for a pixel, and what counts as unlabelled claims none: the rules come before.
static void apply_rules(const ClassRules& rules, const std::string& path, LabelledPixels& labels,
                        std::map<ClassKey, int>& label_of) {
  // Indices of classes change with the table: `label_of` is brought to the new ones, -1 for unlabelled.
  const RenamedClasses renamed = rename_classes(labels.classes, rules, labels.named_by_text, path);
  labels.classes = renamed.classes;
  add_all(labels.notes, renamed.notes);
  for (auto& [key, label] : label_of) {
    label = renamed.label_of[static_cast<std::size_t>(label)];
  }
  // Classes of features outside may not be in the table.
  for (auto& [feature, name] : labels.outside_features) {
    const auto rule = std::ranges::find(rules.rules, name, &ClassRule::from);
    name = rule == rules.rules.end() ? name : class_name(rule->to);
  }
}

// Numbers the regions of all files and puts them into their groups; returns all claims of classes that `label_of` has
// an index for, ascending by pixel. Where regions claim the same pixel, they stay in the order in which they were read.
static std::vector<LabelledPixel> number_regions(const std::vector<VectorClaims>& files,
                                                 const std::vector<std::string>& paths,
                                                 const std::map<ClassKey, int>& label_of, LabelledPixels& labels) {
  std::vector<LabelledPixel> claims;
  std::map<std::string, std::int64_t> groups;
  std::set<std::int64_t> points;  // regions of one pixel
  std::int64_t next = 0;
  for (const VectorClaims& file : files) {
    const std::int64_t first = next;  // the regions of a file are counted on from those of the files before
    labels.region_files[first] = paths[static_cast<std::size_t>(&file - files.data())];
    for (const RegionClaim& claim : file.regions) {
      const std::int64_t region = first + claim.region;
      next = std::max(next, region + 1);
      if (claim.group) {
        // A group has the same number in all files: it is identified by the value of its field.
        const std::int64_t number = groups.emplace(*claim.group, std::ssize(groups)).first->second;
        labels.region_units[region] = {number, SampleUnit::Reason::group};
        labels.group_names.emplace(number, *claim.group);
      }
      if (claim.feature) {
        labels.region_features[region] = *claim.feature;
      }
      const auto label = label_of.find(claim.key);
      // Classes beside the grid, and those that the rules declare unlabelled, claim nothing.
      if (label == label_of.end() || label->second < 0) {
        continue;
      }
      for (const std::int64_t pixel : claim.pixels) {
        claims.push_back({pixel, label->second, region});
      }
      if (claim.pixels.size() == 1) {
        points.insert(region);
      }
    }
  }
  std::ranges::stable_sort(claims, [](const auto& a, const auto& b) { return a.pixel < b.pixel; });
  std::int64_t shared = 0;
  for (std::size_t i = 1; i < claims.size(); ++i) {
    const LabelledPixel& before = claims[i - 1];
    shared += claims[i].pixel == before.pixel && claims[i].label == before.label && points.contains(claims[i].region);
  }
  if (shared > 0) {
    labels.messages.push_back(paths.front() + ": features whose only pixel another of their class has, too: " +
                              std::to_string(shared) + "; each pixel counts once");
  }
  return claims;
}

// Settles who owns each pixel: one that two classes claim is dropped and counted, one that a class claims twice belongs
// to the region that was read first.
static LabelledPixels settle(const std::vector<VectorClaims>& files, const std::optional<ClassRules>& rules,
                             const std::vector<std::string>& paths) {
  // The order of the steps matters: classes of all files first, then their merging by the rules, and then the claims,
  // so that two classes that become one do not contend for a pixel.
  LabelledPixels labels;
  labels.named_by_text = files.front().named_by_text;
  labels.has_regions = true;
  for (const VectorClaims& file : files) {
    labels.outside += file.outside;
    add_all(labels.notes, file.notes);
    add_all(labels.messages, file.messages);
    for (const auto& [field, texts] : file.other_texts) {
      for (const auto& [text, classes] : texts) {
        labels.other_texts[field][text].insert(classes.begin(), classes.end());
      }
    }
    // Numbers of features do not depend on the grid, so that those outside of several scenes can be compared.
    const std::int64_t first = (&file - files.data()) * kMostFeatures;
    for (const auto& [number, name] : file.outside_features) {
      labels.outside_features.emplace(first + number, name);
    }
  }
  std::map<ClassKey, int> label_of = build_classes(files, labels.classes);
  std::ranges::for_each(paths, [&](const std::string& path) { take_colours_of_style(path, labels.classes); });
  if (rules) {
    apply_rules(*rules, paths.front(), labels, label_of);
  }
  settle_claims(number_regions(files, paths, label_of, labels), labels);
  return labels;
}

bool labels_on_map(const std::string& path, const RasterGrid& sensor) {
  initialise_gdal();
  // Regions of interest and rasters may refer to pixels of the sensor's image; all other vector files have map
  // coordinates.
  if (is_envi_roi(path)) {
    return !envi_roi_names_pixels(path, sensor);
  }
  return !is_raster(path) || grid_of(*open_raster(path)).geotransform.has_value();
}

LabelledPixels read_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name) {
  return read_labels(std::vector<std::string>{path}, options, grid, grid_name);
}

LabelledPixels read_labels(const std::vector<std::string>& paths, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name) {
  initialise_gdal();
  const std::string& first = paths.front();
  // Some formats, such as GeoPackage, contain rasters as well as vectors: options that only vectors have decide.
  const bool wants_vector = options.class_field || options.where || options.group_field || options.x_field ||
                            options.layer || source_name(first).layer;
  if (paths.size() > 1 || wants_vector || is_envi_roi(first) || !is_raster(first)) {
    return settle(read_vector_claims(paths, options, grid, grid_name), options.rules, paths);
  }
  LabelledPixels labels = read_raster_labels(first, options, grid, grid_name);
  take_colours_of_style(first, labels.classes);
  if (options.rules) {
    apply_class_rules(labels, *options.rules, first);
  }
  leave_out_fill(labels, first);
  return labels;
}

// The first text of the field that is set.
static std::string first_text(OGRLayer& layer, int field) {
  layer.ResetReading();
  while (const OGRFeatureUniquePtr feature{layer.GetNextFeature()}) {
    if (feature->IsFieldSetAndNotNull(field)) {
      return feature->GetFieldAsString(field);
    }
  }
  return {};
}

std::optional<std::pair<std::string, std::string>> find_profile_field(
    const std::string& path, const std::function<bool(const std::string&)>& is_wanted,
    const std::optional<std::string>& only) {
  const ErrorCollector errors;
  const VectorSource source = open_vector_source(path);
  if (source.dataset == nullptr) {
    return std::nullopt;
  }
  const std::optional<std::string> wanted = only ? only : source_name(path).layer;
  // The contents decide, because the names of layers and fields differ from product to product: the first text of each
  // field of texts is shown to the caller.
  for (OGRLayer* layer : source.dataset->GetLayers()) {
    const OGRFeatureDefn& definition = *layer->GetLayerDefn();
    const int fields = !wanted || *wanted == layer->GetName() ? definition.GetFieldCount() : 0;
    for (int field = 0; field < fields; ++field) {
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
  const VectorSource source = open_vector_source(path);
  OGRLayer* layer = source.dataset == nullptr ? nullptr : source.dataset->GetLayerByName(layer_name.c_str());
  if (layer == nullptr) {
    throw DataError(path + " cannot be opened as a vector file with the layer '" + layer_name + "': " + errors.text());
  }
  // All values as text, in the order of the fields; empty where a field is not set.
  FeatureTable table;
  table.reference = wkt_of(layer->GetSpatialRef());
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
    const OGRGeometry* const geometry = feature->GetGeometryRef();
    table.geometries.push_back(geometry == nullptr ? "" : geometry->exportToWkt());
  }
  check_features_read(errors, path);
  return table;
}

MemoryLabels::MemoryLabels(const std::string& document) {
  initialise_gdal();
  const ErrorCollector errors;
  file_ = std::make_unique<MemoryFile>("labels.geojson");
  if (!write_whole_file(file_->path(), document)) {
    throw IoError("labels cannot be kept in memory: " + errors.text());
  }
}

MemoryLabels::~MemoryLabels() = default;

const std::string& MemoryLabels::path() const { return file_->path(); }

}  // namespace parsimap
