#include "prediction_output.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/georeference.hpp"
#include "parsimap/io/gdal/scene.hpp"
#include "parsimap/scene/extract_samples.hpp"

namespace parsimap {
namespace {

// Values of the probabilities' bands at the reference pixels that have them.
struct Probabilities {
  std::vector<std::string> names;
  SampleSet samples;  // ascending by pixel
};

Probabilities read_probabilities(const std::string& path, const ClassMapSource& map, const LabelledPixels& reference,
                                 const Progress& progress) {
  const std::unique_ptr<SceneSource> scene = open_scene(path).source;
  check_same_grid(scene->grid(), scene->name(), map.grid(), map.name(), "probabilities must lie on the map's grid");
  Indices bands(scene->bands().size());
  std::iota(bands.begin(), bands.end(), Index{0});
  Probabilities result;
  for (const Band& band : scene->bands()) {
    result.names.push_back(band.name);
  }
  result.samples = extract_samples_of_bands(*scene, reference, bands, std::int64_t{512} << 20U, progress).samples;
  return result;
}

// Databases do not tell upper from lower case in the names of fields.
std::string folded(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::vector<VectorField> fields_of(bool with_features, const std::vector<std::string>& probabilities) {
  std::vector<VectorField> fields = {{"id", FieldKind::integer}};
  if (with_features) {
    fields.push_back({"feature", FieldKind::integer});
  }
  fields.push_back({"row", FieldKind::integer});
  fields.push_back({"column", FieldKind::integer});
  fields.push_back({"reference", FieldKind::text});
  fields.push_back({"label", FieldKind::text});
  std::set<std::string> taken;
  for (std::size_t b = 0; b < probabilities.size(); ++b) {
    std::string name = "p_" + probabilities[b];
    if (!taken.insert(folded(name)).second) {
      name += "_" + std::to_string(b + 1);
      taken.insert(folded(name));
    }
    fields.push_back({name, FieldKind::real});
  }
  return fields;
}

}  // namespace

std::vector<OptionSyntax> prediction_option_syntax() {
  return {{.name = "predictions",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Also write every reference pixel with its reference and its label (.csv, .gpkg)"},
          {.name = "probabilities",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Raster of 'parsimap classify --probabilities' for the predictions, and for the report to show how "
                   "often they are right"}};
}

std::optional<PredictionOptions> prediction_options(const OptionValues& values) {
  const auto file = values.text("predictions");
  return file ? std::optional(PredictionOptions{*file, values.text("probabilities")}) : std::nullopt;
}

void write_predictions(const PredictionOptions& options, const StagedOutput& output, const ClassMapSource& map,
                       const LabelledPixels& reference, const ClassMatch& match, const Comparison& comparison,
                       const Progress& progress) {
  Probabilities probabilities;
  if (options.probabilities) {
    probabilities = read_probabilities(*options.probabilities, map, reference, progress);
  }
  const bool with_features = has_regions(reference);
  const Index width = map.grid().width;
  auto sink = create_points(output, map.grid(), fields_of(with_features, probabilities.names));
  std::vector<FieldValue> values;
  Index sample = 0;
  for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
    const LabelledPixel& pixel = reference.pixels[i];
    values.assign({static_cast<std::int64_t>(i) + 1});
    if (with_features) {
      values.emplace_back(pixel.region);
    }
    values.emplace_back(pixel.pixel / width);
    values.emplace_back(pixel.pixel % width);
    values.emplace_back(match.names[static_cast<std::size_t>(match.row[static_cast<std::size_t>(pixel.label)])]);
    const Index column = comparison.columns[i];
    values.push_back(column < 0 ? FieldValue() : FieldValue(match.names[static_cast<std::size_t>(column)]));
    const bool known = sample < probabilities.samples.size() &&
                       probabilities.samples.pixels[static_cast<std::size_t>(sample)] == pixel.pixel;
    for (Index b = 0; b < static_cast<Index>(probabilities.names.size()); ++b) {
      values.push_back(known ? FieldValue(probabilities.samples.spectra(sample, b)) : FieldValue());
    }
    sample += known ? 1 : 0;
    sink->add(pixel.pixel, values);
  }
  sink->close();
}

}  // namespace parsimap
