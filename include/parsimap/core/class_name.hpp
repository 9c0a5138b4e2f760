// Names of classes as they stand in files, made fit for everything that is written: UTF-8, without what XML cannot
// hold.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parsimap {

// True where `text` is UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing cut off.
bool is_utf8(std::string_view text);

// `text`, which is ISO-8859-1, as UTF-8.
std::string utf8_of_latin1(std::string_view text);

// The first few of `names` in quotes, and how many more there are.
std::string quoted_names(const std::set<std::string>& names);

// Reads the names of one file, and remembers what it changed.
class ClassNameReader {
 public:
  // The name without the white space around it. What is not UTF-8 is taken for ISO-8859-1, as old shapefiles and
  // headers have it; control characters, which no XML can hold, become blanks, but for tabs and the ends of lines.
  std::string read(std::string_view name);

  // A sentence for each kind of change that `path` needed.
  [[nodiscard]] std::vector<std::string> notes(const std::string& path) const;

 private:
  std::set<std::string> recoded_;  // as they were read
  std::set<std::string> cleaned_;
};

}  // namespace parsimap
