#include "library/envi_library.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/library/library_file.hpp"

#include "support/data_folder.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/library/library_folder.hpp"

namespace parsimap::test {

namespace {

void write_envi_library(const TemporaryFolder& folder, const std::string& header, const std::string& bytes) {
  write_file(folder.file("lib.hdr"), header);
  write_file(folder.file("lib.sli"), bytes);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

const std::vector<float> kValues = {1, 2, 3, 4, 5, 6};

}  // namespace

TEST_CASE("an ENVI library is read by its data file or its header, in nanometres") {
  const TemporaryFolder folder;
  write_envi_library(folder, kEnviHeader, bytes_of(kValues));
  for (const char* name : {"lib.sli", "lib.hdr"}) {
    CHECK(is_library(folder.file(name)));
    const SpectralLibrary library = read_library(folder.file(name));
    CHECK(library.names == std::vector<std::string>{"old oak", "wet  sand"});
    CHECK(library.spectra == Spectra(Eigen::Map<const Spectra>(kValues.data(), 2, 3)));
    REQUIRE(library.bands.size() == 3);
    CHECK(*library.bands[1].wavelength == doctest::Approx(550));
    CHECK(*library.bands[1].fwhm == doctest::Approx(20));
    CHECK(library.bands[1].bad);
    CHECK_FALSE(library.bands[2].bad);
    CHECK(library.notes.empty());
  }
  CHECK(library_files(folder.file("lib.hdr")).size() == 3);
}

TEST_CASE("every type of numbers, both byte orders, an offset and a scale factor are read") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& type, const std::string& bytes, const std::string& more = "") {
    write_envi_library(folder, replaced(kEnviHeader, "data type = 4", "data type = " + type) + more, bytes);
    return read_library(folder.file("lib.sli")).spectra;
  };
  const Spectra expected = Eigen::Map<const Spectra>(kValues.data(), 2, 3);
  CHECK(read("1", bytes_of(std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6})) == expected);
  CHECK(read("2", bytes_of(std::vector<std::int16_t>{1, 2, 3, 4, 5, 6})) == expected);
  CHECK(read("3", bytes_of(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6})) == expected);
  CHECK(read("5", bytes_of(std::vector<double>{1, 2, 3, 4, 5, 6})) == expected);
  CHECK(read("12", bytes_of(std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6})) == expected);
  CHECK(read("13", bytes_of(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6})) == expected);
  CHECK(read("14", bytes_of(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6})) == expected);
  CHECK(read("15", bytes_of(std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6})) == expected);
  std::string header = replaced(kEnviHeader, "data type = 4", "data type = 2");
  header = replaced(header, "byte order = 0", "byte order = 1");
  header = replaced(header, "header offset = 0", "header offset = 5");
  write_envi_library(folder, header + "reflectance scale factor = 100\ndata ignore value = 2\n",
                     "12345" + std::string("\0\1\0\2\0\3\0\4\0\5\0\6", 12));
  const Spectra scaled = read_library(folder.file("lib.sli")).spectra;
  CHECK(scaled(1, 2) == 0.06F);
  CHECK(std::isnan(scaled(0, 1)));
}

TEST_CASE("attributes beside an ENVI library are joined by the names of the spectra") {
  const TemporaryFolder folder;
  write_envi_library(folder, replaced(kEnviHeader, "wet\n sand", "wet sand"), bytes_of(kValues));
  write_file(folder.file("lib.csv"), "spectra names;class;note\nwet sand;soil;\"a; \"\"b\"\"\"\nold oak;tree;\n");
  const SpectralLibrary library = read_library(folder.file("lib.sli"));
  CHECK(library.attributes == std::vector<std::string>{"class", "note"});
  CHECK(library.values == std::vector<std::vector<std::string>>{{"tree", ""}, {"soil", "a; \"b\""}});
  CHECK(attribute_column(library, "class") == 0);
  CHECK_FALSE(attribute_column(library, "level"));
  write_file(folder.file("lib.csv"), "name,class\nold oak,tree\n");
  const SpectralLibrary partly = read_library(folder.file("lib.sli"));
  CHECK(partly.values[1] == std::vector<std::string>{""});
  REQUIRE(partly.notes.size() == 1);
  CHECK(partly.notes[0].find("names 1 of the 2 spectra") != std::string::npos);
}

TEST_CASE("lists of another length are reported and not used") {
  const TemporaryFolder folder;
  std::string header = replaced(kEnviHeader, "old oak, wet\n sand", "a, b, c");
  header = replaced(header, "bbl = {1, 0, 1}", "bbl = {1, 0}");
  write_envi_library(folder, header, bytes_of(kValues));
  const SpectralLibrary library = read_library(folder.file("lib.sli"));
  CHECK(library.names == std::vector<std::string>{"spectrum 1", "spectrum 2"});
  CHECK(library.notes.size() == 2);
}

TEST_CASE("damaged ENVI libraries are refused with a sentence") {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& header, const std::string& bytes) {
    write_envi_library(folder, header, bytes);
    return message_of([&] { read_library(folder.file("lib.sli")); });
  };
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
  };
  const std::string bytes = bytes_of(kValues);
  CHECK(has(message(kEnviHeader, bytes.substr(1)), "has 23 bytes; by its header 2 spectra of 3 bands take more"));
  // A header that states too few spectra or bands: with the latter, values would belong to other bands.
  CHECK(has(message(replaced(kEnviHeader, "lines = 2", "lines = 1"), bytes),
            "has 24 bytes; by its header 1 spectra of 3 bands take less"));
  CHECK(has(message(replaced(kEnviHeader, "samples = 3", "samples = 2"), bytes), "2 spectra of 2 bands take less"));
  CHECK(has(message(kEnviHeader, bytes + std::string(12, '\0')), "take less"));
  CHECK(read_library((write_envi_library(folder, kEnviHeader, bytes + "12345678"), folder.file("lib.sli"))).size() ==
        2);
  CHECK(has(message(replaced(kEnviHeader, "lines = 2", "lines = 9000000000000000000"), bytes), "take more"));
  CHECK(has(message(replaced(kEnviHeader, "samples = 3", "samples = -3"), bytes), "'samples' is '-3'"));
  CHECK(has(message(replaced(kEnviHeader, "data type = 4", "data type = 6"), bytes), "data type 6"));
  CHECK(has(message(replaced(kEnviHeader, "bands = 1", "bands = 2"), bytes), "a spectral library has one"));
  CHECK(has(message(replaced(kEnviHeader, "0, 1}", "0, 1"), bytes), "no closing brace"));
  CHECK(has(message(replaced(kEnviHeader, "bbl = {1, 0, 1}", "bbl = {1, x, 1}"), bytes), "'x' in the list 'bbl'"));
  CHECK(has(message(std::string(kEnviHeader) + "reflectance scale factor = 0\n", bytes), "above 0"));
  CHECK(has(message("ENV", bytes), "does not begin with ENVI"));
  write_file(folder.file("alone.sli"), bytes);
  CHECK(has(message_of([&] { read_library(folder.file("alone.sli")); }), "no header (.hdr)"));
}

TEST_CASE("real ENVI libraries are read") {
  const auto data = toy::data_folder();
  if (!data) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const SpectralLibrary berlin = read_library(*data + "/enmap_berlin/library_berlin.sli");
  CHECK(berlin.size() == 75);
  CHECK(berlin.bands.size() == 177);
  CHECK(*berlin.bands.front().wavelength == doctest::Approx(460));
  CHECK(*berlin.bands.front().fwhm == doctest::Approx(5.8));
  CHECK(berlin.attributes == std::vector<std::string>{"level_1", "level_2", "level_3"});
  CHECK(berlin.notes.empty());
  const SpectralLibrary urban = read_library(*data + "/speclib/roberts2017_urban.sli");
  CHECK(urban.size() == 3725);
  CHECK(urban.bands.size() == 224);
  CHECK(*urban.bands.front().wavelength == doctest::Approx(365.9));
  CHECK(urban.bands.front().bad);
  CHECK(urban.notes.empty());
  const SpectralLibrary usgs = read_library(*data + "/speclib/s06av95a_envi.hdr");
  CHECK(usgs.size() == 1365);
  CHECK(usgs.names.front() == "Acmite NMNH133746 Pyroxene s06av95a=a");
  CHECK(usgs.notes.empty());
}

TEST_CASE("types of ENVI have their sizes, and complex ones none") {
  CHECK(envi_type_bytes(1) == 1);
  CHECK(envi_type_bytes(12) == 2);
  CHECK(envi_type_bytes(4) == 4);
  CHECK(envi_type_bytes(15) == 8);
  for (const Index type : {-1, 0, 6, 9, 16}) {
    CHECK(envi_type_bytes(type) == 0);
  }
}

TEST_CASE("numbers are read row by row in either byte order") {
  const Spectra little = envi_values(std::string("\1\0\2\0\3\0\xff\xff", 8), 2, false, 2, 2);
  const Spectra big = envi_values(std::string("\0\1\0\2\0\3\xff\xff", 8), 2, true, 2, 2);
  CHECK(little == big);
  CHECK(little(0, 1) == 2);
  CHECK(little(1, 1) == -1);
}

}  // namespace parsimap::test
