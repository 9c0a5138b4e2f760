// Spectral libraries.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "parsimap/library/library_file.hpp"
#include "parsimap/samples/spectral_library.hpp"

#include "fuzz/target.hpp"
#include "library/field_spectrometers.hpp"
#include "library/profile_library.hpp"
#include "library/table_library.hpp"

namespace parsimap::fuzz {
namespace {

// What must be true of every spectral library that a reader accepts.
void check(const SpectralLibrary& library) {
  accepted([&] { check_library(library); });
  require(
      library.names.size() == static_cast<std::size_t>(library.size()) && library.values.size() == library.names.size(),
      "every spectrum has a name and attributes");
  require(library.bands.size() == static_cast<std::size_t>(library.spectra.cols()), "every value has a band");
  require(!library.spectra.array().isInf().any(), "an infinite value is missing");
  for (const Band& band : library.bands) {
    require(!band.wavelength || *band.wavelength > 0, "a wavelength is above 0");
  }
}

// ---- asd ----

// Binary files of ASD spectrometers.
void run_asd(std::string_view input) {
  static MemoryFile file;
  accepted([&] { check(read_asd(file.hold(input))); });
}

// ---- library_text ----

// Spectra as text: of field spectrometers, in tables, and as profiles.
void run_library_text(std::string_view input) {
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

// ---- sli ----

// Headers of ENVI spectral libraries, beside a data file that stays the same.

// A folder in memory, which goes with the program.
class LibraryFolder {
 public:
  LibraryFolder() : path_("/dev/shm/parsimap-fuzz-sli-" + std::to_string(getpid())) {
    std::filesystem::create_directory(path_);
    write("lib.sli", std::string(96, '\x3f'));
    write("lib.csv", "spectra names,class\nold oak,tree\nsand,soil\n");
  }
  ~LibraryFolder() { std::filesystem::remove_all(path_); }
  LibraryFolder(const LibraryFolder&) = delete;
  LibraryFolder& operator=(const LibraryFolder&) = delete;

  void write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << content;
  }
  [[nodiscard]] std::string library() const { return path_ + "/lib.sli"; }

 private:
  std::string path_;
};

void run_sli(std::string_view input) {
  static const LibraryFolder folder;
  folder.write("lib.hdr", input);
  accepted([&] { check(read_library(folder.library())); });
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"asd", run_asd},
      {"library_text", run_library_text},
      {"sli", run_sli},
  };
  return all;
}

}  // namespace parsimap::fuzz
