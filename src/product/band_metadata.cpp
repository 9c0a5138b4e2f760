#include "band_metadata.hpp"

#include <optional>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kLongestQuote = 40;

// Reads the elements of one band.
class BandReader {
 public:
  BandReader(const XmlFile& metadata, const CPLXMLNode& node, std::string about)
      : metadata_(metadata), node_(node), about_(std::move(about)) {}

  [[nodiscard]] double number(const char* name) const {
    const std::string text = text_at(node_, name);
    const auto value = parse_number<double>(text);
    if (!value) {
      refuse(name, text, "a number");
    }
    return *value;
  }

  [[nodiscard]] std::size_t count(const char* name) const {
    const std::string text = text_at(node_, name);
    const auto value = parse_number<std::size_t>(text);
    if (!value) {
      refuse(name, text, "the number of a band");
    }
    return *value;
  }

  [[noreturn]] void refuse(const char* name, const std::string& text, const std::string& rule) const {
    throw DataError(metadata_.path() + ": " + name + " of " + about_ + " is '" + text.substr(0, kLongestQuote) +
                    "'; it must be " + rule);
  }

 private:
  const XmlFile& metadata_;
  const CPLXMLNode& node_;
  std::string about_;
};

Band band_of(const BandReader& reader, const BandElements& names) {
  Band band;
  const double wavelength = reader.number(names.wavelength);
  if (wavelength <= 0) {
    reader.refuse(names.wavelength, std::to_string(wavelength), "above 0");
  }
  band.wavelength = wavelength;
  const double fwhm = reader.number(names.fwhm);
  if (fwhm > 0) {
    band.fwhm = fwhm;
  }
  band.scale = reader.number(names.gain);
  if (band.scale == 0) {
    reader.refuse(names.gain, "0", "another number, for all values would be the same");
  }
  band.offset = reader.number(names.offset);
  return band;
}

}  // namespace

BandTable read_bands(const XmlFile& metadata, const BandElements& names) {
  const std::vector<const CPLXMLNode*> nodes =
      elements_below(CPLGetXMLNode(&metadata.root(), "specific.bandCharacterisation"), names.band);
  if (nodes.empty()) {
    throw DataError(metadata.path() + " describes no band: it has no <" + names.band +
                    "> in <specific>, <bandCharacterisation>");
  }
  std::vector<std::optional<Band>> found(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const BandReader reader(metadata, *nodes[i], "the band at place " + std::to_string(i + 1));
    const std::size_t number = reader.count(names.number);
    if (number < 1 || number > found.size() || found[number - 1]) {
      reader.refuse(names.number, std::to_string(number),
                    "from 1 to " + std::to_string(found.size()) + ", each number once");
    }
    found[number - 1] = band_of(reader, names);
  }
  BandTable bands;
  for (const std::optional<Band>& band : found) {
    bands.push_back(*band);
  }
  return bands;
}

std::string product_level(const XmlFile& metadata, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    for (const char* level : {"L1B", "L1C", "L2A"}) {
      if (text.find(level) != std::string::npos) {
        return level;
      }
    }
  }
  throw DataError(metadata.path() + " does not say the level of the product (L1B, L1C or L2A)");
}

}  // namespace parsimap
