#include "text_lines.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

std::string file_text(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> block;
  do {
    // A folder opens, and fails when it is read.
    file.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (!file.eof() || file.bad()) {
    throw DataError(path + " cannot be read: " + std::strerror(errno));
  }
  return text;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return trimmed(line);
}

}  // namespace parsimap
