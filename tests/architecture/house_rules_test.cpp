// Rules of the house that can be read off the text of the files.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace parsimap::test {
namespace {

// "path:line" of the lines that match, in files whose path does not start with `allowed`.
std::vector<std::string> places(const std::vector<SourceFile>& files, const std::regex& pattern,
                                const std::string& allowed) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!allowed.empty() && file.path.rfind(allowed, 0) == 0) {
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

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("threads are started in core/parallel_for.cpp alone") {
  const auto found = places(source_files("src"), std::regex(R"(^\s*#\s*pragma\s+omp)"), "src/core/parallel_for.cpp");
  CHECK(joined(found) == "");
}

TEST_CASE("only cli writes to the terminal") {
  const auto found =
      places(source_files("src"), std::regex(R"(std::c(out|err|log)\b|\b(f?printf|puts)\()"), "src/cli/");
  CHECK(joined(found) == "");
}

TEST_CASE("nothing ends the process by itself") {
  const auto found = places(source_files("src"), std::regex(R"(\b(std::)?(exit|abort|quick_exit|terminate)\()"), "");
  CHECK(joined(found) == "");
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

}  // namespace parsimap::test
