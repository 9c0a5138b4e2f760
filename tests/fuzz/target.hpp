// What the programs of this folder share. Each defines run_input(), which libFuzzer calls with one input after another.
//
// An input is either accepted or refused by one of the three errors that a user is to see. Everything else is a
// finding: another exception, a failed require(), a report of a sanitizer, more time or memory than scripts/fuzz
// allows.
#pragma once

#include <string>
#include <string_view>

#include "parsimap/core/error.hpp"

namespace parsimap::fuzz {

void run_input(std::string_view input);

// Ends the program when what must be true of an accepted input is not.
void require(bool holds, const char* rule);

// Whether `work` ends without a ConfigError, DataError or IoError.
template <typename Work>
bool accepted(const Work& work) {
  try {
    work();
    return true;
  } catch (const ConfigError& error) {
    require(*error.what() != '\0', "an error says what is wrong");
  } catch (const DataError& error) {
    require(*error.what() != '\0', "an error says what is wrong");
  } catch (const IoError& error) {
    require(*error.what() != '\0', "an error says what is wrong");
  }
  return false;
}

// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Gives the file this content, and returns its path.
  const std::string& hold(std::string_view content);

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace parsimap::fuzz
