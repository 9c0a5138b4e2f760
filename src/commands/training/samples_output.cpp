#include "samples_output.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/library/library_file.hpp"
#include "parsimap/library/library_output.hpp"
#include "parsimap/report/command_page.hpp"

#include "../common_options.hpp"
#include "../job_frame.hpp"
#include "training_scenes.hpp"

namespace parsimap {

namespace {

bool has_colours(const ClassTable& classes) {
  return std::ranges::any_of(classes, [](const ClassEntry& entry) { return entry.colour.has_value(); });
}

const ClassEntry& class_of(const SampleSet& samples, std::size_t i) {
  return samples.classes[static_cast<std::size_t>(samples.labels[i])];
}

// Fields that all formats have. A Shapefile has no room for a profile.
std::vector<VectorField> fields_of(const SampleSet& samples, bool scenes, bool profiles, bool units) {
  std::vector<VectorField> fields = {{"class", FieldKind::text},     {"code", FieldKind::integer},
                                     {"region", FieldKind::integer}, {"group", FieldKind::integer},
                                     {"row", FieldKind::integer},    {"column", FieldKind::integer}};
  if (scenes) {
    fields.push_back({"scene", FieldKind::text});
  }
  if (has_colours(samples.classes)) {
    fields.push_back({"colour", FieldKind::text});
  }
  if (profiles) {
    fields.push_back({"profiles", FieldKind::text});
  }
  if (units) {
    fields.push_back({kTestUnitField, FieldKind::integer});
  }
  return fields;
}

void write_points(const StagedOutput& output, const SampleSet& samples, const SpectralLibrary& library,
                  const PixelPlaces& places, const std::vector<SampleUnit>& units = {}) {
  const bool profiles = !library.bands.empty() && std::filesystem::path(output.target).extension() != ".shp";
  const std::unique_ptr<PointSink> points =
      create_points(output, places.grid, fields_of(samples, places.several, profiles, !units.empty()));
  const bool colours = has_colours(samples.classes);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    const ClassEntry& entry = class_of(samples, i);
    const std::optional<PixelPlace>& place = places.places[i];
    std::vector<FieldValue> values = {entry.name,
                                      std::int64_t{entry.code},
                                      samples.places[i].region,
                                      number_in_file(samples.places[i].unit),
                                      FieldValue(),
                                      FieldValue()};
    if (place) {
      // Spectra of libraries have no place: their row and column stay null, and the feature is written without a
      // geometry.
      values[4] = place->row;
      values[5] = place->column;
    }
    if (places.several) {
      values.emplace_back(place ? FieldValue(place->scene) : FieldValue());
    }
    if (colours) {
      values.emplace_back(entry.colour ? FieldValue(css_colour(*entry.colour)) : FieldValue());
    }
    if (profiles) {
      values.emplace_back(profile_text(library, static_cast<Index>(i)));
    }
    if (!units.empty()) {
      values.emplace_back(number_in_file(units[i]));
    }
    if (place) {
      points->add_point(place->point, values);
    } else {
      points->add(-1, values);
    }
  }
  points->close();
}

std::string coordinate_text(double coordinate) {
  std::array<char, 32> text{};
  const auto [end, failure] = std::to_chars(text.data(), text.data() + text.size(), coordinate);
  return {text.data(), end};
}

// Row, column, x and y, and the scene where there are several; empty texts where there is no place.
std::vector<std::string> place_texts(const std::optional<PixelPlace>& place, bool several) {
  if (!place) {
    return std::vector<std::string>(several ? 5 : 4);
  }
  std::vector<std::string> texts = {std::to_string(place->row), std::to_string(place->column),
                                    coordinate_text(place->point[0]), coordinate_text(place->point[1])};
  if (several) {
    texts.push_back(place->scene);
  }
  return texts;
}

}  // namespace

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
  library.attributes = {"class", "code", "region", "group", "row", "column", "x", "y"};
  if (places.several) {
    library.attributes.emplace_back("scene");
  }
  const bool colours = has_colours(samples.classes);
  if (colours) {
    library.attributes.emplace_back("colour");
  }
  std::map<int, Index> numbers;
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    const ClassEntry& entry = class_of(samples, i);
    // Names are unique: the class and the number of the sample within it.
    library.names.push_back(entry.name + " " + std::to_string(++numbers[samples.labels[i]]));
    std::vector<std::string>& values = library.values.emplace_back();
    values = {entry.name, std::to_string(entry.code), std::to_string(samples.places[i].region),
              std::to_string(number_in_file(samples.places[i].unit))};
    const std::vector<std::string> place = place_texts(places.places[i], places.several);
    values.insert(values.end(), place.begin(), place.end());
    if (colours) {
      values.push_back(entry.colour ? css_colour(*entry.colour) : "");
    }
  }
  return library;
}

void write_labelled_points(const StagedOutput& output, const LabelledPixels& labelled,
                           const std::vector<SampleUnit>& units, const PixelPlaces& places) {
  SampleSet samples;
  samples.classes = labelled.classes;
  for (const LabelledPixel& pixel : labelled.pixels) {
    samples.labels.push_back(pixel.label);
    samples.places.push_back({pixel.pixel, pixel.region, labelled.unit_of(pixel.region)});
  }
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
