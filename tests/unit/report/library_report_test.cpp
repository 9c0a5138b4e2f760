#include "parsimap/report/library_report.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/toy_library.hpp"

namespace parsimap::test {

TEST_CASE("a library as text tells sizes, wavelengths, attributes and names") {
  const std::string text = library_text(toy::library());
  for (const char* part : {"toy.sli", "Spectra:        3\n", "Values:         1 .. 5, 1 missing\n",
                           "Wavelengths:    450 .. 550 nm\n", "FWHM:           10 .. 10 nm (known for 1 bands)\n",
                           "Bad bands:      2\n", "  class: soil (1), tree (2)\n", "  note: empty\n", "  beech\n"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("long lists are cut unless all is asked for") {
  SpectralLibrary library = toy::library();
  library.origin = BandOrigin{3, {0, 1}, {{2, "constant"}}};
  for (int i = 0; i < 20; ++i) {
    SpectralLibrary more = toy::library();
    more.values[0][0] = "class " + std::to_string(i);
    append(library, more);
  }
  const std::string text = library_text(library);
  CHECK(text.find("and 10 more") != std::string::npos);
  CHECK(text.find("  and 53 more\n") != std::string::npos);
  CHECK(text.find("a training on 2 of 3 bands of a scene") != std::string::npos);
  CHECK(library_text(library, true).find(" more") == std::string::npos);
}

}  // namespace parsimap::test
