#include "xml_file.hpp"

#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_file.hpp"
#include "parsimap/gdal/raster/settings.hpp"

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

const CPLXMLNode* root_of(const CPLXMLNode* tree) {
  for (const CPLXMLNode* node = tree; node != nullptr; node = node->psNext) {
    if (node->eType == CXT_Element && node->pszValue[0] != '?') {
      return node;
    }
  }
  return nullptr;
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

}  // namespace parsimap
