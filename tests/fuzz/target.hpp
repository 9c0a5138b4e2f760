// What the programs of this folder share. Each has several targets, of which libFuzzer calls one with one input after
// another: the one that the program is called by, as in fuzz_asd for the target asd.
//
// An input is either accepted or refused by one of the three errors that a user is to see. Everything else is a
// finding: another exception, a failed require(), a report of a sanitizer, more time or memory than scripts/fuzz
// allows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/core/error.hpp"

#include "fuzz/document_mutator.hpp"

namespace parsimap::fuzz {

struct Target {
  const char* name;
  void (*run)(std::string_view input);
  std::optional<Encoding> encoding = {};  // of inputs that are documents
};

// Those of a program, which defines this.
const std::vector<Target>& targets();

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
