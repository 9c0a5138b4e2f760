// Spectra as text: of field spectrometers, in tables, and as profiles.
#include "fuzz/library_check.hpp"
#include "fuzz/target.hpp"
#include "library/formats.hpp"

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  static MemoryFile file;
  const std::string& path = file.hold(input);
  accepted([&] { check(read_svc(path)); });
  accepted([&] { check(read_spectral_evolution(path)); });
  accepted([&] { check(read_table_library(path)); });
  accepted([&] {
    const Profile profile = parse_profile(std::string(input), "input");
    require(!profile.values.empty() && profile.bands.size() == profile.values.size(), "a profile has values");
  });
  is_table_library(path);
}

}  // namespace parsimap::fuzz
