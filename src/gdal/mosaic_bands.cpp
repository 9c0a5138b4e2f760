#include "mosaic_bands.hpp"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "band_table.hpp"
#include "dataset.hpp"

namespace parsimap {
namespace {

constexpr double kSameWavelength = 0.01;  // nanometres; also of widths
constexpr int kDeepest = 8;               // mosaics of mosaics that are followed

struct Sources {
  std::map<std::string, BandTable> tables;  // by file
  std::vector<std::vector<Band>> bands;     // of the sources of every band of the mosaic
};

bool knows_wavelengths(const BandTable& table) {
  return std::any_of(table.begin(), table.end(), [](const Band& band) { return band.wavelength.has_value(); });
}
bool knows_widths(const BandTable& table) {
  return std::any_of(table.begin(), table.end(), [](const Band& band) { return band.fwhm.has_value(); });
}
bool knows_names(const BandTable& table) {
  return std::any_of(table.begin(), table.end(), [](const Band& band) { return !band.name.empty(); });
}
bool knows_bad(const BandTable& table) {
  return std::any_of(table.begin(), table.end(), [](const Band& band) { return band.bad; });
}
bool knows_any(const BandTable& table) {
  return knows_wavelengths(table) || knows_widths(table) || knows_names(table) || knows_bad(table);
}

BandTable table_of(GDALDataset& dataset, int depth);

const BandTable& source_table(const std::string& file, Sources& sources, int depth) {
  const auto [entry, added] = sources.tables.try_emplace(file);
  if (added) {
    const ErrorCollector ignored;  // the mosaic itself tells of sources that cannot be read
    const DatasetPtr source(GDALDataset::Open(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY));
    if (source != nullptr) {
      entry->second = table_of(*source, depth + 1);
    }
  }
  return entry->second;
}

// The bands that a band of the mosaic is read from.
std::vector<Band> source_bands(GDALRasterBand& band, const std::string& folder, Sources& sources, int depth) {
  std::vector<Band> found;
  char** texts = band.GetMetadata("vrt_sources");
  for (int i = 0; i < CSLCount(texts); ++i) {
    const char* text = std::strchr(texts[i], '=');
    const ErrorCollector ignored;
    const CPLXMLTreeCloser tree(text != nullptr ? CPLParseXMLString(text + 1) : nullptr);
    if (tree.get() == nullptr) {
      continue;
    }
    const std::string name = CPLGetXMLValue(tree.get(), "SourceFilename", "");
    const bool relative = std::atoi(CPLGetXMLValue(tree.get(), "SourceFilename.relativeToVRT", "0")) != 0;
    const int number = std::atoi(CPLGetXMLValue(tree.get(), "SourceBand", "1"));
    const BandTable& table =
        source_table(relative ? CPLProjectRelativeFilename(folder.c_str(), name.c_str()) : name, sources, depth);
    if (number >= 1 && number <= static_cast<int>(table.size())) {
      found.push_back(table[static_cast<std::size_t>(number) - 1]);
    }
  }
  return found;
}

Sources sources_of(GDALDataset& dataset, int depth) {
  Sources sources;
  const std::string folder = CPLGetPath(dataset.GetDescription());
  for (GDALRasterBand* band : dataset.GetBands()) {
    sources.bands.push_back(source_bands(*band, folder, sources, depth));
    const bool hopeless = std::none_of(sources.tables.begin(), sources.tables.end(),
                                       [](const auto& entry) { return knows_any(entry.second); });
    if (hopeless) {
      return {};
    }
  }
  return sources;
}

// What the sources of every band say by `value`; one that says Value{} does not know. Nothing where those of some band
// are not all the `same`.
template <typename Value, typename Of, typename Same>
std::optional<std::vector<Value>> agreed(const Sources& sources, const Of& value, const Same& same) {
  std::vector<Value> values;
  for (const std::vector<Band>& bands : sources.bands) {
    Value found{};
    for (const Band& band : bands) {
      const Value next = value(band);
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

struct Completed {
  std::vector<std::string> taken;
  std::vector<std::string> disputed;
};

Completed complete(GDALDataset& dataset, const Sources& sources, BandTable& table) {
  Completed result;
  if (sources.bands.size() != table.size()) {
    return result;
  }
  const auto in_sources = [&](const auto& knows) {
    return std::any_of(sources.tables.begin(), sources.tables.end(),
                       [&](const auto& entry) { return knows(entry.second); });
  };
  const auto take = [&](const char* what, const auto& values, const auto& put) {
    (values ? result.taken : result.disputed).emplace_back(what);
    for (std::size_t b = 0; values && b < table.size(); ++b) {
      put(table[b], (*values)[b]);
    }
  };
  const auto near = [](const auto& a, const auto& b) { return std::abs(*a - *b) < kSameWavelength; };
  if (!knows_wavelengths(table) && in_sources(knows_wavelengths)) {
    take("wavelengths",
         agreed<std::optional<double>>(
             sources, [](const Band& band) { return band.wavelength; }, near),
         [](Band& band, const std::optional<double>& value) { band.wavelength = value; });
  }
  if (!knows_widths(table) && in_sources(knows_widths)) {
    take("widths",
         agreed<std::optional<double>>(
             sources, [](const Band& band) { return band.fwhm; }, near),
         [](Band& band, const std::optional<double>& value) { band.fwhm = value; });
  }
  if (!knows_names(table) && in_sources(knows_names)) {
    take("names",
         agreed<std::string>(
             sources, [](const Band& band) { return band.name; }, std::equal_to<>()),
         [](Band& band, const std::string& value) { band.name = value; });
  }
  if (!knows_bad(table) && bad_band_entries(dataset) == 0 && in_sources(knows_bad)) {
    // A mark says 1 for bad and 2 for good: a source always says one of both.
    take("marks of bad bands",
         agreed<int>(
             sources, [](const Band& band) { return band.bad ? 1 : 2; }, std::equal_to<>()),
         [](Band& band, int value) { band.bad = value == 1; });
  }
  return result;
}

Completed complete_table(GDALDataset& dataset, BandTable& table, int depth) {
  const bool mosaic = EQUAL(dataset.GetDriverName(), "VRT") && depth < kDeepest;
  const bool whole = knows_wavelengths(table) && knows_widths(table) && knows_names(table) && knows_bad(table);
  return mosaic && !whole ? complete(dataset, sources_of(dataset, depth), table) : Completed{};
}

BandTable table_of(GDALDataset& dataset, int depth) {
  BandTable table = band_table(dataset);
  complete_table(dataset, table, depth);
  return table;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += (i == 0 ? "" : i + 1 < words.size() ? ", " : " and ") + words[i];
  }
  return list;
}

}  // namespace

std::string complete_from_sources(GDALDataset& dataset, const std::string& path, BandTable& table) {
  const Completed result = complete_table(dataset, table, 0);
  std::string sentence;
  if (!result.taken.empty()) {
    sentence = path + " does not keep the " + list_of(result.taken) + " of its bands: they are taken from its sources";
  }
  if (!result.disputed.empty()) {
    sentence += (sentence.empty() ? path + ": " : "; ") + std::string("its sources do not agree in the ") +
                list_of(result.disputed) + " of bands, which stay unknown";
  }
  return sentence;
}

}  // namespace parsimap
