// Where the files of a product lie: in a folder of the disk, or in one inside a zip archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// A folder and the names of the files in it, ascending. Names are compared without regard to case.
struct FolderContent {
  std::string path;
  std::vector<std::string> files;
  std::vector<std::string> folders;
};

// True where `text` ends in `ending`, in upper or lower case.
bool ends_in(const std::string& text, const std::string& ending);

// The path by which GDAL sees the folder or archive that `path` names ("/vsizip/{a.zip}" for "a.zip"); nothing for what
// is neither.
std::optional<std::string> as_folder(const std::string& path);

// The archive on the disk that `path`, a path of GDAL, lies in; empty for other paths.
std::string archive_of(const std::string& path);

// What is in a folder that as_folder() gave, or below it.
FolderContent content_of_folder(const std::string& path);

// The folder and the last part of a path.
std::string folder_of(const std::string& path);
std::string name_of(const std::string& path);
std::string in_folder(const std::string& folder, const std::string& name);

std::string without_extension(const std::string& name);

// The path of the file of `folder` that is called `name`; nothing where there is none.
std::optional<std::string> file_called(const FolderContent& folder, const std::string& name);
// The path of the file of `folder` that is called `stem`, with the extension of a raster, or `stem` with "_COG" behind
// it, as copies for reading over the network are called. Nothing where there is none.
std::optional<std::string> raster_called(const FolderContent& folder, const std::string& stem);

// Adds a file, and its bytes where it can be found, to what is said of a scene.
void add_file(const std::string& path, SceneDescription& description);

// "a, b and 3 more": for messages of what was found; "nothing" for an empty list.
std::string some_of(const std::vector<std::string>& names);

// ---- products that are rasters beside a file of metadata, <prefix>-METADATA.XML ----

inline constexpr const char* kMetadataEnding = "-METADATA.XML";
inline constexpr const char* kImageEnding = "-SPECTRAL_IMAGE";

// Where the files of such a product lie.
struct MetadataSource {
  std::string asked;     // the path by which somebody names it
  std::string metadata;  // the path of its metadata
  std::string prefix;    // what the names of its files begin with
  FolderContent folder;
  std::optional<std::string> image = {};  // the path of its image, where that is what was named
};

// The product that has the metadata at `path`, the image at `path` (or its header), or lies in the folder or zip
// archive at `path` or some levels below it. Nothing where none is found. DataError: there are several.
std::optional<MetadataSource> find_metadata_source(const std::string& path);

// What the names of a product's files begin with whose image is called `name`; nothing where no image is called so.
std::optional<std::string> prefix_of_image(const std::string& name);

}  // namespace parsimap
