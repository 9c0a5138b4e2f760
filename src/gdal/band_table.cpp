#include "band_table.hpp"

#include <cpl_string.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

namespace parsimap {
namespace {

// A wavelength has units behind its number in some files, which parse_number() would refuse.
std::optional<double> leading_number(const std::string& text) {
  const char* begin = text.c_str();
  char* end = nullptr;
  const double value = CPLStrtod(begin, &end);
  return end != begin && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string item(GDALMajorObject& object, const char* key, const char* domain = "") {
  const char* value = object.GetMetadataItem(key, domain);
  return value != nullptr ? value : "";
}

// The members of an ENVI list such as {430.0, 434.2}. A list without any is written {}.
std::vector<std::string> list_members(const std::string& text) {
  const CPLStringList tokens(CSLTokenizeString2(text.c_str(), "{},", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
  std::vector<std::string> members;
  for (int i = 0; i < tokens.size(); ++i) {
    if (*tokens[i] != '\0') {
      members.emplace_back(tokens[i]);
    }
  }
  return members;
}

// The value of the first key that is set: ENVI writes keys with blanks or with underscores.
std::string first_item(GDALDataset& dataset, std::initializer_list<const char*> keys) {
  for (const char* domain : {"ENVI", ""}) {
    for (const char* key : keys) {
      std::string value = item(dataset, key, domain);
      if (!value.empty()) {
        return value;
      }
    }
  }
  return {};
}

// ENVI's list of 1 (good) and 0 (bad).
std::vector<std::string> bad_band_list(GDALDataset& dataset) { return list_members(first_item(dataset, {"bbl"})); }

// The name of the band as the file has it. GDAL's ENVI driver adds " (wavelength units)" to it.
std::string band_name(GDALRasterBand& band, bool envi) {
  std::string name = band.GetDescription();
  const std::string wavelength = item(band, "wavelength");
  if (envi && !wavelength.empty()) {
    const std::string units = item(band, "wavelength_units");
    const std::string suffix = " (" + wavelength + (units.empty() ? "" : " " + units) + ")";
    if (name.ends_with(suffix)) {
      name.erase(name.size() - suffix.size());
    }
  }
  return name;
}

// What the dataset says of all its bands at once: an entry for each band, or none.
struct SharedEntries {
  std::string unit;
  std::vector<std::string> wavelengths;
  std::vector<std::string> fwhm;
  std::vector<std::string> bad;
  // The list of wavelengths has another length, and so fits no band, though the ENVI driver hands it out one by one.
  bool misfit = false;
};

SharedEntries shared_entries(GDALDataset& dataset) {
  const auto bands = static_cast<std::size_t>(dataset.GetRasterCount());
  SharedEntries shared;
  shared.unit = first_item(dataset, {"wavelength_units", "wavelength units", "WAVELENGTH_UNITS", "wavelength_unit"});
  shared.wavelengths = list_members(first_item(dataset, {"wavelength", "wavelengths", "WAVELENGTH"}));
  shared.misfit = !shared.wavelengths.empty() && shared.wavelengths.size() != bands;
  shared.fwhm = list_members(first_item(dataset, {"fwhm", "FWHM"}));
  if (shared.fwhm.size() != bands) {
    shared.fwhm.clear();
  }
  shared.bad = bad_band_list(dataset);
  if (shared.bad.size() != bands) {
    shared.bad.clear();
  }
  return shared;
}

// `index` counts bands from 0.
std::optional<double> wavelength_of(GDALRasterBand& band, std::size_t index, const SharedEntries& shared) {
  if (shared.misfit) {
    return std::nullopt;
  }
  std::string text = item(band, "wavelength");
  std::string unit = item(band, "wavelength_units");
  if (text.empty()) {
    text = item(band, "CENTRAL_WAVELENGTH_UM", "IMAGERY");
    unit = text.empty() ? unit : "um";
  }
  if (text.empty() && !shared.wavelengths.empty()) {
    text = shared.wavelengths[index];
  }
  const std::optional<double> value = leading_number(text);
  return value && *value > 0 ? wavelength_nanometres(*value, unit.empty() ? shared.unit : unit) : std::nullopt;
}

// The width of a band in the unit of its wavelength. Without a unit, micrometres where the wavelength is in
// micrometres.
std::optional<double> fwhm_of(GDALRasterBand& band, std::size_t index, const SharedEntries& shared) {
  const std::string own_width = item(band, "FWHM_UM", "IMAGERY");
  if (const auto micrometres = leading_number(own_width); micrometres && *micrometres > 0) {
    return *micrometres * 1e3;
  }
  std::string text = item(band, "fwhm");
  if (text.empty() && !shared.fwhm.empty()) {
    text = shared.fwhm[index];
  }
  const std::optional<double> width = leading_number(text);
  const std::string wavelength_text = item(band, "wavelength");
  const std::optional<double> written = leading_number(
      wavelength_text.empty() && !shared.wavelengths.empty() && !shared.misfit ? shared.wavelengths[index]
                                                                               : wavelength_text);
  const std::optional<double> wavelength = wavelength_of(band, index, shared);
  if (!width || *width <= 0 || !written || !wavelength) {
    return std::nullopt;
  }
  return *width * *wavelength / *written;
}

}  // namespace

BandTable band_table(GDALDataset& dataset) {
  const SharedEntries shared = shared_entries(dataset);
  const bool envi = EQUAL(dataset.GetDriverName(), "ENVI");
  BandTable table;
  for (GDALRasterBand* band : dataset.GetBands()) {
    Band entry;
    entry.name = band_name(*band, envi);
    entry.wavelength = wavelength_of(*band, table.size(), shared);
    entry.fwhm = fwhm_of(*band, table.size(), shared);
    const std::string own_mark = item(*band, "bbl");
    entry.bad = leading_number(!own_mark.empty() || shared.bad.empty() ? own_mark : shared.bad[table.size()]) == 0.0;
    entry.scale = band->GetScale();
    entry.offset = band->GetOffset();
    table.push_back(entry);
  }
  return table;
}

std::size_t bad_band_entries(GDALDataset& dataset) { return bad_band_list(dataset).size(); }

void set_wavelengths(GDALDataset& dataset, const BandTable& bands) {
  const bool all =
      std::all_of(bands.begin(), bands.end(), [](const Band& band) { return band.wavelength.has_value(); });
  const bool envi = EQUAL(dataset.GetDriverName(), "ENVI");
  if (envi && !all) {
    return;  // An ENVI header cannot leave one out.
  }
  std::string list;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (!bands[i].wavelength) {
      continue;
    }
    const std::string text = CPLSPrintf("%.10g", *bands[i].wavelength);
    list += (list.empty() ? "{" : ", ") + text;
    if (!envi) {
      GDALRasterBand* band = dataset.GetRasterBand(static_cast<int>(i) + 1);
      band->SetMetadataItem("wavelength", text.c_str());
      band->SetMetadataItem("wavelength_units", "Nanometers");
    }
  }
  if (envi) {
    dataset.SetMetadataItem("wavelength", (list + "}").c_str(), "ENVI");
    dataset.SetMetadataItem("wavelength_units", "Nanometers", "ENVI");
  }
}

}  // namespace parsimap
