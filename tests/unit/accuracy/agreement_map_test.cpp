#include "parsimap/accuracy/agreement_map.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/accuracy/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("maps agree by the names of their classes, whatever their codes") {
  MemoryMap first(4, {1, 1, 2, 2, 1, 0, 2, 3}, {{1, "forest", {}}, {2, "water", {}}, {3, "bog", {}}}, true);
  MemoryMap second(4, {7, 4, 4, 7, 0, 4, 4, 4}, {{4, "water", {}}, {7, "forest", {}}}, true);
  AgreementMap map(first, second);
  CHECK(map.classes()[1].name == kMapsDiffer);
  std::vector<std::uint16_t> codes;
  map.read({0, 0, 4, 2}, codes);
  CHECK(codes == std::vector<std::uint16_t>{1, 2, 1, 2, 3, 0, 1, 2});
  map.read({1, 0, 2, 1}, codes);
  CHECK(codes == std::vector<std::uint16_t>{2, 1});
}

TEST_CASE("names that differ only in case are refused") {
  MemoryMap first(1, {1}, {{1, "forest", {}}}, true);
  MemoryMap second(1, {1}, {{1, "Forest", {}}}, true);
  CHECK_THROWS_AS(AgreementMap(first, second), DataError);
  MemoryMap other(1, {1}, {{1, "Wald", {}}}, true);
  CHECK(contains(message_of([&] { AgreementMap(first, other); }), "0 of its 1 classes are classes of map.tif by name"));
}

}  // namespace parsimap::test
