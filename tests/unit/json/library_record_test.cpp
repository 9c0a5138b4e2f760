#include "parsimap/json/library_record.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "support/toy_library.hpp"

namespace parsimap::test {

TEST_CASE("a library as JSON has its bands, names and the values of its attributes") {
  const auto json = nlohmann::json::parse(info_json(toy::library()));
  CHECK(json.at("kind") == "library");
  CHECK(json.at("spectra") == 3);
  CHECK(json.at("names").at(1) == "beech");
  CHECK(json.at("missing_values") == 1);
  CHECK(json.at("quantity").is_null());
  CHECK(json.at("scene_bands").is_null());
  CHECK(json.at("bands").at(1).at("wavelength") == 550);
  CHECK(json.at("bands").at(1).at("bad") == true);
  CHECK(json.at("attributes").at(0).at("values").at(1) == nlohmann::json{{"value", "tree"}, {"spectra", 2}});
}

}  // namespace parsimap::test
