
#include "band_table.hpp"

#include <cpl_conv.h>
#include <cpl_minixml.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <system_error>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/envi_header.hpp"

#include "adapted/netcdf_cube.hpp"
#include "dataset.hpp"

namespace parsimap {
namespace {

// A wavelength has units behind its number in some files, which parse_number() would refuse, or a decimal comma.
std::optional<double> leading_number(std::string text) {
  std::ranges::replace(text, ',', '.');
  char* end = nullptr;
  const double value = CPLStrtod(text.c_str(), &end);
  return end != text.c_str() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// The value of the first key that is set: ENVI writes keys with blanks or with underscores.
std::string first_item(GDALMajorObject& object, std::initializer_list<const char*> keys) {
  // What the ENVI driver keeps of a header comes before items of the same name that other programs have added.
  for (const char* domain : {"ENVI", ""}) {
    for (const char* key : keys) {
      std::string value = metadata_item(object, key, domain);
      if (!value.empty()) {
        return value;
      }
    }
  }
  return {};
}

// A list of the header of an ENVI raster; of other formats, the item that tools copy from there.
std::vector<std::string> shared_list(GDALDataset& dataset, std::initializer_list<const char*> keys) {
  const std::optional<EnviHeader> header = header_of(dataset);
  return header ? header->list(*keys.begin()) : list_members(first_item(dataset, keys));
}

// The wavelength that the band itself states, with or without a unit.
std::string own_wavelength(GDALRasterBand& band) {
  return first_item(band, {"wavelength", "center_wavelength", "central_wavelength"});
}

// Those of all bands in one item, with blanks between, as copies of arrays in HDF5 have it by the path to the array:
// HDFEOS_SWATHS_HYP_Data_Fields_toa_radiance_wavelengths.
std::vector<std::string> wavelength_item(GDALDataset& dataset, std::size_t bands) {
  const CPLStringList items(CSLMerge(CSLDuplicate(dataset.GetMetadata()), dataset.GetRasterBand(1)->GetMetadata()));
  for (int i = 0; bands > 2 && i < items.size(); ++i) {
    std::vector<std::string> words = parts_of(items[i], "={}[](), ");
    std::erase(words, "");
    if (words.size() == bands + 1 && lower_case(words.front()).find("wavelength") != std::string::npos) {
      return {words.begin() + 1, words.end()};
    }
  }
  return {};
}

// What the band states, or else the entry of the list of its dataset.
std::string or_entry(const std::string& own, const std::vector<std::string>& list, std::size_t index) {
  return own.empty() && !list.empty() ? list[index] : own;
}

// The name of the band as the file has it. GDAL's ENVI driver adds " (wavelength units)" to it.
std::string band_name(GDALRasterBand& band, bool envi) {
  std::string name = band.GetDescription();
  const std::string wavelength = metadata_item(band, "wavelength");
  if (envi && !wavelength.empty()) {
    const std::string units = metadata_item(band, "wavelength_units");
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
  std::vector<std::string> bad;  // ENVI's list of 1 (good) and 0 (bad)
  // The list of wavelengths has another length, and so fits no band, though the ENVI driver hands it out one by one.
  bool misfit = false;
  bool misnamed = false;  // likewise the list of names
  bool envi = false;  // the wavelengths are those of a header of ENVI, or of one item, and come before those of bands
};

SharedEntries shared_entries(GDALDataset& dataset) {
  const auto bands = static_cast<std::size_t>(dataset.GetRasterCount());
  SharedEntries shared;
  shared.unit = first_item(dataset, {"wavelength_units", "wavelength units", "WAVELENGTH_UNITS", "wavelength_unit"});
  shared.wavelengths = shared_list(dataset, {"wavelength", "wavelengths", "WAVELENGTH"});
  shared.misfit = !shared.wavelengths.empty() && shared.wavelengths.size() != bands;
  const std::optional<EnviHeader> header = header_of(dataset);
  shared.envi = header && !shared.wavelengths.empty();
  if (shared.wavelengths.empty()) {
    shared.wavelengths = wavelength_item(dataset, bands);
    shared.envi = !shared.wavelengths.empty();
  }
  shared.misnamed = header && !header->fits("band names", dataset.GetRasterCount());
  const auto complete = [&](const std::vector<std::string>& list) {
    return list.size() == bands ? list : std::vector<std::string>();
  };
  shared.fwhm = complete(shared_list(dataset, {"fwhm", "FWHM"}));
  shared.bad = complete(shared_list(dataset, {"bbl"}));
  return shared;
}

// `index` counts bands from 0.
std::optional<double> wavelength_of(GDALRasterBand& band, std::size_t index, const SharedEntries& shared) {
  if (shared.misfit) {
    return std::nullopt;
  }
  // The band's own wavelength comes first, then GDAL's item for it, which is always in micrometres, and then the list
  // of the dataset. A band without a unit has that of the dataset; wavelength_nanometres() decides where there is none
  // either.
  std::string text = shared.envi ? "" : own_wavelength(band);
  std::string unit = first_item(band, {"wavelength_units", "wavelength_unit"});
  if (text.empty() && !shared.envi) {
    text = metadata_item(band, "CENTRAL_WAVELENGTH_UM", "IMAGERY");
    unit = text.empty() ? unit : "um";
  }
  // Copies of ENVI rasters keep it in the name alone: "450.5 Nanometers" or "Band 1 (0.45 um)".
  static const std::regex kName(R"((?:.*[ (_])?(\d+(?:\.\d+)?)[ _]?(nm|nanomet\w*|um|micromet\w*|\xc2\xb5m)\)?)",
                                std::regex::icase);
  const std::string name = std::string(band.GetDescription()).substr(0, 200);  // of which std::regex takes stack
  if (std::smatch parts; text.empty() && shared.wavelengths.empty() && std::regex_match(name, parts, kName)) {
    text = parts.str(1);
    unit = parts.str(2);
  }
  const std::optional<double> value = leading_number(or_entry(text, shared.wavelengths, index));
  return value && *value > 0 ? wavelength_nanometres(*value, unit.empty() ? shared.unit : unit) : std::nullopt;
}

// The width of a band in the unit of its wavelength. Without a unit, micrometres where the wavelength is in
// micrometres.
std::optional<double> fwhm_of(GDALRasterBand& band, std::size_t index, const SharedEntries& shared) {
  const auto micrometres = leading_number(metadata_item(band, "FWHM_UM", "IMAGERY"));
  if (micrometres && *micrometres > 0) {
    return *micrometres * 1e3;
  }
  // A width without a unit of its own is in the unit in which the wavelength is written. Whatever that unit is, the
  // factor to nanometres is the wavelength in nanometres divided by the written number.
  const std::optional<double> wavelength = wavelength_of(band, index, shared);
  const std::optional<double> width = leading_number(or_entry(first_item(band, {"fwhm"}), shared.fwhm, index));
  if (!width || *width <= 0 || !wavelength) {
    return std::nullopt;
  }
  const auto written = leading_number(or_entry(own_wavelength(band), shared.wavelengths, index));
  return written ? std::optional(*width * *wavelength / *written) : std::nullopt;
}

constexpr double kSameWavelength = 0.01;  // nanometres; also of widths
constexpr int kDeepest = 8;               // mosaics of mosaics that are followed

struct Sources {
  std::map<std::string, BandTable> tables;  // by file
  std::vector<std::vector<Band>> bands;     // of the sources of every band of the mosaic
  std::set<std::string> missing;            // that cannot be opened
};

bool is_bad(const Band& band) { return band.bad; }
bool knows_any(const BandTable& table) {
  return std::ranges::any_of(table, [](const Band& band) {
    return has_wavelength(band) || has_width(band) || has_name(band) || is_bad(band);
  });
}

struct Completed {
  std::vector<std::string> taken;
  std::vector<std::string> disputed;
  std::set<std::string> missing;  // sources
};

Completed complete_table(GDALDataset& dataset, BandTable& table, int depth);

const BandTable& source_table(const std::string& file, Sources& sources, int depth) {
  // Mosaics have hundreds of bands and few files: each file is opened once, and its table kept.
  const auto [entry, added] = sources.tables.try_emplace(file);
  if (added) {
    const ErrorCollector ignored;
    const DatasetPtr source(GDALDataset::Open(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY));
    if (source != nullptr) {
      entry->second = band_table(*source);
      complete_table(*source, entry->second, depth + 1);
    } else {
      sources.missing.insert(file);
    }
  }
  return entry->second;
}

// A mosaic of GDAL (VRT) drops most of what its sources state about their bands. The functions below look it up there.
// Each of four properties (wavelengths, widths, names, marks of bad bands) is taken from the sources if the mosaic
// states it for none of its bands, if some source states it, and if the sources of each band agree.

// The bands that a band of the mosaic is read from, by the elements of its sources.
std::vector<Band> source_bands(const std::vector<const CPLXMLNode*>& elements, const std::string& folder,
                               Sources& sources, int depth) {
  std::vector<Band> found;
  for (const CPLXMLNode* element : elements) {
    const int number = std::atoi(CPLGetXMLValue(element, "SourceBand", "1"));
    const BandTable& table = source_table(source_file(element, folder), sources, depth);
    // A source that cannot be opened has an empty table, and masks (such as "mask,1") are no bands: both know nothing.
    if (number >= 1 && number <= static_cast<int>(table.size())) {
      found.push_back(table[static_cast<std::size_t>(number) - 1]);
    }
  }
  return found;
}

Sources sources_of(GDALDataset& dataset, int depth) {
  Sources sources;
  const std::string folder = CPLGetPath(dataset.GetDescription());
  const CPLXMLTreeCloser document = mosaic_document(dataset);
  for (const auto& elements : sources_of_bands(document)) {
    sources.bands.push_back(source_bands(elements, folder, sources, depth));
    // Opening the sources of hundreds of bands takes long. If no source of the bands so far states anything, the search
    // ends.
    if (std::ranges::none_of(sources.tables, [](const auto& entry) { return knows_any(entry.second); })) {
      return {{}, {}, sources.missing};
    }
  }
  return sources;
}

// What the sources of every band say by `value`; one that says Value{} does not know. Nothing where those of some band
// are not all the `same`.
template <typename Value, typename Of, typename Same>
std::optional<std::vector<Value>> agreed(const Sources& sources, const Of& value, const Same& same) {
  std::vector<Value> values;
  // The first source that knows the value gives it; others must have the same or not know it.
  for (const std::vector<Band>& bands : sources.bands) {
    Value found{};
    for (const Band& band : bands) {
      const Value next = std::invoke(value, band);
      if (found == Value{}) {
        found = next;
      } else if (next != Value{} && !same(found, next)) {
        return std::nullopt;
      }
    }
    values.push_back(found);
  }
  return values;
}

Completed complete(GDALDataset& dataset, const Sources& sources, BandTable& table) {
  Completed result{{}, {}, sources.missing};
  if (sources.bands.size() != table.size()) {
    return result;
  }
  // Whether the mosaic states it for none of its bands, and some source does.
  const auto is_wanted = [&](bool (*has)(const Band&)) {
    return std::ranges::none_of(table, has) && std::ranges::any_of(sources.tables, [&](const auto& entry) {
             return std::ranges::any_of(entry.second, has);
           });
  };
  const auto take = [&](const char* what, const auto& values, const auto& put) {
    (values ? result.taken : result.disputed).emplace_back(what);
    for (std::size_t b = 0; values && b < table.size(); ++b) {
      put(table[b], (*values)[b]);
    }
  };
  const auto near = [](const auto& a, const auto& b) { return std::abs(*a - *b) < kSameWavelength; };
  const auto take_property = [&]<typename Value>(const char* what, Value Band::*property, bool (*has)(const Band&),
                                                 const auto& same) {
    if (is_wanted(has)) {
      take(what, agreed<Value>(sources, property, same),
           [&](Band& band, const Value& value) { band.*property = value; });
    }
  };
  take_property("wavelengths", &Band::wavelength, has_wavelength, near);
  take_property("widths", &Band::fwhm, has_width, near);
  take_property("names", &Band::name, has_name, std::equal_to<>());
  if (is_wanted(is_bad) && bad_band_entries(dataset) == 0) {
    // A mark says 1 for bad and 2 for good: a source always says one of both.
    take("marks of bad bands",
         agreed<int>(
             sources, [](const Band& band) { return band.bad ? 1 : 2; }, std::equal_to<>()),
         [](Band& band, int value) { band.bad = value == 1; });
  }
  return result;
}

// The file that each band of a stack is read from, without folder and extension; empty unless every band has one of its
// own.
std::vector<std::string> files_of_bands(GDALDataset& dataset) {
  std::vector<std::string> names;
  std::set<std::string> different;
  const CPLXMLTreeCloser document = mosaic_document(dataset);
  for (const auto& elements : sources_of_bands(document)) {
    const char* file = elements.size() == 1 ? CPLGetXMLValue(elements.front(), "SourceFilename", nullptr) : nullptr;
    if (file == nullptr || !different.insert(file).second) {
      return {};
    }
    // Of NETCDF:"file":B02 the variable.
    const bool variable = STARTS_WITH_CI(file, "NETCDF:") || STARTS_WITH_CI(file, "HDF5:");
    names.emplace_back(variable ? CPLGetFilename(std::strrchr(file, ':') + 1) : CPLGetBasename(file));
  }
  return names;
}

// Names without what all of them begin and end with, up to a character between words: of T33_B02_10m and T33_B8A_10m
// the parts B02 and B8A.
std::vector<std::string> distinctive_parts(const std::vector<std::string>& names) {
  const auto common = [](const auto& values) {
    std::size_t count = 0;
    std::size_t words = 0;
    const auto& first = values.front();
    while (count < first.size() && std::ranges::all_of(values, [&](const auto& value) {
             return count < value.size() && value[count] == first[count];
           })) {
      ++count;
      words = std::isalnum(static_cast<unsigned char>(first[count - 1])) == 0 ? count : words;
    }
    return words;
  };
  const std::size_t before = common(names);
  const std::size_t after = common(
      mapped<std::string>(names, [](const std::string& name) { return std::string(name.rbegin(), name.rend()); }));
  return mapped<std::string>(names, [&](const std::string& name) {
    return before + after < name.size() ? name.substr(before, name.size() - before - after) : name;
  });
}

// The bands of a stack of files are in the order in which somebody has named the files, such as that of the alphabet:
// B1, B10, B2. The files' names are then those of the bands, so that others are not taken for them by position.
void name_stacked_bands(GDALDataset& dataset, BandTable& table) {
  if (!EQUAL(dataset.GetDriverName(), "VRT") || std::ranges::any_of(table, has_name) ||
      std::ranges::any_of(table, has_wavelength)) {
    return;
  }
  const std::vector<std::string> files = files_of_bands(dataset);
  const std::vector<std::string> names = files.size() > 1 ? distinctive_parts(files) : files;
  for (std::size_t i = 0; i < std::min(names.size(), table.size()); ++i) {
    table[i].name = names[i];
  }
}

// Sources may be mosaics again, whose tables are completed in the same way. The depth is limited, since a mosaic may
// refer to itself.
Completed complete_table(GDALDataset& dataset, BandTable& table, int depth) {
  const bool mosaic = EQUAL(dataset.GetDriverName(), "VRT") && depth < kDeepest;
  const auto states = [&](bool (*has)(const Band&)) { return std::ranges::any_of(table, has); };
  const bool whole = states(has_wavelength) && states(has_width) && states(has_name) && states(is_bad);
  return mosaic && !whole ? complete(dataset, sources_of(dataset, depth), table) : Completed{};
}

}  // namespace

BandTable band_table(GDALDataset& dataset) {
  const SharedEntries shared = shared_entries(dataset);
  const bool envi = EQUAL(dataset.GetDriverName(), "ENVI");
  // What values are divided by to be reflectances.
  GDALMajorObject* const stated = dataset.GetRasterBand(1);  // of an array, see oriented_cube()
  const std::string text = metadata_item(envi ? dataset : *stated, "reflectance_scale_factor", "ENVI");
  const double factor = leading_number(text).value_or(1);
  BandTable table;
  for (GDALRasterBand* band : dataset.GetBands()) {
    Band entry;
    entry.name = shared.misnamed ? "" : band_name(*band, envi);
    entry.wavelength = wavelength_of(*band, table.size(), shared);
    entry.fwhm = fwhm_of(*band, table.size(), shared);
    // A band is bad if its mark is 0; a missing or unreadable mark means a good band.
    const std::string own_mark = metadata_item(*band, "bbl");
    entry.bad = band_mark(!own_mark.empty() || shared.bad.empty() ? own_mark : shared.bad[table.size()]) == 0.0;
    entry.scale = band->GetScale();
    entry.offset = band->GetOffset();
    // A scale of the band itself comes first: it may be the same factor.
    entry.scale = factor > 0 && entry.scale == 1 && entry.offset == 0 ? 1 / factor : entry.scale;
    table.push_back(entry);
    if (!entry.bad && (entry.scale == 0 || !std::isfinite(entry.scale) || !std::isfinite(entry.offset))) {
      throw DataError(std::string(dataset.GetDescription()) + ": band " + std::to_string(table.size()) +
                      " has the scale " + CPLSPrintf("%g", entry.scale) + " and the offset " +
                      CPLSPrintf("%g", entry.offset) +
                      ", which make one value of all that it stores; the scale must be a number other than 0 and the "
                      "offset a number (gdal_edit.py -scale 1 -offset 0 takes them away)");
    }
  }
  const bool unknown = std::ranges::none_of(table, has_wavelength);
  const std::vector<double> wavelengths = unknown ? cube_wavelengths(dataset) : std::vector<double>{};
  for (std::size_t b = 0; b < wavelengths.size(); ++b) {
    table[b].wavelength = wavelengths[b];
  }
  return table;
}

std::size_t bad_band_entries(GDALDataset& dataset) { return shared_list(dataset, {"bbl"}).size(); }

void set_wavelengths(GDALDataset& dataset, const BandTable& bands) {
  const auto text_of = [](const Band& band) { return std::string(CPLSPrintf("%.10g", *band.wavelength)); };
  // ENVI has one list for all bands in its header, which cannot leave one out, other formats an item for each band.
  if (EQUAL(dataset.GetDriverName(), "ENVI")) {
    if (std::ranges::all_of(bands, has_wavelength)) {
      dataset.SetMetadataItem("wavelength", ("{" + separated(bands, ", ", text_of) + "}").c_str(), "ENVI");
      dataset.SetMetadataItem("wavelength_units", "Nanometers", "ENVI");
    }
    return;
  }
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (bands[i].wavelength) {
      GDALRasterBand* band = dataset.GetRasterBand(static_cast<int>(i) + 1);
      band->SetMetadataItem("wavelength", text_of(bands[i]).c_str());
      band->SetMetadataItem("wavelength_units", "Nanometers");
    }
  }
}

std::string complete_from_sources(GDALDataset& dataset, const std::string& path, BandTable& table) {
  const Completed result = complete_table(dataset, table, 0);
  name_stacked_bands(dataset, table);
  std::string sentence;
  if (!result.taken.empty()) {
    sentence =
        path + " does not keep the " + listed(result.taken, " and ") + " of its bands: they are taken from its sources";
  }
  if (!result.disputed.empty()) {
    sentence += (sentence.empty() ? path + ": " : "; ") + std::string("its sources do not agree in the ") +
                listed(result.disputed, " and ") + " of bands, which stay unknown";
  }
  if (!result.missing.empty()) {
    sentence += (sentence.empty() ? path + ": " : "; ") + std::string("sources that cannot be opened: ") +
                shortened(result.missing, 5);
  }
  return sentence;
}

std::vector<double> product_offsets(GDALDataset& dataset, const std::string& path) {
  // Names that are relative to the working folder may leave that of the product out.
  const auto whole = [](const std::string& file) {
    std::error_code unnamed;
    return std::filesystem::absolute(file, unnamed).string();
  };
  const auto of_product = [&](const std::string& file) { return whole(file).find(".SAFE/") != std::string::npos; };
  std::vector<double> offsets(static_cast<std::size_t>(dataset.GetRasterCount()), 0);
  if (std::ranges::none_of(files_of(dataset), of_product)) {
    return offsets;
  }
  static const std::regex kImage(R"(.*_MSIL(1C|2A)_.*_N0[4-9]\d\d_.*\.SAFE/.*_B\d[\dA]?(_\d+m)?\.jp2.*)");
  const CPLXMLTreeCloser document = mosaic_document(dataset);
  const auto sources = sources_of_bands(document);
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    GDALRasterBand& band = *dataset.GetBands()[b];
    const bool mosaic = b < sources.size() && !sources[b].empty();
    const std::string image = mosaic ? source_file(sources[b].front(), CPLGetPath(path.c_str()))
                                     : path + "_" + metadata_item(band, "BANDNAME") + ".jp2";
    offsets[b] = band.GetOffset() == 0 && std::regex_match(whole(image), kImage) ? -1000 : 0;
  }
  return offsets;
}

}  // namespace parsimap
