#include "parsimap/library/library_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "library/formats.hpp"
#include "unit/core/temporary_folder.hpp"
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

TEST_CASE("usual numbers for fill, far below all other values, are missing values") {
  const TemporaryFolder folder;
  const auto library_of = [&](const std::string& rows) {
    write_file(folder.file("a.csv"), "class,450,550,650\n" + rows);
    return read_library(folder.file("a.csv"));
  };
  const SpectralLibrary filled = library_of("a,1,-9999,3\nb,-500,NaN,-9999\n");
  CHECK(std::isnan(filled.spectra(0, 1)));
  CHECK(std::isnan(filled.spectra(1, 2)));
  CHECK(filled.spectra(1, 0) == -500);
  REQUIRE(filled.notes.size() == 1);
  CHECK(filled.notes[0] ==
        folder.file("a.csv") + ": values of -9999, which are far below all others, count as missing: 2");
  const SpectralLibrary measured = library_of("a,1,-999,3\nb,-500,0,1\n");
  CHECK(measured.spectra(0, 1) == -999);
  CHECK(measured.notes.empty());
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

TEST_CASE("where bands come from is written and read again") {
  const BandOrigin origin{8, {0, 1, 2, 5}, {{3, "constant"}, {4, "constant"}, {6, "no data"}, {7, "left out"}}};
  CHECK(band_ranges(origin.bands) == "1-3 6");
  CHECK(dropped_ranges(origin.dropped) == "constant: 4-5; no data: 7; left out: 8");
  const auto read = band_origin_of("8", band_ranges(origin.bands), dropped_ranges(origin.dropped), 4, "a.gpkg");
  REQUIRE(read);
  CHECK(*read == origin);
  CHECK_FALSE(band_origin_of("", "1-3", "", 3, "a.gpkg"));
  CHECK(band_origin_of("3", "1-3", "", 3, "a.gpkg")->dropped.empty());
}

TEST_CASE("texts that do not make up a scene are refused") {
  const auto message = [](const std::string& scene, const std::string& bands, const std::string& dropped) {
    return message_of([&] { band_origin_of(scene, bands, dropped, 3, "a.gpkg"); });
  };
  CHECK(message("3", "1-2", "").find("do not make up the 3 bands") != std::string::npos);
  CHECK(message("4", "1-3", "constant: 3").find("do not make up") != std::string::npos);
  CHECK(message("3", "2-4", "").find("do not make up") != std::string::npos);
  CHECK(message("x", "1-3", "").find("number of bands") != std::string::npos);
  CHECK(message("0", "1-3", "").find("number of bands") != std::string::npos);
  for (const char* bands : {"3-1", "-1", "a", "1 1 2", "0-2", "1-999999999"}) {
    CAPTURE(bands);
    CHECK(message("3", bands, "").find("must be ranges of bands") != std::string::npos);
  }
}

}  // namespace parsimap::test
