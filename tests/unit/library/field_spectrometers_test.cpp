#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "parsimap/core/text.hpp"
#include "parsimap/library/library_file.hpp"

#include "support/data_folder.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/library/library_folder.hpp"

namespace parsimap::test {
namespace {

const std::vector<double> kTarget = {1, 3, 6, 8};
const std::vector<double> kWhite = {2, 4, 0, 8};

std::string with_reference(int data_type) {
  return asd_header("as7", data_type, 2, 4) + bytes_of(kTarget) + asd_reference_header("white") + bytes_of(kWhite) +
         std::string(58, '\1');
}

SpectralLibrary read_bytes(const std::string& bytes) { return read_content("field.asd", bytes); }

const std::string kSvc = "/*** Spectra Vista SIG Data ***/\nname= a.sig\nunits= Radiance, Radiance\ndata= \n";
const std::string kSed = "Comment: \nVersion: 2.3\nChannels: 2\nData:\n";

std::vector<double> wavelengths(const SpectralLibrary& library) {
  std::vector<double> result;
  for (const Band& band : library.bands) {
    result.push_back(*band.wavelength);
  }
  return result;
}

}  // namespace

TEST_CASE("reflectance is the quotient of target and reference") {
  const SpectralLibrary library = read_bytes(with_reference(1));
  CHECK(library.names == std::vector<std::string>{"field"});
  CHECK(library.quantity == "reflectance");
  CHECK(library.spectra(0, 0) == 0.5F);
  CHECK(library.spectra(0, 1) == 0.75F);
  CHECK(std::isnan(library.spectra(0, 2)));
  CHECK(library.spectra(0, 3) == 1);
  CHECK(library.bands.size() == 4);
  CHECK(library.bands[3].wavelength == 353);
}

TEST_CASE("files without a reference hold their values themselves, in any format of numbers") {
  const SpectralLibrary old = read_bytes(asd_header("ASD", 1, 0, 2) + bytes_of(std::vector<float>{0.25F, 0.5F}));
  CHECK(old.quantity == "reflectance");
  CHECK(old.spectra(0, 1) == 0.5F);
  const SpectralLibrary counts = read_bytes(asd_header("as2", 0, 1, 2) + bytes_of(std::vector<std::int32_t>{7, 900}));
  CHECK(counts.quantity == "digital numbers");
  CHECK(counts.spectra(0, 1) == 900);
}

TEST_CASE("radiance that needs a calibration is reported as digital numbers") {
  const SpectralLibrary library = read_bytes(with_reference(2));
  CHECK(library.quantity == "digital numbers");
  CHECK(library.spectra(0, 1) == 3);
  REQUIRE(library.notes.size() == 1);
  CHECK(library.notes[0].find("radiance needs a calibration") != std::string::npos);
}

TEST_CASE("damaged files of ASD are refused with a sentence") {
  const std::string whole = with_reference(1);
  const auto message = [](const std::string& bytes) { return message_of([&] { read_bytes(bytes); }); };
  CHECK(message("").find("no file of an ASD spectrometer") != std::string::npos);
  CHECK(message("XY" + whole.substr(2)).find("no file of an ASD spectrometer") != std::string::npos);
  CHECK(message(whole.substr(0, 484)).find("too few for its 4 channels") != std::string::npos);
  CHECK(message(whole.substr(0, 484 + 32 + 20)).find("too few for the spectrum of the reference") != std::string::npos);
  CHECK(message(asd_header("as7", 1, 3, 4) + whole.substr(484)).find("data format is 3") != std::string::npos);
  CHECK(message(asd_header("as7", 1, 2, 0)).find("0 channels") != std::string::npos);
  std::string steps = whole;
  put(steps, 195, -1.0F);
  CHECK(message(steps).find("above 0") != std::string::npos);
}

TEST_CASE("real files of ASD agree with the text that the maker's program exports") {
  const auto data = toy::data_folder();
  if (!data) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  for (const std::string name : {"ribb00001", "ribb00002"}) {
    const std::string path = *data + "/speclib/" + name + ".asd";
    const SpectralLibrary binary = read_library(path);
    const SpectralLibrary text = read_library(path + ".txt");
    REQUIRE(binary.bands.size() == 2151);
    REQUIRE(text.bands.size() == 2151);
    CHECK(same_wavelengths(binary.bands, text.bands));
    CHECK((binary.spectra - text.spectra).cwiseAbs().maxCoeff() <= 1e-6F * text.spectra.cwiseAbs().maxCoeff());
    CHECK(binary.quantity == "reflectance");
  }
  CHECK(read_library(*data + "/speclib/ww00184.asd").bands.size() == 2151);
}

TEST_CASE("Spectra Vista: reflectance is the fourth column, in percent") {
  const SpectralLibrary library =
      read_content("a.sig", kSvc + "338.5  868.5  43.0  4.96\r\n340.0  935.0  46.0  50\r\n");
  CHECK(library.quantity == "reflectance");
  CHECK(library.names == std::vector<std::string>{"a"});
  CHECK(library.spectra(0, 0) == doctest::Approx(0.0496));
  CHECK(library.spectra(0, 1) == 0.5F);
  CHECK(wavelengths(library) == std::vector<double>{338.5, 340});
}

TEST_CASE("Spectra Vista: detectors are used up to the middle of their overlap") {
  const SpectralLibrary library = read_content(
      "a.sig", kSvc +
                   "990 1 1 1\n1000 1 1 2\n1010 1 1 3\n980 1 1 11\n994 1 1 12\n996 1 1 13\n1020 1 1 14\n1015 1 1 21\n"
                   "1030 1 1 22\n");
  CHECK(wavelengths(library) == std::vector<double>{990, 996, 1030});
  CHECK(library.spectra(0, 0) == doctest::Approx(0.01));
  CHECK(library.spectra(0, 1) == doctest::Approx(0.13));
  CHECK(library.spectra(0, 2) == doctest::Approx(0.22));
}

TEST_CASE("Spectral Evolution: the names of the columns say which is the reflectance, and in what") {
  const SpectralLibrary percent = read_content(
      "a.sed", kSed + "Wvl\tRad. (Ref.)\tRad. (Target)\tTgt./Ref. %\n 350.0\t2.3E-002\t9.0E-004\t  3.8833\n");
  CHECK(percent.quantity == "reflectance");
  CHECK(percent.spectra(0, 0) == doctest::Approx(0.038833));
  const SpectralLibrary fraction = read_content("a.sed", kSed + "Wvl\tReflect. [1.0]\n350\t0.25\n");
  CHECK(fraction.spectra(0, 0) == 0.25F);
  const SpectralLibrary radiance = read_content("a.sed", kSed + "Wvl\tRad. (Ref.)\tRad. (Target)\n350\t0.5\t0.125\n");
  CHECK(radiance.quantity == "radiance");
  CHECK(radiance.spectra(0, 0) == 0.125F);
}

TEST_CASE("damaged text files are refused with file, line and value") {
  const auto message = [](const std::string& name, const std::string& text) {
    return message_of([&] { read_content(name, text); });
  };
  CHECK(message("a.sig", "name= a.sig\n").find("has no line 'data='") != std::string::npos);
  CHECK(message("a.sig", kSvc).find("holds no channel") != std::string::npos);
  CHECK(message("a.sig", kSvc + "338.5 1 2\n").find("line 5 has 3 columns; it must have 4") != std::string::npos);
  CHECK(message("a.sig", kSvc + "338.5 1 2 x\n").find("line 5: 'x' is not a number") != std::string::npos);
  CHECK(message("a.sig", kSvc + "-1 1 2 3\n").find("must be above 0") != std::string::npos);
  CHECK(message("a.sed", "Version: 2.3\n").find("has no line 'Data:'") != std::string::npos);
  CHECK(message("a.sed", kSed).find("no column below 'Data:'") != std::string::npos);
  CHECK(message("a.sed", kSed + "Wvl\tDN\n350\t1\n").find("no column below 'Data:'") != std::string::npos);
}

TEST_CASE("real files of field spectrometers are read") {
  const auto data = toy::data_folder();
  if (!data) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const SpectralLibrary svc = read_library(*data + "/speclib/241016_1051_R009_T014.sig");
  CHECK(svc.quantity == "reflectance");
  CHECK(svc.spectra(0, 0) == doctest::Approx(0.0496));
  const std::vector<double> ascending = wavelengths(svc);
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    CHECK(ascending[i] > ascending[i - 1]);
  }
  const SpectralLibrary sed = read_library(*data + "/speclib/darwin.sed");
  CHECK(sed.bands.size() == 2151);
  CHECK(sed.spectra(0, 0) == doctest::Approx(0.038833));
}

}  // namespace parsimap::test
