#include "parsimap/json/library_record.hpp"

#include <map>

#include "json_document.hpp"

namespace parsimap {
namespace {

Json bands_json(const BandTable& table) {
  Json bands = Json::array();
  for (std::size_t b = 0; b < table.size(); ++b) {
    bands.push_back({{"band", b + 1},
                     {"name", table[b].name},
                     {"wavelength", nullable(table[b].wavelength)},
                     {"fwhm", nullable(table[b].fwhm)},
                     {"bad", table[b].bad}});
  }
  return bands;
}

Json attributes_json(const SpectralLibrary& library) {
  Json attributes = Json::array();
  for (std::size_t column = 0; column < library.attributes.size(); ++column) {
    std::map<std::string, Index> counts;
    for (const std::vector<std::string>& row : library.values) {
      if (!row[column].empty()) {
        ++counts[row[column]];
      }
    }
    Json values = Json::array();
    for (const auto& [value, spectra] : counts) {
      values.push_back({{"value", value}, {"spectra", spectra}});
    }
    attributes.push_back({{"name", library.attributes[column]}, {"values", values}});
  }
  return attributes;
}

}  // namespace

std::string info_json(const SpectralLibrary& library) {
  return document_text({{"kind", "library"},
                        {"path", library.path},
                        {"format", library.format},
                        {"quantity", library.quantity.empty() ? Json(nullptr) : Json(library.quantity)},
                        {"spectra", library.size()},
                        {"names", library.names},
                        {"attributes", attributes_json(library)},
                        {"missing_values", library.spectra.array().isNaN().count()},
                        {"scene_bands", library.origin ? Json(library.origin->scene_bands) : Json(nullptr)},
                        {"bands", bands_json(library.bands)},
                        {"notes", library.notes}});
}

}  // namespace parsimap
