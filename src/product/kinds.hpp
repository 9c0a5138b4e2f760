// The kinds of products, as open_product() asks for them in turn. Each gives nothing for what is not its kind.
#pragma once

#include <cpl_minixml.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/scene/open_scene.hpp"

#include "product_place.hpp"

namespace parsimap {

// Products that are rasters beside a file of metadata (EnMAP, DESIS): by their folder, a zip archive of it, the
// metadata or the image. Nothing for other names, and for metadata of another mission. An image without its metadata is
// opened as the raster that it is, with a note.
std::optional<OpenScene> open_metadata_product(const std::string& path);

// EMIT L2A reflectance and L1B radiance (netCDF), with the mask of L2A where its file lies beside.
std::optional<OpenScene> open_emit(const std::string& path);

// PRISMA L1 to L2D (.he5, or a .zip that holds one).
std::optional<OpenScene> open_prisma(const std::string& path);

// A raster of ENVI in the sensor's own geometry, as of AVIRIS, with the lookup table (_glt) that lies beside it.
std::optional<OpenScene> open_envi_with_lookup(const std::string& path);

// A kind of error in single bands of a pixel, and the numbers that stand for it in the matrices of a product of PRISMA.
struct BandError {
  std::string name;
  std::string meaning;
  std::vector<float> numbers;
};
std::vector<BandError> errors_of_level_1();
std::vector<BandError> errors_of_level_2();

// Appends a quality layer for each error, which marks a pixel where any band of `matrices` has it.
void add_error_matrices(std::unique_ptr<SceneSource> matrices, const std::vector<BandError>& errors,
                        std::vector<QualityLayer>& layers);

// Making a scene of the files of a product and of what its metadata say.

// Bands of a scene as another file than its own describes them, such as the metadata of a product.
struct BandDescription {
  // One entry for each band of the scene. Scale and offset turn the numbers that the scene stores into values.
  BandTable bands;
  std::optional<double> nodata;  // a number that the scene stores where there is no value
};

// The scene under the name `name` with these bands. Its values are scaled by the description, but for bands that the
// scene scales itself; its number `nodata` and what is not finite as float are NaN. DataError: another number of bands.
std::unique_ptr<SceneSource> describe_scene(std::unique_ptr<SceneSource> scene, const BandDescription& description,
                                            const std::string& name);

// The names without extension that a raster of a product may have, the likeliest first. The last one begins as the name
// of the metadata does.
using Stems = std::vector<std::string>;

// A quality layer in one of the bands of a raster; the fields are those of QualityLayer.
struct QualityMeaning {
  std::string name;
  std::string meaning;
  Index band = 0;
  std::vector<float> marks;
};

struct QualityFile {
  Stems stems;
  std::vector<QualityMeaning> layers;
};

// What the metadata say.
struct ProductDescription {
  std::string product;   // as in SceneDescription
  std::string quantity;  // as in SceneDescription
  BandDescription bands;
  Stems image;
  std::vector<QualityFile> quality;  // that the product should have
};

// The note of the scene says which quality layers are missing. DataError: the image is missing or has another number of
// bands, or a quality layer that is there cannot be read.
OpenScene open_described_product(const MetadataSource& source, const ProductDescription& description);

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

// The elements called `name` directly below `parent`, which may be null.
std::vector<const CPLXMLNode*> elements_below(const CPLXMLNode* parent, const char* name);

// The text of the element or attribute at `place` below `node`, without white space around it; empty where none is.
std::string text_at(const CPLXMLNode& node, const char* place);

// ---- bands ----

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
