// Rules on the files a command is given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parsimap {

struct NamedPath {
  std::string role;  // as in "MAP" or "--confidence"
  std::string path;
};

// ConfigError when both outputs are the same file.
void check_different(const NamedPath& output, const NamedPath& other);

// ConfigError when an output is the same file as an input or as another output, by whatever name, or when two outputs
// differ in their extension alone, so that their side files (an ENVI header) would be the same.
void check_outputs_distinct(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs);

// The scene at `path` and all files that GDAL reads for it (headers, sources of a VRT), each as `role`; the path alone
// when it is no raster.
std::vector<NamedPath> scene_files(const std::string& role, const std::string& path);

// The same of a scene that is open already: `files` are those of its description.
std::vector<NamedPath> scene_files(const std::string& role, const std::string& path,
                                   const std::vector<std::string>& files);

// The size in bytes of a plain file, 0 when it has none.
std::int64_t file_bytes(const std::string& path);

}  // namespace parsimap
