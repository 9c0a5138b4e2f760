// Products that are rasters beside a file of metadata (EnMAP, DESIS), and metadata as XML.
#pragma once

#include <cpl_minixml.h>

#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// Products that are rasters beside a file of metadata (EnMAP, DESIS): by their folder, a zip archive of it, the
// metadata or the image. Nothing for other names, and for metadata of another mission. An image without its metadata is
// opened as the raster that it is, with a note.
std::optional<OpenScene> open_metadata_product(const std::string& path);

// Metadata of products as XML, and what those of EnMAP and DESIS say of their bands, in elements of almost the same
// names.

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

// The text of the element or attribute at `place` below `node`, without white space around it; empty where none is.
std::string text_at(const CPLXMLNode& node, const char* place);

// The names of the elements below that of a band. The number counts bands from 1.
struct BandElements {
  const char* band;
  const char* number;
  const char* wavelength;
  const char* fwhm;
  const char* gain;
  const char* offset;
};

// The bands that are described in "specific.bandCharacterisation", by number: wavelength and width in nanometres, and
// gain and offset as scale. DataError: there are none, a number is missing or repeated, or a text is not the number
// that it should be.
BandTable read_bands(const XmlFile& metadata, const BandElements& names);

// The first of these that says one of the levels "L1B", "L1C" and "L2A", anywhere in it. DataError naming the metadata
// where none does.
std::string product_level(const XmlFile& metadata, const std::vector<std::string>& texts);

}  // namespace parsimap
