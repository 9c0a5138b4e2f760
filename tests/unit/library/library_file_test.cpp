#include "parsimap/library/library_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "library/formats.hpp"
#include "unit/library/library_folder.hpp"

namespace parsimap::test {

TEST_CASE("a single spectrum is called like its file, and has no infinite value") {
  CHECK(stem_of("a/b.c.ASD") == "b.c");
  CHECK(extension_of("a/b.c.ASD") == ".asd");
  const SpectralLibrary library =
      single_spectrum("a/b.asd", "format", {0.5, std::numeric_limits<double>::infinity(), 1e300}, {350, 351, 352});
  CHECK(library.names.front() == "b");
  CHECK(library.values.front().front() == "b.asd");
  CHECK(library.spectra(0, 0) == 0.5F);
  CHECK(std::isnan(library.spectra(0, 1)));
  CHECK(std::isnan(library.spectra(0, 2)));
  CHECK(library.bands[2].wavelength == 352);
  check_library(library);
}

TEST_CASE("a folder of single spectra is one library, in the order of their names") {
  const TemporaryFolder folder;
  write_file(folder.file("b.asd"), asd_header("as7", 1, 0, 2) + bytes_of(std::vector<float>{3, 4}));
  write_file(folder.file("a.asd"), asd_header("as7", 1, 0, 2) + bytes_of(std::vector<float>{1, 2}));
  write_file(folder.file("b.asd.txt"), "Wavelength;b\n350;3\n351;4\n");
  write_file(folder.file("notes"), "none");
  CHECK(is_library(folder.file("")));
  const SpectralLibrary library = read_library(folder.file(""));
  CHECK(library.names == std::vector<std::string>{"a", "b"});
  CHECK(library.spectra(1, 0) == 3);
  CHECK(library.values[1] == std::vector<std::string>{"b.asd"});
  CHECK(library_files(folder.file("")).size() == 3);
}

TEST_CASE("what is no library is refused with a sentence") {
  const TemporaryFolder folder;
  write_file(folder.file("a.dat"), "x");
  CHECK_FALSE(is_library(folder.file("a.dat")));
  CHECK_FALSE(is_library(folder.file("")));
  CHECK_FALSE(is_library(folder.file("absent")));
  CHECK(message_of([&] { read_library(folder.file("a.dat")); }).find("is no spectral library") != std::string::npos);
  CHECK(message_of([&] { read_library(folder.file("absent.sli")); }).find("there is no such file") !=
        std::string::npos);
  CHECK(message_of([&] { read_library(folder.file("")); }).find("holds no spectra") != std::string::npos);
}

}  // namespace parsimap::test
