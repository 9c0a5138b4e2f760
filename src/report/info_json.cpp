// What a scene and a spectral library hold, and what `simulate` and `suggest` made, as documents.
#include <map>

#include "parsimap/json/json_text.hpp"
#include "parsimap/report/info_report.hpp"

#include "json_parts.hpp"

namespace parsimap {

static void list_fields(const QualityRecord& layer, Fields& field) {
  field("name", layer.name);
  field("meaning", layer.meaning);
  field("left_out", layer.left_out);
}

static void list_fields(const GeometryRecord& geometry, Fields& field) {
  field("width", geometry.width);
  field("height", geometry.height);
}

namespace {

void list_library_band(Fields& field, std::size_t b, const Band& band) {
  field("band", b + 1);
  field("name", band.name);
  field("wavelength", band.wavelength);
  field("fwhm", band.fwhm);
  field("bad", band.bad);
}

// The different values of an attribute, and how many spectra have each.
void list_attribute(Fields& field, const SpectralLibrary& library, std::size_t column) {
  // Ordered by the bytes of the values, as in the text of `info`; empty values are not counted.
  std::map<std::string, Index> counts;
  for (const std::vector<std::string>& row : library.values) {
    if (!row[column].empty()) {
      ++counts[row[column]];
    }
  }
  const std::vector<std::pair<std::string, Index>> values(counts.begin(), counts.end());
  field("name", library.attributes[column]);
  field.groups("values", values.size(), [&](std::size_t i) {
    field("value", values[i].first);
    field("spectra", values[i].second);
  });
}

void list_place(Fields& field, const SuggestedPlace& place, std::size_t rank) {
  field("rank", rank);
  field("x", place.position[0]);
  field("y", place.position[1]);
  field("column", place.column);
  field("row", place.row);
  field("predicted", place.class_name);
  field("second_class", place.second_class);
  field("probability", place.probability);
  field("second_probability", place.second_probability);
  field("uncertainty", place.uncertainty);
  field("novelty", place.novelty);
}

}  // namespace

std::string info_json(const SceneRecord& record) {
  return document_text([&](Fields& field) {
    field("kind", "scene");
    field("path", record.path);
    field("product", text_or_null(record.product));
    field("quantity", text_or_null(record.quantity));
    field("driver", record.driver);
    field("data_type", record.data_type);
    field("nodata", record.nodata);
    field("width", record.width);
    field("height", record.height);
    field.groups("bands", record.bands.size(),
                 [&](std::size_t b) { list_band(field, static_cast<Index>(b), record.bands[b]); });
    field("misfit_bad_band_entries", record.misfit_bad_band_entries);
    // Six numbers as in GDAL: x and y of the upper left corner, and the steps on the ground along columns and rows.
    field("geotransform", record.geotransform);
    field("crs", text_or_null(record.crs));
    field("control_points", record.control_points);
    field("geometry", record.geometry);
    field("quality", record.quality);
    field("files", record.files);
    field("bytes", record.bytes);
  });
}

std::string info_json(const SpectralLibrary& library) {
  return document_text([&](Fields& field) {
    field("kind", "library");
    field("path", library.path);
    field("format", library.format);
    field("quantity", text_or_null(library.quantity));
    field("spectra", library.size());
    field("names", library.names);
    field.groups("attributes", library.attributes.size(),
                 [&](std::size_t column) { list_attribute(field, library, column); });
    field("missing_values", library.spectra.array().isNaN().count());
    // Set only for spectra that were kept by a training: the number of bands of the scene they come from.
    field("scene_bands", library.origin ? std::optional(library.origin->scene_bands) : std::nullopt);
    field.groups("bands", library.bands.size(), [&](std::size_t b) { list_library_band(field, b, library.bands[b]); });
    field("notes", library.notes);
  });
}

std::string simulation_json(const SimulationRecord& record) {
  return document_text([&](Fields& field) {
    field("spec", record.spec);
    field("width", record.width);
    field("height", record.height);
    field("bands", record.bands);
    field("seed", record.seed);
    list_class_pixels(field, record.classes);
    field("files", record.files);
    field("seconds", record.seconds);
  });
}

std::string label_places_json(const LabelPlacesRecord& record) {
  return document_text([&](Fields& field) {
    field("scene", record.scene);
    field("model", record.model);
    field("file", record.file);
    field("resampled", record.resampled);
    field("excluded", record.excluded);
    field("asked", record.asked);
    field("pixels", record.pixels);
    field("least_distance", record.least_distance);
    field("distance_unit", record.distance_unit);
    field.groups("places", record.places.size(), [&](std::size_t i) { list_place(field, record.places[i], i + 1); });
    field("seconds", record.seconds);
    field.numbers_by_name("stages", record.stages);
    field("peak_memory_mb", megabytes(record.peak_memory_bytes));
  });
}

}  // namespace parsimap
