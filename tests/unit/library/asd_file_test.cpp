#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "parsimap/core/text.hpp"
#include "parsimap/library/library_file.hpp"

#include "support/data_folder.hpp"
#include "unit/library/library_folder.hpp"

namespace parsimap::test {
namespace {

const std::vector<double> kTarget = {1, 3, 6, 8};
const std::vector<double> kWhite = {2, 4, 0, 8};

std::string with_reference(int data_type) {
  return asd_header("as7", data_type, 2, 4) + bytes_of(kTarget) + asd_reference_header("white") + bytes_of(kWhite) +
         std::string(58, '\1');
}

SpectralLibrary read_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder.file("field.asd"), bytes);
  return read_library(folder.file("field.asd"));
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

TEST_CASE("radiance that would need a calibration is told to be digital numbers") {
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

}  // namespace parsimap::test
