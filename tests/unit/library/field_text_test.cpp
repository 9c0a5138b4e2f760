#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsimap/library/library_file.hpp"

#include "support/data_folder.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

SpectralLibrary read_text(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file(name), text);
  return read_library(folder.file(name));
}

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

TEST_CASE("Spectra Vista: reflectance is the fourth column, in percent") {
  const SpectralLibrary library = read_text("a.sig", kSvc + "338.5  868.5  43.0  4.96\r\n340.0  935.0  46.0  50\r\n");
  CHECK(library.quantity == "reflectance");
  CHECK(library.names == std::vector<std::string>{"a"});
  CHECK(library.spectra(0, 0) == doctest::Approx(0.0496));
  CHECK(library.spectra(0, 1) == 0.5F);
  CHECK(wavelengths(library) == std::vector<double>{338.5, 340});
}

TEST_CASE("Spectra Vista: detectors are used up to the middle of their overlap") {
  const SpectralLibrary library = read_text(
      "a.sig", kSvc +
                   "990 1 1 1\n1000 1 1 2\n1010 1 1 3\n980 1 1 11\n994 1 1 12\n996 1 1 13\n1020 1 1 14\n1015 1 1 21\n"
                   "1030 1 1 22\n");
  CHECK(wavelengths(library) == std::vector<double>{990, 996, 1030});
  CHECK(library.spectra(0, 0) == doctest::Approx(0.01));
  CHECK(library.spectra(0, 1) == doctest::Approx(0.13));
  CHECK(library.spectra(0, 2) == doctest::Approx(0.22));
}

TEST_CASE("Spectral Evolution: the names of the columns say which is the reflectance, and in what") {
  const SpectralLibrary percent =
      read_text("a.sed", kSed + "Wvl\tRad. (Ref.)\tRad. (Target)\tTgt./Ref. %\n 350.0\t2.3E-002\t9.0E-004\t  3.8833\n");
  CHECK(percent.quantity == "reflectance");
  CHECK(percent.spectra(0, 0) == doctest::Approx(0.038833));
  const SpectralLibrary fraction = read_text("a.sed", kSed + "Wvl\tReflect. [1.0]\n350\t0.25\n");
  CHECK(fraction.spectra(0, 0) == 0.25F);
  const SpectralLibrary radiance = read_text("a.sed", kSed + "Wvl\tRad. (Ref.)\tRad. (Target)\n350\t0.5\t0.125\n");
  CHECK(radiance.quantity == "radiance");
  CHECK(radiance.spectra(0, 0) == 0.125F);
}

TEST_CASE("damaged text files are refused with file, line and value") {
  const auto message = [](const std::string& name, const std::string& text) {
    return message_of([&] { read_text(name, text); });
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
