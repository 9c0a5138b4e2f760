#include "metadata_product.hpp"

#include <cpl_string.h>

#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "desis.hpp"
#include "enmap.hpp"
#include "metadata_source.hpp"
#include "xml_file.hpp"

namespace parsimap {
namespace {

// An image that has lost its metadata, as parts that somebody has cut out have.
std::optional<OpenScene> open_image_alone(const std::string& path) {
  const std::optional<std::string> prefix = prefix_of_image(name_of(path));
  if (!prefix || ends_in(path, ".hdr") || !is_file(path)) {
    return std::nullopt;
  }
  OpenScene scene = open_scene(path);
  scene.description.note += (scene.description.note.empty() ? "" : "; ") + path +
                            " is called like the image of a product, but " + *prefix + kMetadataEnding +
                            " is not beside it: what that says of bands, scale and quality stays unknown";
  return scene;
}

}  // namespace

std::optional<OpenScene> open_metadata_product(const std::string& path) {
  initialise_gdal();
  const std::optional<MetadataSource> source = find_metadata_source(path);
  if (!source) {
    return open_image_alone(path);
  }
  const XmlFile metadata(source->metadata);
  const std::string mission = metadata.text_anywhere("mission");
  if (EQUAL(mission.c_str(), "EnMAP")) {
    return open_described_product(*source, read_enmap_metadata(metadata, *source));
  }
  if (EQUAL(mission.c_str(), "DESIS")) {
    return open_described_product(*source, read_desis_metadata(metadata, *source));
  }
  return std::nullopt;
}

}  // namespace parsimap
