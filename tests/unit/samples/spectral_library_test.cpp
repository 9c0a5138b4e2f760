#include "parsimap/samples/spectral_library.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsimap/core/error.hpp"

#include "support/toy_library.hpp"

namespace parsimap::test {

TEST_CASE("attributes of libraries that are joined lie in columns of their names") {
  SpectralLibrary first = toy::library();
  SpectralLibrary second = toy::library();
  second.attributes = {"level", "class"};
  second.values = {{"1", "a"}, {"2", "b"}, {"3", "c"}};
  append(first, second);
  CHECK(first.size() == 6);
  CHECK(first.attributes == std::vector<std::string>{"class", "note", "level"});
  CHECK(first.values[0] == std::vector<std::string>{"tree", "", ""});
  CHECK(first.values[4] == std::vector<std::string>{"b", "", "2"});
  CHECK(first.names[5] == "sand");
  CHECK(first.spectra(4, 1) == 4);
  check_library(first);
}

TEST_CASE("bands are the same by their wavelengths, or by their number where there are none") {
  BandTable first = toy::library().bands;
  BandTable second = first;
  second[0].wavelength = 450.005;
  CHECK(same_wavelengths(first, second));
  second[0].wavelength = 450.02;
  CHECK_FALSE(same_wavelengths(first, second));
  second[0].wavelength.reset();
  CHECK_FALSE(same_wavelengths(first, second));
  CHECK(same_wavelengths(BandTable(2), BandTable(2)));
  CHECK_FALSE(same_wavelengths(BandTable(2), BandTable(3)));
  CHECK_FALSE(same_wavelengths(BandTable(2), first));
  SpectralLibrary library = toy::library();
  SpectralLibrary other = toy::library();
  other.bands[1].wavelength = 600;
  CHECK_THROWS_AS(append(library, other), DataError);
}

TEST_CASE("a part of a library has the names and attributes of its spectra") {
  const SpectralLibrary part = subset(toy::library(), {2, 0});
  CHECK(part.names == std::vector<std::string>{"sand", "oak"});
  CHECK(part.values[0][0] == "soil");
  CHECK(part.spectra(1, 1) == 2);
  check_library(part);
}

TEST_CASE("a library whose lists do not fit its spectra is refused") {
  SpectralLibrary library = toy::library();
  library.names.pop_back();
  CHECK_THROWS_AS(check_library(library), DataError);
  library = toy::library();
  library.values[1].pop_back();
  CHECK_THROWS_AS(check_library(library), DataError);
  CHECK_THROWS_AS(check_library(SpectralLibrary{}), DataError);
}

}  // namespace parsimap::test
