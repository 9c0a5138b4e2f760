// The project's own files as the architecture tests see them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace parsimap::test {

struct SourceFile {
  std::string path;                // from the project's root, as in "src/gdal/raster/scene.cpp"
  std::string folder;              // as in "gdal/raster"; empty for src/main.cpp
  std::vector<std::string> lines;  // without line ends
};

// Project-relative paths start at this folder.
std::filesystem::path project_root();

// All .cpp and .hpp files below `top` ("include", "src" or "tests"), ordered by path.
std::vector<SourceFile> source_files(const std::string& top);

struct Include {
  std::string name;     // what stands between the delimiters
  bool quoted = false;  // "..." rather than <...>
};

std::vector<Include> includes_of(const SourceFile& file);

// The folder of a project header, as in "json" for "parsimap/json/json_text.hpp"; empty for other headers.
std::string folder_of_header(const std::string& header);

}  // namespace parsimap::test
