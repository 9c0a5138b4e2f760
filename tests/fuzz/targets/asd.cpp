// Binary files of ASD spectrometers.
#include "fuzz/library_check.hpp"
#include "fuzz/target.hpp"
#include "library/formats.hpp"

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  static MemoryFile file;
  accepted([&] { check(read_asd(file.hold(input))); });
}

}  // namespace parsimap::fuzz
