
#include "parsimap/library/library_output.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "parsimap/core/random.hpp"
#include "parsimap/library/library_file.hpp"

#include "library/profile_library.hpp"
#include "support/spectra.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

// Numbers of all sizes, which need all their digits.
SpectralLibrary odd_numbers() {
  SpectralLibrary library;
  library.path = "odd";
  library.names = {"a, \"b\"", "wheat {1}"};
  library.attributes = {"class", "note"};
  library.values = {{"tree", "x;y"}, {"field", ""}};
  library.spectra.resize(2, 4);
  library.spectra << 0.1F, std::numeric_limits<float>::denorm_min(), -3.4e38F, 1.0F / 3, 16777217.0F, 1e-7F, 12345.678F,
      std::numeric_limits<float>::quiet_NaN();
  library.bands = {{.name = "b \"1\"", .wavelength = 450.1},
                   {.wavelength = 1e3 / 3, .bad = true},
                   {.wavelength = 700, .fwhm = 0.1 + 0.2},
                   {.wavelength = 800}};
  library.origin = BandOrigin{6, {0, 1, 3, 5}, {{2, "constant"}, {4, "no data"}}};
  return library;
}

void write(const TemporaryFolder& folder, const std::string& name, const SpectralLibrary& library) {
  OutputSet outputs(true);
  write_library(stage_library(outputs, "--samples-out", folder.file(name)), library);
  outputs.publish();
}

}  // namespace

TEST_CASE("a profile reads back the same, with its bands and where they come from") {
  const SpectralLibrary library = odd_numbers();
  for (Index row = 0; row < 2; ++row) {
    const Profile profile = parse_profile(profile_text(library, row), "row");
    CHECK(profile.bands == library.bands);
    REQUIRE(profile.origin);
    CHECK(*profile.origin == *library.origin);
    CHECK(same_values(Eigen::Map<const Spectra>(profile.values.data(), 1, 4), library.spectra.row(row)));
  }
  SpectralLibrary plain = odd_numbers();
  plain.bands.assign(4, Band{});
  plain.origin.reset();
  CHECK(profile_text(plain, 0).starts_with("{\"y\":["));
}

TEST_CASE("random numbers of single precision read back the same") {
  SpectralLibrary library;
  Random random(7);
  library.spectra.resize(1, 20000);
  for (Index i = 0; i < library.spectra.size(); ++i) {
    library.spectra.data()[i] = static_cast<float>(random.normal() * std::pow(10.0, random.uniform() * 20 - 10));
  }
  library.bands.resize(20000);
  const Profile profile = parse_profile(profile_text(library, 0), "row");
  CHECK(same_values(Eigen::Map<const Spectra>(profile.values.data(), 1, 20000), library.spectra));
}

TEST_CASE("an ENVI library is written with header and table, and reads back") {
  const TemporaryFolder folder;
  SpectralLibrary library = odd_numbers();
  for (Band& band : library.bands) {
    band.fwhm = 10.5;
    band.name = "one";
  }
  write(folder, "out.sli", library);
  CHECK(folder.names() == std::vector<std::string>{"out.csv", "out.hdr", "out.sli"});
  const SpectralLibrary again = read_library(folder.file("out.sli"));
  CHECK(same_values(again.spectra, library.spectra));
  CHECK(again.bands == library.bands);
  CHECK(again.origin == library.origin);
  CHECK(again.attributes == library.attributes);
  CHECK(again.values == library.values);
  CHECK(again.names == std::vector<std::string>{"a  \"b\"", "wheat  1"});
  CHECK(again.notes.empty());
}

TEST_CASE("a table is written with wavelengths in its header, and reads back") {
  const TemporaryFolder folder;
  const SpectralLibrary library = odd_numbers();
  write(folder, "out.csv", library);
  const SpectralLibrary again = read_library(folder.file("out.csv"));
  CHECK(same_values(again.spectra, library.spectra));
  CHECK(same_wavelengths(again.bands, library.bands));
  CHECK(again.names == library.names);
  CHECK(again.values == library.values);
}

TEST_CASE("the files of a library are announced") {
  CHECK(is_library_output("a.sli"));
  CHECK(is_library_output("a.CSV"));
  CHECK_FALSE(is_library_output("a.gpkg"));
  const TemporaryFolder folder;
  write_file(folder.file("out.hdr"), "an image's");
  OutputSet outputs(false);
  CHECK(message_of([&] { stage_library(outputs, "--samples-out", folder.file("out.sli")); }).find("out.hdr") !=
        std::string::npos);
}

}  // namespace parsimap::test
