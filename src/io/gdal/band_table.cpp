#include "band_table.hpp"

#include <cpl_string.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace parsimap::gdal {

namespace {

std::optional<double> parse_number(const std::string& text) {
  const char* begin = text.c_str();
  char* end = nullptr;
  const double value = CPLStrtod(begin, &end);
  return end != begin && std::isfinite(value) && value > 0 ? std::optional<double>(value) : std::nullopt;
}

std::string item(GDALMajorObject& object, const char* key, const char* domain = "") {
  const char* value = object.GetMetadataItem(key, domain);
  return value != nullptr ? value : "";
}

// The members of an ENVI list such as {430.0, 434.2}; empty for {}.
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

// The first key that is set, as ENVI keys are written with blanks or underscores.
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

bool is_zero(const std::string& text) {
  const char* begin = text.c_str();
  char* end = nullptr;
  return CPLStrtod(begin, &end) == 0 && end != begin;
}

// The band's name as the file has it: GDAL's ENVI driver adds " (wavelength units)" to it.
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

}  // namespace

std::optional<double> wavelength_nanometres(double value, const std::string& unit) {
  std::string name;
  std::transform(unit.begin(), unit.end(), std::back_inserter(name),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static constexpr std::array<std::pair<const char*, double>, 14> factors{{{"nm", 1},
                                                                           {"nanomet", 1},
                                                                           {"um", 1e3},
                                                                           {"\xc2\xb5m", 1e3},
                                                                           {"\xce\xbcm", 1e3},
                                                                           {"micro", 1e3},
                                                                           {"angstrom", 0.1},
                                                                           {"millimet", 1e6},
                                                                           {"mm", 1e6},
                                                                           {"centimet", 1e7},
                                                                           {"cm", 1e7},
                                                                           {"wavenumber", 0},
                                                                           {"index", 0},
                                                                           {"met", 1e9}}};
  for (const auto& [prefix, factor] : factors) {
    if (name.starts_with(prefix)) {
      return factor > 0 ? std::optional<double>(value * factor) : std::nullopt;
    }
  }
  if (name == "ghz" || name == "mhz") {
    return std::nullopt;
  }
  return value < 100 ? value * 1e3 : value;
}

BandTable band_table(GDALDataset& dataset) {
  const std::string shared_unit =
      first_item(dataset, {"wavelength_units", "wavelength units", "WAVELENGTH_UNITS", "wavelength_unit"});
  const std::vector<std::string> list = list_members(first_item(dataset, {"wavelength", "wavelengths", "WAVELENGTH"}));
  // A list of another length fits no band, though the ENVI driver hands it out one by one.
  const bool misfit = !list.empty() && static_cast<int>(list.size()) != dataset.GetRasterCount();
  std::vector<std::string> bad = bad_band_list(dataset);
  bad.resize(static_cast<int>(bad.size()) == dataset.GetRasterCount() ? bad.size() : 0);
  const bool envi = EQUAL(dataset.GetDriverName(), "ENVI");
  BandTable table;
  for (GDALRasterBand* band : dataset.GetBands()) {
    Band entry;
    entry.name = band_name(*band, envi);
    std::string text = item(*band, "wavelength");
    std::string unit = item(*band, "wavelength_units");
    if (text.empty()) {
      text = item(*band, "CENTRAL_WAVELENGTH_UM", "IMAGERY");
      unit = text.empty() ? unit : "um";
    }
    if (misfit) {
      text.clear();
    } else if (text.empty() && !list.empty()) {
      text = list[table.size()];
    }
    if (const std::optional<double> value = parse_number(text)) {
      entry.wavelength = wavelength_nanometres(*value, unit.empty() ? shared_unit : unit);
    }
    const std::string own_mark = item(*band, "bbl");
    entry.bad = is_zero(!own_mark.empty() || bad.empty() ? own_mark : bad[table.size()]);
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
    return;  // an ENVI header has no way to leave one out
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

}  // namespace parsimap::gdal
