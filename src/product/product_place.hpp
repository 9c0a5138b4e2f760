// Where the files of a product lie: in a folder of the disk, or in one inside a zip archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parsimap {

// A folder and the names of the files in it, ascending. Names are compared without regard to case.
struct FolderContent {
  std::string path;
  std::vector<std::string> files;
  std::vector<std::string> folders;
};

// True where `text` ends in `ending`, in upper or lower case.
bool ends_in(const std::string& text, const std::string& ending);

// True for a file, on the disk or in one of GDAL's virtual file systems.
bool is_file(const std::string& path);

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

// "a, b and 3 more": for messages of what was found; "nothing" for an empty list.
std::string some_of(const std::vector<std::string>& names);

}  // namespace parsimap
