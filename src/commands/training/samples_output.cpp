#include "samples_output.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <variant>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/library/library_output.hpp"
#include "parsimap/report/command_page.hpp"

#include "../common_options.hpp"

namespace parsimap {

static bool has_colours(const ClassTable& classes) {
  return std::ranges::any_of(classes, [](const ClassEntry& entry) { return entry.colour.has_value(); });
}

// What all formats say of samples; points have their coordinates besides.
static std::vector<VectorField> fields_of(const SampleSet& samples, bool scenes, bool coordinates) {
  std::vector<VectorField> fields = {{"class", FieldKind::text},     {"code", FieldKind::integer},
                                     {"region", FieldKind::integer}, {"group", FieldKind::integer},
                                     {"row", FieldKind::integer},    {"column", FieldKind::integer}};
  if (coordinates) {
    fields.insert(fields.end(), {{"x", FieldKind::real}, {"y", FieldKind::real}});
  }
  if (scenes) {
    fields.push_back({"scene", FieldKind::text});
  }
  if (has_colours(samples.classes)) {
    fields.push_back({"colour", FieldKind::text});
  }
  return fields;
}

// The same of one sample. Spectra of libraries have no place, and no values there.
static std::vector<FieldValue> values_of(const SampleSet& samples, const PixelPlaces& places, std::size_t i,
                                         bool coordinates) {
  const ClassEntry& entry = samples.classes[static_cast<std::size_t>(samples.labels[i])];
  const std::optional<PixelPlace>& place = places.places[i];
  std::vector<FieldValue> values = {entry.name, std::int64_t{entry.code}, samples.places[i].region,
                                    number_in_file(samples.places[i].unit)};
  values.emplace_back(place ? FieldValue(place->row) : FieldValue());
  values.emplace_back(place ? FieldValue(place->column) : FieldValue());
  for (std::size_t axis = 0; coordinates && axis < 2; ++axis) {
    values.emplace_back(place ? FieldValue(place->point[axis]) : FieldValue());
  }
  if (places.several) {
    values.emplace_back(place ? FieldValue(place->scene) : FieldValue());
  }
  if (has_colours(samples.classes)) {
    values.emplace_back(entry.colour ? FieldValue(css_colour(*entry.colour)) : FieldValue());
  }
  return values;
}

static std::string text_of(const FieldValue& value) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*number);
  }
  if (const auto* const coordinate = std::get_if<double>(&value)) {
    return number_text(*coordinate);
  }
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

static void write_points(const StagedOutput& output, const SampleSet& samples, const SpectralLibrary& library,
                         const PixelPlaces& places, const std::vector<SampleUnit>& units = {}) {
  // A Shapefile has no room for a profile.
  const bool profiles = !library.bands.empty() && std::filesystem::path(output.target).extension() != ".shp";
  std::vector<VectorField> fields = fields_of(samples, places.several, false);
  if (profiles) {
    fields.push_back({"profiles", FieldKind::text});
  }
  if (!units.empty()) {
    fields.push_back({kTestUnitField, FieldKind::integer});
  }
  const std::unique_ptr<PixelSink> points = create_features(output, places.grid, PixelGeometry::centre, fields);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    std::vector<FieldValue> values = values_of(samples, places, i, false);
    if (profiles) {
      values.emplace_back(profile_text(library, static_cast<Index>(i)));
    }
    if (!units.empty()) {
      values.emplace_back(number_in_file(units[i]));
    }
    if (places.places[i]) {
      points->add_point(places.places[i]->point, values);
    } else {
      points->add(-1, values);
    }
  }
  points->close();
}

const StagedOutput& stage_samples(OutputSet& outputs, const std::string& role, const std::string& path,
                                  bool all_placed) {
  if (!all_placed && std::filesystem::path(path).extension() == ".fgb") {
    throw ConfigError(role + " " + path +
                      ": FlatGeobuf leaves out spectra of libraries, which have no place; name a .gpkg instead");
  }
  return is_library_output(path) ? stage_library(outputs, role, path) : stage_vector(outputs, role, path);
}

SpectralLibrary library_of_samples(const SampleSet& samples, const TrainingSource& source, const PixelPlaces& places,
                                   const std::string& path) {
  SpectralLibrary library;
  library.path = path;
  library.format = "training samples";
  library.bands = source.band_table;
  // The spectra in single precision are those of the scene without loss, since scenes are read in single precision.
  // With the origin of the bands a training on this file gives the same model.
  library.spectra = samples.spectra.cast<float>();
  library.origin = BandOrigin{source.scene_bands, source.bands, source.dropped_bands};
  library.attributes = mapped<std::string>(fields_of(samples, places.several, true), &VectorField::name);
  std::map<int, Index> numbers;
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    // Names are unique: the class and the number of the sample within it.
    const int label = samples.labels[i];
    library.names.push_back(samples.classes[static_cast<std::size_t>(label)].name + " " +
                            std::to_string(++numbers[label]));
    const std::vector<FieldValue> values = values_of(samples, places, i, true);
    std::ranges::transform(values, std::back_inserter(library.values.emplace_back()), text_of);
  }
  return library;
}

void write_labelled_points(const StagedOutput& output, const LabelledPixels& labelled,
                           const std::vector<SampleUnit>& units, const PixelPlaces& places) {
  SampleSet samples;
  samples.classes = labelled.classes;
  samples.labels = class_labels(labelled);
  samples.places = places_of(labelled);
  write_points(output, samples, {}, places, units);
}

void write_samples(const StagedOutput& output, const SampleSet& samples, const TrainingSource& source,
                   const PixelPlaces& places) {
  const SpectralLibrary library = library_of_samples(samples, source, places, output.target);
  if (is_library_output(output.target)) {
    write_library(output, library);
  } else {
    write_points(output, samples, library, places);
  }
}

}  // namespace parsimap
