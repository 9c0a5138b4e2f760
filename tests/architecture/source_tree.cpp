#include "architecture/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <regex>

#include "support/source_folder.hpp"

namespace parsimap::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream stream(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

// The folder below include/parsimap, src or tests/unit.
std::string folder_of(const fs::path& relative) {
  std::string folder = relative.parent_path().string();
  for (const std::string prefix : {"include/parsimap", "src", "tests/unit"}) {
    if (folder == prefix) {
      return {};
    }
    if (folder.rfind(prefix + "/", 0) == 0) {
      return folder.substr(prefix.size() + 1);
    }
  }
  return folder;
}

}  // namespace

fs::path project_root() { return source_folder(); }

std::vector<SourceFile> source_files(const std::string& top) {
  std::vector<SourceFile> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(project_root() / top)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && (extension == ".cpp" || extension == ".hpp")) {
      const fs::path relative = entry.path().lexically_relative(project_root());
      files.push_back({relative.string(), folder_of(relative), read_lines(entry.path())});
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex pattern(R"(^\s*#\s*include\s*(["<])([^">]+)[">].*)");
  std::vector<Include> includes;
  for (const std::string& line : file.lines) {
    std::smatch match;
    if (std::regex_match(line, match, pattern)) {
      includes.push_back({match[2], match[1] == "\""});
    }
  }
  return includes;
}

std::string folder_of_header(const std::string& header) {
  const std::string prefix = "parsimap/";
  if (header.rfind(prefix, 0) != 0) {
    return {};
  }
  return fs::path(header.substr(prefix.size())).parent_path().string();
}

}  // namespace parsimap::test
