// An XML file of metadata.
#pragma once

#include <cpl_minixml.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parsimap {

// The content of an XML file, which may lie in one of GDAL's virtual file systems. Elements are named by their places
// below the root, such as "specific.backgroundValue", in upper or lower case alike.
class XmlFile {
 public:
  // DataError: it is no XML, or larger than metadata are; IoError: it cannot be read.
  explicit XmlFile(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const CPLXMLNode& root() const { return *root_; }
  // The text of the first element of this name, wherever it is; empty where there is none.
  [[nodiscard]] std::string text_anywhere(const char* name) const;
  // The same as a number; nothing where there is no such element. DataError: it holds no number.
  [[nodiscard]] std::optional<double> number_anywhere(const char* name) const;

 private:
  std::string path_;
  CPLXMLTreeCloser tree_;
  const CPLXMLNode* root_ = nullptr;
};

// The elements called `name` directly below `parent`, which may be null.
std::vector<const CPLXMLNode*> elements_below(const CPLXMLNode* parent, const char* name);

// The text of the element or attribute at `place` below `node`, without white space around it; empty where none is.
std::string text_at(const CPLXMLNode& node, const char* place);

}  // namespace parsimap
