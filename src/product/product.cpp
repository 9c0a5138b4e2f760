#include "parsimap/product/product.hpp"

#include <array>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/files.hpp"

#include "kinds.hpp"
#include "product_place.hpp"

namespace parsimap {
namespace {

using OpenProduct = std::optional<OpenScene> (*)(const std::string& path);

// Each gives nothing for what is not its kind of product.
constexpr std::array<OpenProduct, 4> kKinds{open_metadata_product, open_emit, open_prisma, open_envi_with_lookup};

// A folder or archive that nobody can read, for which GDAL would only say that it is none of its formats.
void refuse_unknown_folder(const std::string& path) {
  const std::optional<std::string> folder = as_folder(path);
  if (!folder || file_kind(path) != FileKind::unknown) {
    return;
  }
  FolderContent content = content_of_folder(*folder);
  for (const std::string& name : content.folders) {
    content.files.push_back(name + "/");
  }
  throw DataError(path + " is " + (archive_of(*folder).empty() ? "a folder" : "an archive") +
                  " without a product that can be read: looked for a file *-METADATA.XML (EnMAP, DESIS) or, in an "
                  "archive, *.he5 (PRISMA), found " +
                  some_of(content.files));
}

}  // namespace

std::optional<OpenScene> open_product(const std::string& path) {
  for (const OpenProduct open : kKinds) {
    if (std::optional<OpenScene> scene = open(path)) {
      return scene;
    }
  }
  refuse_unknown_folder(path);
  return std::nullopt;
}

}  // namespace parsimap
