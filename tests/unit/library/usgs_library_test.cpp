#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "parsimap/library/library_file.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

// A spectrum in a chapter, and wavelengths of two spectrometers in the folder above.
void write_usgs(const TemporaryFolder& folder) {
  std::filesystem::create_directory(folder.file("ChapterM"));
  write_file(folder.file("ChapterM/splib07a_Actinolite_HS116.1B_ASDFRb_AREF.txt"),
             " splib07a Record=108: Actinolite HS116.1B          ASDFRb AREF\n 2.5e-01\n -1.2300000e+034\n 0.75\n");
  write_file(folder.file("splib07a_Wavelengths_ASD_0.35-2.5_microns_3_ch.txt"),
             " splib07a Record=23: Wavelengths ASD\n 0.35\n 0.36\n 0.37\n");
  write_file(folder.file("splib07a_Wavelengths_BECK_Beckman_0.2-3.0_microns.txt"),
             " splib07a Record=1: Wavelengths BECK\n 0.2\n 0.3\n 0.4\n");
  write_file(folder.file("splib07a_Bandpass_(FWHM)_ASDFR_StandardResolution.txt"),
             " splib07a Record=24: Bandpass (FWHM) ASDFR\n 0.003\n 0.003\n 0.004\n");
}

}  // namespace

TEST_CASE("a spectrum of splib07 has the wavelengths of its spectrometer") {
  const TemporaryFolder folder;
  write_usgs(folder);
  const std::string path = folder.file("ChapterM/splib07a_Actinolite_HS116.1B_ASDFRb_AREF.txt");
  CHECK(is_library(path));
  CHECK(is_library(folder.file("ChapterM")));
  for (const std::string& name : {path, folder.file("ChapterM")}) {
    const SpectralLibrary library = read_library(name);
    CHECK(library.names == std::vector<std::string>{"Actinolite HS116.1B"});
    CHECK(library.quantity == "reflectance");
    CHECK(library.spectra(0, 0) == 0.25F);
    CHECK(std::isnan(library.spectra(0, 1)));
    CHECK(*library.bands[2].wavelength == doctest::Approx(370));
    CHECK(*library.bands[2].fwhm == doctest::Approx(4));
    CHECK(library.values.front() ==
          std::vector<std::string>{"splib07a_Actinolite_HS116.1B_ASDFRb_AREF.txt", "108", "ASDFRb", "AREF"});
  }
  CHECK(library_files(path).size() == 4);
}

TEST_CASE("a spectrum of splib07 without its wavelengths, or with a word among its values, is refused") {
  const TemporaryFolder folder;
  write_file(folder.file("a.txt"), " splib07a Record=1: Sand BECKb AREF\n 0.5\n");
  CHECK(message_of([&] { read_library(folder.file("a.txt")); }).find("no file '*Wavelengths*'") != std::string::npos);
  write_file(folder.file("a.txt"), " splib07a Record=1: Sand BECKb AREF\n 0.5\n dark\n");
  CHECK(message_of([&] { read_library(folder.file("a.txt")); }).find("line 3: 'dark' is not a number") !=
        std::string::npos);
  write_file(folder.file("a.txt"), " splib07a Record=1: Sand BECKb AREF\n");
  CHECK(message_of([&] { read_library(folder.file("a.txt")); }).find("holds no value") != std::string::npos);
}

}  // namespace parsimap::test
