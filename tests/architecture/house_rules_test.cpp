// The rules of docs/architecture.md that can be checked by reading the text of the files.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "architecture/source_tree.hpp"

namespace parsimap::test {
namespace {

// "path:line" of the lines that match, in files whose path starts with none of the prefixes `allowed`.
std::vector<std::string> places(const std::vector<SourceFile>& files, const std::regex& pattern,
                                const std::vector<std::string>& allowed = {}) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (std::any_of(allowed.begin(), allowed.end(),
                    [&](const std::string& prefix) { return file.path.rfind(prefix, 0) == 0; })) {
      continue;
    }
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (std::regex_search(file.lines[i], pattern)) {
        found.push_back(file.path + ":" + std::to_string(i + 1));
      }
    }
  }
  return found;
}

// The sources and headers of the program, the library and the Python package.
std::vector<SourceFile> program_files() {
  std::vector<SourceFile> files;
  for (const std::string top : {"include", "src", "interface"}) {
    for (SourceFile& file : source_files(top)) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("loops are parallel in core/parallel_for.cpp only, and other threads are started in three places") {
  const std::vector<SourceFile> files = program_files();
  CHECK(joined(places(files, std::regex(R"(^\s*#\s*pragma\s+omp|\bomp_\w+\()"), {"src/core/parallel_for.cpp"})) == "");
  // Tiles of a map are computed beside the next window, which is read, and work of the C interface runs beside its
  // caller.
  CHECK(joined(places(files, std::regex(R"(\bstd::async\b)"), {"src/mapping/"})) == "");
  CHECK(joined(places(files, std::regex(R"(\bstd::j?thread\b)"),
                      {"src/core/parallel_for.cpp", "interface/work.cpp", "interface/work.hpp"})) == "");
  CHECK(joined(places(files, std::regex(R"(\bpthread_create\b|\bstd::execution::|\bfork\()"))) == "");
}

TEST_CASE("only cli writes to the terminal") {
  const std::regex output(R"(std::c(out|err|log)\b|\b(f?printf|puts)\()");
  CHECK(joined(places(program_files(), output, {"src/cli/"})) == "");
}

TEST_CASE("the codes of warnings are those of the documents") {
  const std::regex call(R"re(\b(?:warn|note)\(\s*"([a-z-]+)",)re");
  std::set<std::string> used;
  for (const SourceFile& file : source_files("src")) {
    const std::string text = joined(file.lines);
    for (std::sregex_iterator found(text.begin(), text.end(), call), end; found != end; ++found) {
      used.insert((*found)[1]);
    }
  }
  const std::regex row(R"(\| `([a-z-]+)` \|.*)");
  std::set<std::string> documented;
  std::ifstream documents(project_root() / "docs/formats.md");
  bool in_section = false;
  for (std::string line; std::getline(documents, line);) {
    in_section = line.starts_with("### ") ? line == "### Warnings" : in_section;
    if (std::smatch found; in_section && std::regex_match(line, found, row)) {
      documented.insert(found[1]);
    }
  }
  documented.erase("code");
  CHECK(used == documented);
}

// Other clauses for any exception restore something and rethrow, or keep the exception for another thread or behind a
// library of C.
TEST_CASE("an exception of any type is caught only to be rethrown or kept") {
  const std::regex rethrown(R"(\bthrow\b|\bcurrent_exception\b)");
  std::vector<std::string> swallowed;
  for (const SourceFile& file : program_files()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].find("catch (...)") == std::string::npos) {
        continue;
      }
      bool kept = false;
      for (std::size_t k = i; k < std::min(i + 12, file.lines.size()); ++k) {
        kept = kept || std::regex_search(file.lines[k], rethrown);
      }
      if (!kept) {
        swallowed.push_back(file.path + ":" + std::to_string(i + 1));
      }
    }
  }
  CHECK(joined(swallowed) == "");
  // cli turns an exception into a message and an exit code, and the C interface into a status; the line search of
  // LBFGSpp reports failures by exceptions.
  const std::regex any(R"(catch \((const )?std::exception\b)");
  CHECK(joined(places(program_files(), any, {"src/cli/", "src/svm/minimise.cpp", "interface/errors.cpp"})) == "");
}

TEST_CASE("state of the whole process is changed in named places only") {
  const std::vector<SourceFile> files = program_files();
  const std::regex gdal(R"(\b(CPLSetConfigOption|CPLSetErrorHandler\w*|GDALSetCacheMax\w*|GDALAllRegister)\()");
  CHECK(joined(places(files, gdal, {"src/gdal/raster/"})) == "");
  CHECK(joined(places(files, std::regex(R"(\b(sigaction|signal)\()"), {"src/cli/"})) == "");
  CHECK(joined(places(files, std::regex(R"(\bset_new_handler\()"), {"src/core/"})) == "");
  CHECK(joined(places(files, std::regex(R"(\bmallopt\()"), {"src/commands/"})) == "");
  CHECK(joined(places(files, std::regex(R"(\b(setlocale|setenv|putenv|unsetenv|chdir)\()"))) == "");
  // Errors of GDAL, and the loop that a thread is in.
  CHECK(joined(places(files, std::regex(R"(\bthread_local\b)"), {"src/gdal/raster/", "src/core/parallel_for.cpp"})) ==
        "");
  // A local variable with static storage is constant, an atomic counter for names, or a flag for what is done once. The
  // description of a file driver for HDF5 is constant but has no const type.
  const std::regex variable(
      R"(^\s+static (?!const\b|constexpr\b|std::atomic<|std::once_flag\b|H5FD_class_t\b)[\w:<>,\s*&]+(=|\{|;))");
  CHECK(joined(places(files, variable)) == "");
}

TEST_CASE("nothing ends the process by itself") {
  CHECK(joined(places(program_files(), std::regex(R"(\b(std::)?(exit|abort|quick_exit|terminate)\()"))) == "");
}

TEST_CASE("every source file has a test of its own name") {
  std::vector<std::string> missing;
  for (const SourceFile& file : source_files("src")) {
    const std::filesystem::path path(file.path);
    if (path.extension() == ".cpp" && !file.folder.empty()) {
      const std::filesystem::path test =
          std::filesystem::path("tests/unit") / file.folder / (path.stem().string() + "_test.cpp");
      if (!std::filesystem::exists(project_root() / test)) {
        missing.push_back(test.string());
      }
    }
  }
  CHECK(joined(missing) == "");
}

TEST_CASE("every unit test belongs to a source file or to a header") {
  std::vector<std::string> orphans;
  for (const SourceFile& file : source_files("tests/unit")) {
    const std::filesystem::path path(file.path);
    const std::string stem = path.stem().string();
    if (path.extension() != ".cpp" || stem.size() < 6) {
      continue;
    }
    const std::string name = stem.substr(0, stem.size() - 5);
    const std::filesystem::path folder(file.folder);
    if (!std::filesystem::exists(project_root() / "src" / folder / (name + ".cpp")) &&
        !std::filesystem::exists(project_root() / "src" / folder / (name + ".hpp")) &&
        !std::filesystem::exists(project_root() / "include/parsimap" / folder / (name + ".hpp"))) {
      orphans.push_back(file.path);
    }
  }
  CHECK(joined(orphans) == "");
}

TEST_CASE("files stay small, and public headers begin with their contract") {
  std::vector<std::string> offenders;
  for (const std::string top : {"include", "src", "tests"}) {
    for (const SourceFile& file : source_files(top)) {
      const std::size_t most = top == "include" ? 250 : 600;
      if (file.lines.size() > most) {
        offenders.push_back(file.path + " has " + std::to_string(file.lines.size()) + " lines");
      }
      if (top == "include" && (file.lines.empty() || file.lines.front().rfind("// ", 0) != 0)) {
        offenders.push_back(file.path + " does not begin with a comment");
      }
    }
  }
  CHECK(joined(offenders) == "");
}

TEST_CASE("every source file has the header of its name, public or beside it") {
  std::vector<std::string> missing;
  for (const SourceFile& file : source_files("src")) {
    const std::filesystem::path path(file.path);
    const std::string header = path.stem().string() + ".hpp";
    if (path.extension() == ".cpp" && !file.folder.empty() &&
        !std::filesystem::exists(project_root() / "src" / file.folder / header) &&
        !std::filesystem::exists(project_root() / "include/parsimap" / file.folder / header)) {
      missing.push_back(file.path);
    }
  }
  CHECK(joined(missing) == "");
}

// The templates of Fields are instantiated for a type in every file that writes or reads it, and the linker keeps one
// of the instances: two lists of one type would be one, and which one, depends on the order of linking.
TEST_CASE("a type has one list of fields in the whole program") {
  const std::regex list(
      R"(\b(list_fields|list_value|parse)\((?:const std::string& \w+, )?(?:const )?(\w+)& \w+(?:, Fields& \w+)?\) \{)"
      R"(|^(?:static )?PARSIMAP_RECORD\((?:const )?(\w+),)");
  std::map<std::string, std::vector<std::string>> places_of;
  for (const SourceFile& file : program_files()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      std::smatch found;
      if (std::regex_search(file.lines[i], found, list)) {
        const std::string kind = found[1] == "parse" ? "parse " : "list ";
        places_of[kind + found[2].str() + found[3].str()].push_back(file.path + ":" + std::to_string(i + 1));
      }
    }
  }
  CHECK(places_of.size() > 50);
  for (const auto& entry : places_of) {
    CAPTURE(entry.first);
    CAPTURE(joined(entry.second));
    CHECK(entry.second.size() == 1);
  }
}

// What each folder of src and include may have, in lines. A change that raises a budget says what was cut elsewhere.
TEST_CASE("folders stay within their budgets of lines") {
  const std::map<std::string, std::size_t> budgets = {
      {"accuracy", 3463},   {"classifier", 4719}, {"cli", 480},        {"commands", 13943}, {"core", 2426},
      {"experiment", 1960}, {"gdal", 11439},      {"hdda", 637},       {"inspection", 602}, {"job", 1058},
      {"json", 1784},       {"kernel", 842},      {"library", 2490},   {"mapping", 2886},   {"matlab", 913},
      {"morphology", 416},  {"options", 1153},    {"product", 2096},   {"report", 6690},    {"samples", 2507},
      {"scene", 3494},      {"selection", 1624},  {"simulation", 984}, {"spatial", 1867},   {"svm", 1943},
      {"text", 481},        {"validation", 4038}};
  std::map<std::string, std::size_t> lines_of;
  std::map<std::string, std::size_t> files_of;
  for (const std::string top : {"include", "src"}) {
    for (const SourceFile& file : source_files(top)) {
      lines_of[file.folder.substr(0, file.folder.find('/'))] += file.lines.size();
      ++files_of[std::filesystem::path(file.path).parent_path().string()];
    }
  }
  lines_of.erase("");  // main.cpp
  for (const auto& folder : lines_of) {
    CAPTURE(folder.first);
    REQUIRE(budgets.contains(folder.first));
    CHECK(folder.second <= budgets.at(folder.first));
  }
  for (const auto& folder : files_of) {
    CAPTURE(folder.first);
    CHECK(folder.second <= 25);
  }
}

}  // namespace parsimap::test
