#include "line_reader.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "parsimap/core/error.hpp"

namespace parsimap {

void LineReader::read(bool wait) {
  std::array<char, 65536> bytes{};
  while (!ended_) {
    pollfd wanted{descriptor_, POLLIN, 0};
    const int ready = poll(&wanted, 1, wait ? -1 : 0);
    if (ready == 0 || (ready < 0 && errno == EINTR)) {
      return;
    }
    const ssize_t count = ready < 0 ? -1 : ::read(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      return;
    }
    if (count < 0) {
      throw IoError(std::string("standard input cannot be read: ") + std::strerror(errno));
    }
    ended_ = count == 0;
    // The last line may lack its end.
    const bool ends_line = ended_ && !begun_.text.empty();
    take(ends_line ? "\n" : bytes.data(), ends_line ? 1 : static_cast<std::size_t>(count));
    wait = false;
  }
}

void LineReader::take(const char* bytes, std::size_t count) {
  const char* const end = bytes + count;
  while (bytes < end) {
    const char* const newline = std::find(bytes, end, '\n');
    const std::size_t room = most_ - std::min(most_, begun_.text.size());
    const auto length = static_cast<std::size_t>(newline - bytes);
    begun_.text.append(bytes, std::min(room, length));
    begun_.too_long = begun_.too_long || length > room;
    if (newline == end) {
      return;
    }
    lines_.push_back(std::move(begun_));
    begun_ = {};
    bytes = newline + 1;
  }
}

}  // namespace parsimap
