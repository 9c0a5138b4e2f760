#include "parsimap/library/library_output.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "parsimap/core/text.hpp"

#include "formats.hpp"

namespace parsimap {

namespace fs = std::filesystem;

static std::string wavelength_text(const Band& band) { return number_text(band.wavelength.value_or(0)); }
static std::string width_text(const Band& band) { return number_text(band.fwhm.value_or(0)); }

// A name without the signs that end the members of a list.
// A list of an ENVI header has no way to escape these letters.
static std::string list_name(std::string name) {
  constexpr std::string_view kEnding = ",{}\r\n";
  std::ranges::replace_if(
      name, [&](char letter) { return kEnding.find(letter) != kEnding.npos; }, ' ');
  return name;
}

static std::string envi_list(const std::string& name, const std::string& members) {
  return name + " = {" + members + "}\n";
}

// Fields that ENVI does not know begin with "parsimap", and other programs pass over them. Lists of wavelengths and
// widths are written only where every band has one, because ENVI has no mark for a missing one.
static std::string envi_header(const SpectralLibrary& library) {
  const BandTable& bands = library.bands;
  const std::string names = separated(library.names, ", ", list_name);
  std::string text = "ENVI\nsamples = " + std::to_string(bands.size()) + "\nlines = " + std::to_string(library.size()) +
                     "\nbands = 1\nheader offset = 0\nfile type = ENVI Spectral Library\ndata type = 4\n"
                     "interleave = bsq\nbyte order = 0\n" +
                     envi_list("spectra names", names);
  if (std::ranges::all_of(bands, has_wavelength)) {
    text += "wavelength units = Nanometers\n" + envi_list("wavelength", separated(bands, ", ", wavelength_text));
    if (std::ranges::all_of(bands, has_width)) {
      text += envi_list("fwhm", separated(bands, ", ", width_text));
    }
  }
  text += envi_list("bbl", separated(bands, ", ", [](const Band& band) { return std::string(band.bad ? "0" : "1"); }));
  if (std::ranges::all_of(bands, has_name)) {
    text +=
        envi_list("parsimap band names", separated(bands, ", ", [](const Band& band) { return list_name(band.name); }));
  }
  if (library.origin) {
    text += "parsimap scene bands = " + std::to_string(library.origin->scene_bands) +
            "\nparsimap bands = " + band_ranges(library.origin->bands) +
            "\nparsimap dropped bands = " + dropped_ranges(library.origin->dropped) + "\n";
  }
  return text;
}

// The numbers of the spectra, row by row, little-endian.
static std::string envi_bytes(const Spectra& spectra) {
  static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");
  return {reinterpret_cast<const char*>(spectra.data()), static_cast<std::size_t>(spectra.size()) * sizeof(float)};
}

// Each field behind a comma.
static std::string fields_text(const std::vector<std::string>& fields) {
  return separated(fields, "", [](const std::string& field) { return "," + csv_field(field); });
}

static std::string attribute_header(const SpectralLibrary& library) {
  return "spectra names" + fields_text(library.attributes);
}

static std::string attribute_fields(const SpectralLibrary& library, std::size_t row, const std::string& name) {
  return csv_field(name) + fields_text(library.values[row]);
}

static std::string attribute_table(const SpectralLibrary& library) {
  std::string text = attribute_header(library) + "\n";
  for (std::size_t row = 0; row < library.names.size(); ++row) {
    text += attribute_fields(library, row, list_name(library.names[row])) + "\n";
  }
  return text;
}

static std::string value_text(float value) { return std::isfinite(value) ? number_text(value) : ""; }

static std::string spectra_table(const SpectralLibrary& library) {
  std::string text = attribute_header(library);
  for (std::size_t b = 0; b < library.bands.size(); ++b) {
    const Band& band = library.bands[b];
    text += "," + (band.wavelength ? wavelength_text(band) + " nm" : "band " + std::to_string(b + 1));
  }
  text += "\n";
  for (std::size_t row = 0; row < library.names.size(); ++row) {
    text += attribute_fields(library, row, library.names[row]);
    for (Index b = 0; b < library.spectra.cols(); ++b) {
      text += "," + value_text(library.spectra(static_cast<Index>(row), b));
    }
    text += "\n";
  }
  return text;
}

// A further file of the output, with another extension.
static void write_beside(const StagedOutput& output, const char* extension, const std::string& text) {
  StagedOutput side = output;
  side.path = fs::path(output.path).replace_extension(extension).string();
  write_text(side, text);
}

static std::string json_list(const std::string& key, const std::string& members) {
  return "\"" + key + "\":[" + members + "],";
}

// A text of JSON; names of bands may hold anything.
static std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

static std::string origin_text(const BandOrigin& origin) {
  return "\"bands\":" + json_text(band_ranges(origin.bands)) +
         ",\"droppedBands\":" + json_text(dropped_ranges(origin.dropped)) + ",\"sceneBands\":\"" +
         std::to_string(origin.scene_bands) + "\",";
}

bool is_library_output(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".sli" || extension == ".csv";
}

const StagedOutput& stage_library(OutputSet& outputs, const std::string& role, const std::string& path) {
  std::vector<std::string> files = {path};
  if (extension_of(path) == ".sli") {
    // An ENVI library consists of the numbers, a header and a table of attributes, which are published together.
    for (const char* extension : {".hdr", ".csv"}) {
      files.push_back(fs::path(path).replace_extension(extension).string());
    }
  }
  return outputs.stage(role, path, std::move(files));
}

void write_library(const StagedOutput& output, const SpectralLibrary& library) {
  if (extension_of(output.target) == ".csv") {
    write_text(output, spectra_table(library));
    return;
  }
  write_text(output, envi_bytes(library.spectra));
  write_beside(output, ".hdr", envi_header(library));
  write_beside(output, ".csv", attribute_table(library));
}

std::string profile_text(const SpectralLibrary& library, Index row) {
  const BandTable& bands = library.bands;
  std::string text = "{";
  if (library.origin) {
    text += origin_text(*library.origin);
  }
  if (std::ranges::any_of(bands, has_name)) {
    text += json_list("bandNames", separated(bands, ",", [](const Band& band) { return json_text(band.name); }));
  }
  if (std::ranges::any_of(bands, [](const Band& band) { return band.bad; })) {
    text += json_list("bbl", separated(bands, ",", [](const Band& band) { return std::string(band.bad ? "0" : "1"); }));
  }
  if (std::ranges::any_of(bands, has_wavelength)) {
    if (std::ranges::any_of(bands, has_width)) {
      text += json_list("fwhm",
                        separated(bands, ",", [](const Band& band) { return band.fwhm ? width_text(band) : "null"; }));
    }
    text += json_list(
        "x", separated(bands, ",", [](const Band& band) { return band.wavelength ? wavelength_text(band) : "null"; }));
    text += "\"xUnit\":\"nm\",";
  }
  // Missing values are null, since JSON has no NaN.
  std::string values;
  for (Index b = 0; b < library.spectra.cols(); ++b) {
    const float value = library.spectra(row, b);
    values += (b == 0 ? "" : ",") + (std::isfinite(value) ? number_text(value) : std::string("null"));
  }
  return text + "\"y\":[" + values + "]}";
}

}  // namespace parsimap
