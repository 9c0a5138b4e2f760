#include "parsimap/report/info_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "parsimap/core/text.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"

#include "json_parts.hpp"

namespace parsimap {

static std::string bytes_text(std::int64_t bytes) {
  return bytes == 0 ? "size unknown" : std::to_string(bytes) + " bytes";
}

// "400 .. 2500 nm" of a property such as the wavelength, or that it is known of some bands or of none.
static std::string range_text(const BandTable& bands, std::optional<double> Band::*property) {
  const std::vector<double> known = known_values(bands, property);
  if (known.empty()) {
    return "unknown";
  }
  const auto [lowest, highest] = std::ranges::minmax_element(known);
  return short_number(*lowest) + " .. " + short_number(*highest) + " nm" +
         (known.size() < bands.size() ? " (known for " + std::to_string(known.size()) + " bands)" : "");
}

static std::string bad_bands_text(const BandTable& bands) {
  Indices bad = indices_where(bands.size(), [&](std::size_t b) { return bands[b].bad; });
  return bad.empty() ? "none" : band_list(bad);
}

// How values are computed from stored numbers.
static std::string scale_text(const BandTable& bands) {
  // Value = stored number x scale + offset. Most scenes have the same scale in all bands, which is printed once.
  const auto same = [&](const Band& band) {
    return band.scale == bands.front().scale && band.offset == bands.front().offset;
  };
  if (bands.empty()) {
    return "none";
  }
  if (!std::ranges::all_of(bands, same)) {
    return "differs by band";
  }
  const Band& band = bands.front();
  return band.scale == 1 && band.offset == 0 ? "none"
                                             : "stored x " + long_number(band.scale) + " + " + long_number(band.offset);
}

static std::string nodata_text(const SceneDescription& description) {
  return description.nodata_differs ? "differs by band"
         : description.nodata       ? long_number(*description.nodata)
                                    : "none";
}

// The name of a coordinate system: a WKT is long, and has the name in quotes near its beginning.
static std::string crs_name(const std::string& wkt) {
  // The first quoted text of a WKT is the name of its outermost element, as in PROJCS["WGS 84 / UTM zone 33N", ... ].
  const std::size_t start = wkt.find('"');
  const std::size_t end = start == std::string::npos ? start : wkt.find('"', start + 1);
  return wkt.empty() ? "none" : end == std::string::npos ? wkt : wkt.substr(start + 1, end - start - 1);
}

// Says of the HDDA kernel which of its two metrics the model has.
static std::string kernel_text(const Model& model) {
  // Models with the kernel of the paper's print select their parameters by one criterion and have no scan of metrics
  // (docs/method.md, "Two families of kernels").
  const bool printed = model.scan.empty();
  const std::string family = printed ? " (as printed in the paper)" : " (class metric)";
  return to_string(model.family) + (model.family == KernelFamily::hdda ? family : "");
}

std::string scene_text(const SceneRecord& record) {
  const SceneDescription& description = record.description;
  const RasterGrid& grid = record.grid;
  std::string text = fact_line("Scene", record.path);
  if (!description.product.empty()) {
    text +=
        fact_line("Product", description.product + (description.quantity.empty() ? "" : ", " + description.quantity));
  }
  text += fact_line("Format", description.driver + ", " + description.data_type + ", " + bytes_text(description.bytes));
  text += fact_line("Size", std::to_string(grid.width) + " x " + std::to_string(grid.height) + " pixels, " +
                                std::to_string(record.bands.size()) + " bands");
  text += fact_line("Wavelengths", range_text(record.bands, &Band::wavelength));
  if (std::ranges::any_of(record.bands, has_width)) {
    text += fact_line("Widths (FWHM)", range_text(record.bands, &Band::fwhm));
  }
  text +=
      fact_line("Bad bands", description.misfit_bad_band_entries
                                 ? "the list has " + std::to_string(*description.misfit_bad_band_entries) +
                                       " entries for " + std::to_string(record.bands.size()) + " bands and is not used"
                                 : bad_bands_text(record.bands));
  text += fact_line("Scale", scale_text(record.bands));
  text += fact_line("Nodata", nodata_text(description));
  text += fact_line("CRS", crs_name(grid.crs));
  if (grid.geotransform) {
    // A column step moves by (g1, g4) and a row step by (g2, g5) on the ground; their lengths are the size of a pixel,
    // also of a rotated raster.
    const auto& g = *grid.geotransform;
    text += fact_line("Upper left", coordinate(g[0]) + ", " + coordinate(g[3]));
    text += fact_line("Pixel", short_number(std::hypot(g[1], g[4])) + " x " + short_number(std::hypot(g[2], g[5])));
  }
  if (!grid.control_points.empty()) {
    text += fact_line("Control points", std::to_string(grid.control_points.size()));
  }
  if (record.geometry) {
    text += fact_line("Geometry", "table that places the pixels on a map of " + std::to_string(record.geometry->width) +
                                      " x " + std::to_string(record.geometry->height) + " pixels");
  }
  for (const QualityRecord& layer : record.quality) {
    text += fact_line("Quality", layer.name + ": " + layer.meaning +
                                     (layer.left_out ? " (left out unless --quality says otherwise)" : ""));
  }
  return text + separated(description.files, "", [](const std::string& file) { return fact_line("File", file); });
}

std::string model_text(const Model& model, const std::string& path, bool verbose) {
  const Provenance& provenance = model.provenance;
  std::string text = fact_line("Model", path);
  text += fact_line("Made by", "parsimap " + provenance.program_version + ", seed " + std::to_string(provenance.seed));
  text += fact_line("Kernel", kernel_text(model));
  text += fact_line("Bands", std::to_string(model.bands.size()) + " used of " + std::to_string(model.scene_bands));
  for (const auto& [reason, bands] : bands_by_reason(model.dropped_bands)) {
    text += fact_line("Dropped", band_list(bands) + " (" + reason + ")");
  }
  text += fact_line("Wavelengths", range_text(model.band_table, &Band::wavelength));
  text += fact_line("Scale", scale_text(model.band_table));
  text += fact_line("Scaling", to_string(model.scaling_rule) + compression_text(model));
  text += fact_line("Support", support_text(model));
  if (model.profile_score) {
    text += fact_line("Profiles", profile_text(model));
  }
  for (const InputFile& input : provenance.inputs) {
    text += fact_line("Input", input.path + " (" + bytes_text(input.bytes) + ")");
  }
  for (const auto& [name, value] : provenance.options) {
    text += fact_line("Option", name + " = " + value);
  }
  return text + "\n" + classes_text(model) + (model.spatial ? spatial_steps_text(*model.spatial) : "") +
         (verbose ? "\n" + classifiers_text(model) : "");
}

std::string simulation_text(const SimulationRecord& record) {
  return "Simulated " + std::to_string(record.width) + " x " + std::to_string(record.height) + " pixels, " +
         std::to_string(record.bands) + " bands, seed " + std::to_string(record.seed) + " from " + record.spec +
         ".\n\n" + table_text(class_pixel_table(record.classes, "reference pixels")) + "\n" +
         time_text({record.seconds}) +
         separated(record.files, "", [](const std::string& file) { return "File: " + file + "\n"; });
}

constexpr std::size_t kFewNames = 10;
constexpr std::size_t kFewValues = 12;

// "reflectance, 0.01 .. 0.98, 12 missing"
static std::string values_text(const SpectralLibrary& library) {
  // Without any value the bounds stay in reverse order, which is the test below.
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -lowest;
  Index missing = 0;
  for (Index i = 0; i < library.spectra.size(); ++i) {
    const float value = library.spectra.data()[i];
    if (std::isnan(value)) {
      ++missing;
    } else {
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
    }
  }
  std::string text = library.quantity.empty() ? "" : library.quantity + ", ";
  text += lowest > highest
              ? "none"
              : short_number(static_cast<double>(lowest)) + " .. " + short_number(static_cast<double>(highest));
  return text + (missing > 0 ? ", " + std::to_string(missing) + " missing" : "");
}

// The different values of an attribute in the order of their bytes, and how many spectra have each. Empty values are
// not counted.
static std::map<std::string, Index> value_counts(const SpectralLibrary& library, std::size_t column) {
  std::map<std::string, Index> counts;
  for (const std::vector<std::string>& row : library.values) {
    if (!row[column].empty()) {
      ++counts[row[column]];
    }
  }
  return counts;
}

// "forest (12), water (3)": the first `most` values with their numbers.
static std::string value_list(const SpectralLibrary& library, std::size_t column, std::size_t most) {
  const std::map<std::string, Index> counts = value_counts(library, column);
  std::string text;
  std::size_t shown = 0;
  for (const auto& [value, count] : counts) {
    if (shown++ == most) {
      return text + " and " + std::to_string(counts.size() - most) + " more";
    }
    text += (text.empty() ? "" : ", ") + value + " (" + std::to_string(count) + ")";
  }
  return text.empty() ? "empty" : text;
}

static std::string names_text(const SpectralLibrary& library, std::size_t most) {
  std::string text = "\nNames:\n";
  for (std::size_t i = 0; i < std::min(most, library.names.size()); ++i) {
    text += "  " + library.names[i] + "\n";
  }
  return text + (library.names.size() > most ? "  and " + std::to_string(library.names.size() - most) + " more\n" : "");
}

std::string library_text(const SpectralLibrary& library, bool verbose) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  std::string text = fact_line("Library", library.path);
  text += fact_line("Format", library.format);
  text += fact_line("Spectra", std::to_string(library.size()));
  text += fact_line("Values", values_text(library));
  text += fact_line("Bands", std::to_string(library.bands.size()));
  text += fact_line("Wavelengths", range_text(library.bands, &Band::wavelength));
  text += fact_line("FWHM", range_text(library.bands, &Band::fwhm));
  text += fact_line("Bad bands", bad_bands_text(library.bands));
  if (library.origin) {
    text += fact_line("Kept from", "a training on " + std::to_string(library.bands.size()) + " of " +
                                       std::to_string(library.origin->scene_bands) + " bands of a scene");
  }
  for (std::size_t column = 0; column < library.attributes.size(); ++column) {
    text += (column == 0 ? "\nAttributes:\n" : "");
    text += "  " + library.attributes[column] + ": " + value_list(library, column, verbose ? kAll : kFewValues) + "\n";
  }
  return text + names_text(library, verbose ? kAll : kFewNames);
}

static std::string paying_text(const LabelForecast& forecast) {
  const std::string gain = fixed(100 * kPayingGain, 0) + " percentage point of overall accuracy";
  if (!forecast.enough) {
    return "More labels pay: even of " + std::to_string(static_cast<int>(kLargestGrowth)) +
           " times as many features, twice as many would gain at least " + gain + ".\n";
  }
  return (*forecast.enough == 0 ? std::string("More labels hardly pay")
                                : "More labels stop paying after about " + counted(*forecast.enough, "more feature")) +
         ": twice as many would then gain less than " + gain + ".\n";
}

static std::string forecast_text(const LabelForecastRecord& record) {
  const LabelForecast& forecast = record.forecast;
  Table table{"", {"class", "units", "now", "then", "90 % interval"}, {}, "lrrrl"};
  const auto add = [&](const std::string& name, const std::string& units, const std::optional<ForecastValue>& value) {
    table.rows.push_back({name, units, percent(value ? std::optional(value->now) : std::nullopt),
                          percent(value ? std::optional(value->then) : std::nullopt),
                          value ? percent(value->interval.low) + " to " + percent(value->interval.high) : ""});
  };
  std::set<std::string> few;
  for (std::size_t c = 0; c < record.classes.size(); ++c) {
    add(record.classes[c], std::to_string(forecast.units[c]), forecast.classes[c]);
    if (!forecast.classes[c]) {
      few.insert(record.classes[c]);
    }
  }
  add("average", "", forecast.average);
  add("overall", "", forecast.overall);
  return "\nAccuracy expected with " + counted(forecast.more, "more labelled feature") + " beside the " +
         std::to_string(forecast.features) + " of the labels, in percent:\n\n" + table_text(table) +
         (few.empty() ? ""
                      : "Without a forecast, which needs " + std::to_string(kFewestCurveUnits) +
                            " units of a class and two such classes: " + quoted_names(few) + ".\n") +
         (forecast.overall ? paying_text(forecast) : "");
}

std::string label_places_text(const LabelPlacesRecord& record) {
  Table table{"", {"rank", "x", "y", "predicted", "or", "uncertainty", "novelty"}, {}, "rrrllr"};
  for (std::size_t i = 0; i < record.places.size(); ++i) {
    const SuggestedPlace& place = record.places[i];
    table.rows.push_back({std::to_string(i + 1), coordinate(place.position[0]), coordinate(place.position[1]),
                          place.class_name, place.second_class, four_decimals(place.uncertainty),
                          four_decimals(place.novelty)});
  }
  return "Places to label next, of " + std::to_string(record.pixels) + " pixels of " + record.scene + " with " +
         record.model + ", at least " + short_number(record.least_distance) + " " + record.distance_unit +
         " apart.\n\n" + table_text(table) + (record.expected ? forecast_text(*record.expected) : "") + "\n" +
         time_text(record) + resampled_line(record.resampled) + files_text({{"places", record.file}});
}

// What a scene and a spectral library hold, and what `simulate` and `suggest` made, as documents.

static PARSIMAP_RECORD(const QualityRecord, name, meaning, left_out);
static PARSIMAP_RECORD(const GeometryRecord, width, height);

static void list_attribute(Fields& field, const SpectralLibrary& library, std::size_t column) {
  const std::map<std::string, Index> counts = value_counts(library, column);
  const std::vector<std::pair<std::string, Index>> values(counts.begin(), counts.end());
  field("name", library.attributes[column]);
  field.groups("values", values.size(), [&](std::size_t i) {
    field("value", values[i].first);
    field("spectra", values[i].second);
  });
}

static void list_place(Fields& field, const SuggestedPlace& place, std::size_t rank) {
  field("rank", rank);
  field("x", place.position[0]);
  field("y", place.position[1]);
  PARSIMAP_FIELDS(place, column, row);
  field("predicted", place.class_name);
  PARSIMAP_FIELDS(place, second_class, probability, second_probability, uncertainty, novelty);
}

static void list_forecast(Fields& field, const ForecastValue& value) {
  PARSIMAP_FIELDS(value, now, then);
  field("interval", std::vector<double>{value.interval.low, value.interval.high});
}

static void list_expected(Fields& field, const LabelForecastRecord& record) {
  const LabelForecast& forecast = record.forecast;
  const auto list = [&](const ForecastValue& value) { list_forecast(field, value); };
  field("labels", record.labels);
  PARSIMAP_FIELDS(forecast, features, more);
  field.group("overall", forecast.overall, list);
  field.group("average", forecast.average, list);
  field.groups("classes", record.classes.size(), [&](std::size_t c) {
    field("name", record.classes[c]);
    field("units", forecast.units[c]);
    field.group("accuracy", forecast.classes[c], list);
  });
  PARSIMAP_FIELDS(forecast, enough);
}

std::string info_json(const SceneRecord& record) {
  const SceneDescription& description = record.description;
  return document_text([&](Fields& field) {
    field("kind", "scene");
    field("path", record.path);
    field("product", text_or_null(description.product));
    field("quantity", text_or_null(description.quantity));
    PARSIMAP_FIELDS(description, driver, data_type, nodata);
    PARSIMAP_FIELDS(record.grid, width, height);
    field.groups("bands", record.bands.size(),
                 [&](std::size_t b) { list_band(field, static_cast<Index>(b), record.bands[b]); });
    field("misfit_bad_band_entries", description.misfit_bad_band_entries);
    // Six numbers as in GDAL: x and y of the upper left corner, and the steps on the ground along columns and rows.
    field("geotransform", record.grid.geotransform);
    field("crs", text_or_null(record.grid.crs));
    field("control_points", record.grid.control_points.size());
    PARSIMAP_FIELDS(record, geometry, quality);
    PARSIMAP_FIELDS(description, files, bytes);
  });
}

std::string info_json(const SpectralLibrary& library) {
  return document_text([&](Fields& field) {
    field("kind", "library");
    PARSIMAP_FIELDS(library, path, format);
    field("quantity", text_or_null(library.quantity));
    field("spectra", library.size());
    field("names", library.names);
    field.groups("attributes", library.attributes.size(),
                 [&](std::size_t column) { list_attribute(field, library, column); });
    field("missing_values", library.spectra.array().isNaN().count());
    // Set only for spectra that were kept by a training: the number of bands of the scene they come from.
    field("scene_bands", library.origin ? std::optional(library.origin->scene_bands) : std::nullopt);
    field.groups("bands", library.bands.size(), [&](std::size_t b) {
      field("band", b + 1);
      PARSIMAP_FIELDS(library.bands[b], name, wavelength, fwhm, bad);
    });
    field("notes", library.notes);
  });
}

std::string simulation_json(const SimulationRecord& record) {
  return document_text([&](Fields& field) {
    PARSIMAP_FIELDS(record, spec, width, height, bands, seed);
    list_class_pixels(field, record.classes);
    PARSIMAP_FIELDS(record, files, seconds);
  });
}

std::string label_places_json(const LabelPlacesRecord& record) {
  return document_text([&](Fields& field) {
    PARSIMAP_FIELDS(record, scene, model, file, resampled, excluded, asked, pixels, least_distance, distance_unit);
    field.groups("places", record.places.size(), [&](std::size_t i) { list_place(field, record.places[i], i + 1); });
    field.group("expected", record.expected,
                [&](const LabelForecastRecord& expected) { list_expected(field, expected); });
    list_cost(field, record);
  });
}

}  // namespace parsimap
