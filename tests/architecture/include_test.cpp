// The include table: which folder may use which, and which external libraries. A change here is a change of the
// architecture.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace parsimap::test {
namespace {

struct Row {
  std::string folder;
  std::vector<std::string> may_include;  // in addition to itself
  std::vector<std::string>
      libraries;  // prefixes of <...> headers other than those of the standard library, Eigen and POSIX
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
      {"core", {}, {"omp.h", "boost/random/", "nettle/", "utf8proc.h"}},
      {"samples", {"core"}, {}},
      {"scene", {"core", "samples"}, {"boost/pending/disjoint_sets.hpp"}},
      {"accuracy", {"core", "samples", "scene"}, {"boost/math/"}},
      {"morphology", {"core"}, {}},
      {"hdda", {"core", "samples"}, {}},
      {"kernel", {"core", "hdda"}, {}},
      {"svm", {"core"}, {"LBFGSB.h"}},
      {"validation",
       {"core", "samples", "accuracy", "hdda", "kernel", "svm"},
       {"boost/geometry", "boost/pending/disjoint_sets.hpp"}},
      {"selection", {"core", "samples", "hdda", "kernel", "svm", "validation"}, {}},
      {"classifier", {"core", "samples", "morphology", "hdda", "kernel", "svm", "validation", "selection"}, {}},
      {"simulation", {"core", "samples", "scene"}, {}},
      {"inspection", {"core", "samples", "hdda", "kernel", "svm", "validation", "selection", "classifier"}, {}},
      {"spatial", {"core", "samples", "morphology", "hdda", "scene", "validation", "classifier", "inspection"}, {}},
      {"mapping", {"core", "morphology", "scene", "classifier", "spatial"}, {}},
      {"experiment",
       {"core", "samples", "hdda", "kernel", "svm", "validation", "selection", "classifier", "accuracy", "scene",
        "simulation"},
       {}},
      {"json",
       {"core", "samples", "kernel", "simulation", "validation", "classifier", "experiment"},
       {"nlohmann/", "valijson/", "boost/crc.hpp", "boost/endian/", "zlib.h"}},
      {"report", {"core", "accuracy", "validation", "classifier", "experiment", "inspection", "json"}, {"kainjow/"}},
      {"text", {"core", "samples"}, {}},
      {"job", {"core"}, {}},
      {"gdal/raster",
       {"core", "samples", "scene", "job"},
       {"gdal", "ogr", "cpl_", "rawdataset.h", "sqlite3.h", "hdf5.h"}},
      {"gdal/vector", {"core", "samples", "scene", "job", "gdal/raster"}, {"gdal", "ogr", "cpl_"}},
      {"gdal/hdf5", {"core", "gdal/raster"}, {"boost/endian/", "cpl_", "hdf5.h"}},
      {"matlab", {"core", "samples", "scene", "gdal/hdf5"}, {"matio.h", "zlib.h"}},
      {"product", {"core", "samples", "scene", "gdal/hdf5"}, {"cpl_"}},
      {"library", {"core", "samples", "scene", "text", "job", "gdal/vector"}, {"boost/endian/", "nlohmann/"}},
      {"options", {"core", "json"}, {"boost/program_options.hpp", "nlohmann/"}},
      {"commands",
       {"core",       "samples",  "morphology", "hdda",        "kernel",  "svm",        "validation", "selection",
        "classifier", "accuracy", "scene",      "simulation",  "mapping", "inspection", "report",     "experiment",
        "text",       "matlab",   "job",        "gdal/vector", "product", "library",    "json",       "options"},
       {"nlohmann/", "malloc.h", "poll.h"}},
      {"cli", {"core", "json", "options", "commands"}, {"nlohmann/"}},
  };
  return rows;
}

// A folder also sees the folders that its dependencies see, since their headers include them.
std::set<std::string> visible_from(const std::string& folder) {
  std::set<std::string> visible = {folder};
  for (const Row& row : table()) {
    if (row.folder == folder) {
      for (const std::string& other : row.may_include) {
        visible.merge(visible_from(other));
      }
    }
  }
  return visible;
}

const Row* row_of(const std::string& folder) {
  const auto found = std::find_if(table().begin(), table().end(), [&](const Row& row) { return row.folder == folder; });
  if (found != table().end()) {
    return &*found;
  }
  // A folder inside another that has no row of its own, such as commands/training, is a part of that one.
  const std::size_t slash = folder.rfind('/');
  return slash == std::string::npos ? nullptr : row_of(folder.substr(0, slash));
}

std::string owner_of(const std::string& folder) {
  const Row* const row = row_of(folder);
  return row == nullptr ? folder : row->folder;
}

std::vector<SourceFile> project_files() {
  std::vector<SourceFile> files = source_files("include");
  for (SourceFile& file : source_files("src")) {
    files.push_back(std::move(file));
  }
  return files;
}

bool starts_with_one_of(const std::string& text, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return text.rfind(prefix, 0) == 0; });
}

// Headers with an extension or a folder belong to other libraries than the standard library. Some may be used anywhere.
bool is_outside_library(const std::string& header) {
  static const std::vector<std::string> everywhere = {"Eigen/", "sys/", "dirent.h", "dlfcn.h", "fcntl.h", "unistd.h"};
  return header.find_first_of("./") != std::string::npos && !starts_with_one_of(header, everywhere);
}

}  // namespace

TEST_CASE("a folder of the table includes only folders above it in the table") {
  std::set<std::string> above;
  for (const Row& row : table()) {
    for (const std::string& other : row.may_include) {
      CAPTURE(row.folder);
      CAPTURE(other);
      CHECK(above.count(other) == 1);
    }
    above.insert(row.folder);
  }
}

TEST_CASE("solvers see no kernels, and training sees no scenes") {
  CHECK(visible_from("svm") == std::set<std::string>{"core", "svm"});
  // Headers that a file includes, and those that these include. `accuracy` has headers with and without scenes.
  std::map<std::string, const SourceFile*> headers;
  const std::vector<SourceFile> files = project_files();
  for (const SourceFile& file : files) {
    if (file.path.starts_with("include/")) {
      headers[file.path.substr(8)] = &file;
    }
  }
  for (const SourceFile& file : files) {
    static const std::set<std::string> training = {"hdda",      "kernel",     "svm",       "validation",
                                                   "selection", "classifier", "inspection"};
    if (training.contains(file.folder)) {
      std::vector<const SourceFile*> open = {&file};
      std::set<std::string> reached;
      while (!open.empty()) {
        const SourceFile* const next = open.back();
        open.pop_back();
        for (const Include& include : includes_of(*next)) {
          if (headers.contains(include.name) && reached.insert(include.name).second) {
            CAPTURE(file.path);
            CHECK(folder_of_header(include.name) != "scene");
            open.push_back(headers[include.name]);
          }
        }
      }
    }
  }
}

TEST_CASE("project headers are included only where the table allows it") {
  std::size_t seen = 0;
  for (const SourceFile& file : project_files()) {
    const std::set<std::string> visible = visible_from(file.folder.empty() ? "cli" : owner_of(file.folder));
    CAPTURE(file.path);
    REQUIRE((file.folder.empty() || row_of(file.folder) != nullptr));
    for (const Include& include : includes_of(file)) {
      const std::string folder = folder_of_header(include.name);
      CAPTURE(include.name);
      if (!folder.empty()) {
        ++seen;
        CHECK(visible.count(owner_of(folder)) == 1);
        CHECK(std::filesystem::exists(project_root() / "include" / include.name));
      } else if (include.quoted) {
        // A private header, of this folder or of one beside it below the same folder ("../raster/dataset.hpp").
        const std::filesystem::path header = (std::filesystem::path(file.folder) / include.name).lexically_normal();
        CHECK(visible.count(owner_of(header.parent_path().string())) == 1);
        CHECK(std::filesystem::exists(project_root() / "src" / header));
      }
    }
  }
  CHECK(seen > 100);
}

TEST_CASE("outside libraries are used only where the table allows it, and never in public headers") {
  for (const SourceFile& file : project_files()) {
    const Row* row = row_of(file.folder);
    const bool is_public = file.path.rfind("include/", 0) == 0;
    CAPTURE(file.path);
    for (const Include& include : includes_of(file)) {
      if (!include.quoted && is_outside_library(include.name)) {
        CAPTURE(include.name);
        CHECK((row != nullptr && starts_with_one_of(include.name, row->libraries) && !is_public));
      }
    }
  }
}

// The figure has a line of folders for each level; a folder below another, as gdal/raster, is shown by the upper one.
TEST_CASE("docs/architecture.md describes every folder, and its figure agrees with the table") {
  std::ifstream stream(project_root() / "docs/architecture.md");
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::string begin = "```text\n";
  const std::size_t first = text.find(begin) + begin.size();
  std::istringstream figure(text.substr(first, text.find("```", first) - first));
  std::map<std::string, int> level_of;
  int level = 0;
  for (std::string line; std::getline(figure, line); ++level) {
    // What the folders contain stands from this column on.
    std::istringstream names(line.substr(0, 40));
    for (std::string name; names >> name;) {
      level_of[name] = level;
    }
  }
  const auto upper = [](const std::string& folder) { return folder.substr(0, folder.find('/')); };
  for (const Row& row : table()) {
    CAPTURE(row.folder);
    CHECK(text.find("`" + row.folder + "`") != std::string::npos);
    REQUIRE(level_of.count(upper(row.folder)) == 1);
    for (const std::string& other : row.may_include) {
      CAPTURE(other);
      CHECK((upper(other) == upper(row.folder) || level_of[upper(other)] > level_of[upper(row.folder)]));
    }
  }
}

TEST_CASE("the libraries of src/CMakeLists.txt depend on each other as the table says") {
  std::ifstream stream(project_root() / "src" / "CMakeLists.txt");
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::regex pattern(
      R"(\nparsimap_folder\((\S+)(?:\s+(?:MODERATE|LIGHT))?(?:\s+DEPENDS\s+([a-z0-9/\s]+?))?(?:\s+LIBRARIES\s[^)]*)?\))");
  std::size_t seen = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match, ++seen) {
    const std::string folder = (*match)[1];
    std::istringstream words((*match)[2]);
    const std::set<std::string> depends{std::istream_iterator<std::string>(words), {}};
    CAPTURE(folder);
    const Row* row = row_of(folder);
    REQUIRE(row != nullptr);
    CHECK(depends == std::set<std::string>(row->may_include.begin(), row->may_include.end()));
  }
  CHECK(seen == table().size());
}

}  // namespace parsimap::test
