// Files and sections of documents to which a text of the project refers exist.
//
// A word of letters, digits and _./- refers to a file of the project when
//   - it ends with .md: found from the project's root or from the folder of the text;
//   - it ends with .hpp or .cpp: a name alone is found anywhere, a path from the roots below;
//   - it is a path whose first folder is one at the top of the project, or in a document any of its folders: likewise.
// Names that a user or the program gives to files, such as results.json or build/model, are neither. In documents the
// targets of links are read as well, with their anchors, and in all texts sections that are named behind a document:
// (docs/method.md, "Notation").
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace parsimap::test {
namespace {

namespace fs = std::filesystem;

struct Text {
  fs::path path;  // from the project's root
  std::string content;
};

// The folders at the top, but for what is built and hidden ones.
const std::vector<std::string>& top_folders() {
  static const std::vector<std::string> folders = [] {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(project_root())) {
      const std::string name = entry.path().filename().string();
      if (entry.is_directory() && name.rfind("build", 0) != 0 && (name == ".ci" || name.front() != '.')) {
        found.push_back(name);
      }
    }
    return found;
  }();
  return folders;
}

void add_text(std::vector<Text>& texts, const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (content.find('\0') == std::string::npos) {
    texts.push_back({path.lexically_relative(project_root()), std::move(content)});
  }
}

// Everything but what is binary, hidden or built.
std::vector<Text> all_texts() {
  std::vector<Text> texts;
  for (const fs::directory_entry& entry : fs::directory_iterator(project_root())) {
    if (entry.is_regular_file()) {
      add_text(texts, entry.path());
    }
  }
  for (const std::string& folder : top_folders()) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(project_root() / folder)) {
      if (entry.is_regular_file()) {
        add_text(texts, entry.path());
      }
    }
  }
  std::sort(texts.begin(), texts.end(), [](const Text& a, const Text& b) { return a.path < b.path; });
  return texts;
}

bool of_a_path(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' || character == '.' ||
         character == '/' || character == '-';
}

// The words of a text, without dots and slashes at their ends. A word behind a variable, a pattern or a placeholder is
// a part of a name that only a run knows.
std::vector<std::string> path_words(const std::string& content) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < content.size(); ++begin) {
    std::size_t end = begin;
    while (end < content.size() && of_a_path(content[end])) {
      ++end;
    }
    const bool whole = begin == 0 || std::string("$}>*~").find(content[begin - 1]) == std::string::npos;
    std::string word = content.substr(begin, end - begin);
    while (!word.empty() && (word.back() == '.' || word.back() == '/' || word.back() == '-')) {
      word.pop_back();
    }
    if (whole && !word.empty()) {
      words.push_back(word);
    }
    begin = end;
  }
  return words;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool exists_below(const std::vector<fs::path>& roots, const std::string& name) {
  return std::any_of(roots.begin(), roots.end(), [&](const fs::path& root) {
    return fs::exists(project_root() / (root / name).lexically_normal());
  });
}

bool is_top_folder(const std::string& name) {
  return std::find(top_folders().begin(), top_folders().end(), name) != top_folders().end();
}

// Paths are written from the project's root, from the roots of includes, or from the folder of the text.
std::vector<fs::path> roots_of(const Text& text) {
  return {"", "include", "include/parsimap", "src", "tests", "tests/unit", text.path.parent_path()};
}

const std::set<std::string>& source_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> found;
    for (const std::string top : {"include", "src", "interface", "tests", "benchmarks"}) {
      for (const SourceFile& file : source_files(top)) {
        found.insert(fs::path(file.path).filename().string());
      }
    }
    return found;
  }();
  return names;
}

// Whether a word refers to a file that is not there.
bool dangles(const Text& text, const std::string& word) {
  const std::string path = word.rfind("./", 0) == 0 ? word.substr(2) : word;
  const bool source = ends_with(path, ".hpp") || ends_with(path, ".cpp");
  if (path.front() == '/' || path.front() == '_') {
    return false;
  }
  if (ends_with(path, ".md")) {
    return !exists_below({"", text.path.parent_path()}, path);
  }
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) {
    return source && source_names().count(path) == 0;
  }
  const std::string first = path.substr(0, slash);
  const bool file_name = path.find('.', path.rfind('/')) != std::string::npos;
  const bool may_be_ours = source || (file_name && text.path.extension() == ".md" && first != "build");
  const bool ours = is_top_folder(first) || (may_be_ours && first != ".." && exists_below(roots_of(text), first));
  return ours && !exists_below(roots_of(text), path);
}

// The anchors of a document's headings, as they are made by those who show it: small letters, digits, _ and -.
std::set<std::string> anchors_of(const fs::path& document) {
  std::set<std::string> anchors;
  std::ifstream stream(document);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind('#', 0) == 0 && line.find("# ") != std::string::npos) {
      std::string anchor;
      for (const char character : line.substr(line.find("# ") + 2)) {
        if (character == ' ' || character == '-') {
          anchor += '-';
        } else if (character == '_' || std::isalnum(static_cast<unsigned char>(character)) != 0) {
          anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
        }
      }
      anchors.insert(anchor);
    }
  }
  return anchors;
}

// The text of comments as it is read: without the marks and the ends of lines.
std::string flowing(const std::string& content) {
  static const std::regex line_end(R"(\s*\n\s*(?://|#)?\s*)");
  return std::regex_replace(content, line_end, " ");
}

std::vector<std::string> broken_links(const Text& text) {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  std::vector<std::string> broken;
  for (std::sregex_iterator match(text.content.begin(), text.content.end(), link), end; match != end; ++match) {
    const std::string target = (*match)[1];
    const std::string file = target.substr(0, target.find('#'));
    const fs::path path = file.empty() ? project_root() / text.path : project_root() / text.path.parent_path() / file;
    const bool outside = target.find("://") != std::string::npos;
    const bool has_anchor = target.find('#') != std::string::npos;
    if (!outside &&
        (!fs::exists(path) || (has_anchor && anchors_of(path).count(target.substr(target.find('#') + 1)) == 0))) {
      broken.push_back(text.path.string() + ": link to " + target);
    }
  }
  return broken;
}

std::vector<std::string> missing_sections(const Text& text) {
  static const std::regex section(R"re(([\w./-]+\.md), "([^"]+)")re");
  const std::string content = flowing(text.content);
  std::vector<std::string> missing;
  for (std::sregex_iterator match(content.begin(), content.end(), section), end; match != end; ++match) {
    std::ifstream stream(project_root() / std::string((*match)[1]));
    const std::string document{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (document.find("# " + std::string((*match)[2]) + "\n") == std::string::npos) {
      missing.push_back(text.path.string() + ": section " + std::string(*match->begin()));
    }
  }
  return missing;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

Text text_of(const std::string& content) { return {"docs/text.md", content}; }

}  // namespace

TEST_CASE("words that refer to a file are distinguished from others") {
  const std::vector<std::string> words = path_words("see docs/no.md, or (svm/no.hpp). $SOURCE/docs/no.md and/or x");
  CHECK(words == std::vector<std::string>{"see", "docs/no.md", "or", "svm/no.hpp", "and/or", "x"});
  const Text text = text_of("");
  for (const std::string dangling : {"docs/no.md", "no.md", "svm/no.hpp", "no.cpp", "scripts/no", "json/no.hpp"}) {
    CAPTURE(dangling);
    CHECK(dangles(text, dangling));
  }
  for (const std::string known :
       {"method.md", "docs/method.md", "README.md", "core/error.hpp", "source_tree.hpp", "scripts/demo", "results.json",
        "build/model", "and/or", "config/paper", "/usr/share/doc/no.md"}) {
    CAPTURE(known);
    CHECK(!dangles(text, known));
  }
  CHECK(broken_links(text_of("[a](method.md#notation) [b](#no) [c](no.png) [d](https://no.org/x.md)")).size() == 2);
  CHECK(missing_sections(text_of("(docs/method.md,\n// \"No such\") and (docs/method.md, \"Notation\")")).size() == 1);
}

TEST_CASE("every file that a text refers to exists") {
  std::set<std::string> dangling;
  for (const Text& text : all_texts()) {
    if (text.path.filename() != "reference_test.cpp") {
      for (const std::string& word : path_words(text.content)) {
        if (dangles(text, word)) {
          dangling.insert(text.path.string() + ": " + word);
        }
      }
    }
  }
  CHECK(joined({dangling.begin(), dangling.end()}) == "");
}

// Types and functions: PascalCase, or snake_case of several words.
TEST_CASE("every name of the code in docs/architecture.md is declared in a header") {
  std::string headers;
  std::string document;
  for (const Text& text : all_texts()) {
    if (text.path.extension() == ".hpp") {
      headers += text.content;
    } else if (text.path == "docs/architecture.md") {
      document = text.content;
    }
  }
  static const std::regex name(R"(`([A-Z][a-z]+\w*|[a-z]+(?:_[a-z]+)+)`)");
  std::size_t seen = 0;
  for (std::sregex_iterator match(document.begin(), document.end(), name), end; match != end; ++match, ++seen) {
    CAPTURE(match->str());
    CHECK((headers.find((*match)[1]) != std::string::npos || is_top_folder((*match)[1])));
  }
  CHECK(seen > 20);
}

TEST_CASE("every link and section that a text refers to exists") {
  std::vector<std::string> broken;
  for (const Text& text : all_texts()) {
    if (text.path.filename() == "reference_test.cpp") {
      continue;
    }
    if (text.path.extension() == ".md") {
      const std::vector<std::string> links = broken_links(text);
      broken.insert(broken.end(), links.begin(), links.end());
    }
    const std::vector<std::string> sections = missing_sections(text);
    broken.insert(broken.end(), sections.begin(), sections.end());
  }
  CHECK(joined(broken) == "");
}

}  // namespace parsimap::test
