#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <optional>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "kinds.hpp"

namespace parsimap {
namespace {

// Metadata have some megabytes. A tree takes up to twenty times the room of its text.
constexpr std::uintmax_t kLargestMetadata = std::uintmax_t{16} << 20U;

// Keeps what GDAL reports, which else is printed.
class QuietErrors {
 public:
  QuietErrors() {
    CPLErrorReset();
    CPLPushErrorHandler(CPLQuietErrorHandler);
  }
  ~QuietErrors() { CPLPopErrorHandler(); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  [[nodiscard]] static std::string text() {
    const std::string message = CPLGetLastErrorMsg();
    return message.empty() ? "no reason is given" : message;
  }
};

std::string content_of(const std::string& path) {
  refuse_special_file(path);
  VSIStatBufL status;
  if (VSIStatL(path.c_str(), &status) != 0) {
    throw DataError(path + " does not exist");
  }
  if (static_cast<std::uintmax_t>(status.st_size) > kLargestMetadata) {
    throw DataError(path + " has " + std::to_string(status.st_size) +
                    " bytes, which is more than metadata of a product are (" + std::to_string(kLargestMetadata) + ")");
  }
  GByte* bytes = nullptr;
  vsi_l_offset size = 0;
  const QuietErrors errors;
  const bool done = VSIIngestFile(nullptr, path.c_str(), &bytes, &size, kLargestMetadata) != 0;
  const std::unique_ptr<GByte, decltype(&VSIFree)> owner(bytes, VSIFree);
  if (!done) {
    throw IoError(path + " cannot be read: " + QuietErrors::text());
  }
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

// The root is the first element that is no declaration, such as <?xml ...?>.
const CPLXMLNode* root_of(const CPLXMLNode* tree) {
  for (const CPLXMLNode* node = tree; node != nullptr; node = node->psNext) {
    if (node->eType == CXT_Element && node->pszValue[0] != '?') {
      return node;
    }
  }
  return nullptr;
}

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

XmlFile::XmlFile(const std::string& path) : path_(path), tree_(nullptr) {
  initialise_gdal();
  const std::string content = content_of(path);
  const QuietErrors errors;
  tree_.reset(CPLParseXMLString(content.c_str()));
  root_ = root_of(tree_.get());
  if (root_ == nullptr) {
    throw DataError(path + " is no XML that can be read: " + QuietErrors::text());
  }
}

std::string XmlFile::text_anywhere(const char* name) const {
  const CPLXMLNode* node = CPLSearchXMLNode(root_, name);
  return node == nullptr ? "" : text_at(*node, "");
}

std::optional<double> XmlFile::number_anywhere(const char* name) const {
  const std::string text = text_anywhere(name);
  if (text.empty()) {
    return std::nullopt;
  }
  const auto number = parse_number<double>(text);
  if (!number) {
    throw DataError(path_ + ": <" + name + "> is '" + text.substr(0, 40) + "', which is not a number");
  }
  return number;
}

std::vector<const CPLXMLNode*> elements_below(const CPLXMLNode* parent, const char* name) {
  std::vector<const CPLXMLNode*> found;
  for (const CPLXMLNode* child = parent == nullptr ? nullptr : parent->psChild; child != nullptr;
       child = child->psNext) {
    if (child->eType == CXT_Element && EQUAL(child->pszValue, name)) {
      found.push_back(child);
    }
  }
  return found;
}

std::string text_at(const CPLXMLNode& node, const char* place) {
  return std::string(trimmed(CPLGetXMLValue(&node, *place == '\0' ? nullptr : place, "")));
}

BandTable read_bands(const XmlFile& metadata, const BandElements& names) {
  const std::vector<const CPLXMLNode*> nodes =
      elements_below(CPLGetXMLNode(&metadata.root(), "specific.bandCharacterisation"), names.band);
  if (nodes.empty()) {
    throw DataError(metadata.path() + " describes no band: it has no <" + names.band +
                    "> in <specific>, <bandCharacterisation>");
  }
  // Each number from 1 to the number of bands must occur once, in any order.
  std::vector<std::optional<Band>> found(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const BandReader reader(metadata, *nodes[i], "the band at place " + std::to_string(i + 1));
    // A number is used as the place of its band; a gap or a repetition would shift wavelengths against the bands of the
    // image.
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
      // The texts are in order of their reliability, and may contain more than the level.
      if (text.find(level) != std::string::npos) {
        return level;
      }
    }
  }
  throw DataError(metadata.path() + " does not say the level of the product (L1B, L1C or L2A)");
}

}  // namespace parsimap
