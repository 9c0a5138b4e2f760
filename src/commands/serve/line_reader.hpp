// Lines of a pipe, which can also be looked at while other work is done.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace parsimap {

struct InputLine {
  std::string text;
  bool too_long = false;   // `text` is the beginning of the line
  bool cancelled = false;  // set by the reader's owner
};

class LineReader {
 public:
  // `descriptor` is open for reading, and kept by the caller. Longer lines than `most` bytes are cut.
  LineReader(int descriptor, std::size_t most) : descriptor_(descriptor), most_(most) {}

  // Reads what there is, without waiting or, with `wait`, until something comes or a signal does. IoError with the
  // system's reason.
  void read(bool wait);
  // The lines that are complete, the first one first; a last one without an end is none.
  [[nodiscard]] std::deque<InputLine>& lines() { return lines_; }
  // Nothing follows.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void take(const char* bytes, std::size_t count);

  int descriptor_;
  std::size_t most_;
  InputLine begun_;
  std::deque<InputLine> lines_;
  bool ended_ = false;
};

}  // namespace parsimap
