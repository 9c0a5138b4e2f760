#include "prediction_points.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

// Adds "p_<class>" for every band. Databases do not distinguish upper and lower case in the names of fields: a name
// that is taken already, but for case, gets the number of its band.
void add_probability_fields(const BandTable& bands, std::vector<VectorField>& fields) {
  std::set<std::string> taken;
  // Names that are taken are compared in lower case; the field itself keeps the case of its class.
  const auto take = [&](const std::string& name) { return taken.insert(lower_case(name)).second; };
  for (std::size_t b = 0; b < bands.size(); ++b) {
    std::string name = "p_" + bands[b].name;
    if (!take(name)) {
      name += "_" + std::to_string(b + 1);
      take(name);
    }
    fields.push_back({name, FieldKind::real});
  }
}

std::vector<VectorField> prediction_fields(const LabelledPixels& reference, const SceneSource* probabilities) {
  std::vector<VectorField> fields = {{"id", FieldKind::integer}};
  if (reference.has_regions) {
    fields.push_back({"feature", FieldKind::integer});
  }
  fields.insert(fields.end(), {{"row", FieldKind::integer},
                               {"column", FieldKind::integer},
                               {"reference", FieldKind::text},
                               {"label", FieldKind::text}});
  if (probabilities != nullptr) {
    add_probability_fields(probabilities->bands(), fields);
  }
  return fields;
}

}  // namespace

void write_predictions(const StagedOutput& output, const RasterGrid& grid, const LabelledPixels& reference,
                       const Comparison& comparison, SceneSource* probabilities, const Progress& progress) {
  const std::vector<std::string>& names = comparison.match.names;
  const std::unique_ptr<PixelSink> points =
      create_features(output, grid, PixelGeometry::centre, prediction_fields(reference, probabilities));
  const std::vector<LabelledPixel>& pixels = reference.pixels;
  const std::size_t bands = probabilities != nullptr ? probabilities->bands().size() : 0;
  std::vector<FieldValue> values;
  // One point for each reference pixel, in the order of the reference. Where the raster of probabilities has no value,
  // `chances` is empty and its fields are filled with nulls.
  const auto add = [&](std::size_t i, const std::vector<double>& chances) {
    const LabelledPixel& pixel = pixels[i];
    const Index label = comparison.columns[i];
    values.assign({static_cast<std::int64_t>(i) + 1});
    if (reference.has_regions) {
      values.emplace_back(reference.feature_of(pixel.region));
    }
    values.emplace_back(pixel.pixel / grid.width);
    values.emplace_back(pixel.pixel % grid.width);
    values.emplace_back(names[static_cast<std::size_t>(comparison.match.row_of(pixel))]);
    values.push_back(label < 0 ? FieldValue() : names[static_cast<std::size_t>(label)]);
    add_all(values, chances);
    values.resize(values.size() + bands - chances.size());
    points->add(pixel.pixel, values);
  };
  if (probabilities != nullptr) {
    visit_probabilities(*probabilities, reference, progress, add);
  } else {
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      add(i, {});
    }
  }
  points->close();
}

}  // namespace parsimap
