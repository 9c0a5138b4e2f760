#include "parsimap/accuracy/change_map.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "parsimap/core/error.hpp"

#include "unit/accuracy/memory_map.hpp"

namespace parsimap::test {
namespace {

const ClassTable kEarlier = {{2, "forest", {}}, {7, "water", {}}};
const ClassTable kLater = {{1, "water", {}}, {2, "town", {}}, {9, "forest", {}}};

ChangeMap changes(const std::vector<std::uint16_t>& earlier, const std::vector<std::uint16_t>& later) {
  return {std::make_unique<MemoryMap>(4, earlier, kEarlier, true, "before.tif"),
          std::make_unique<MemoryMap>(4, later, kLater, true)};
}

}  // namespace

TEST_CASE("changes are the pairs that occur, by names, in the order of their classes") {
  ChangeMap map = changes({2, 2, 2, 0, 7, 7, 2, 2}, {9, 1, 2, 9, 1, 0, 9, 1});
  std::vector<std::string> names;
  for (const ClassEntry& entry : map.classes()) {
    CHECK(entry.code == static_cast<int>(names.size()) + 1);
    names.push_back(entry.name);
  }
  CHECK(names == std::vector<std::string>{"forest -> water", "forest -> town", "forest -> forest", "water -> water"});
  CHECK(map.changes()[1].earlier == "forest");
  CHECK(map.changes()[1].later == "town");
  std::vector<std::uint16_t> codes;
  map.read({0, 0, 4, 2}, codes);
  CHECK(codes == std::vector<std::uint16_t>{3, 1, 2, 0, 4, 0, 3, 1});
  map.read({1, 1, 2, 1}, codes);
  CHECK(codes == std::vector<std::uint16_t>{0, 3});
}

TEST_CASE("maps without a common pixel are refused") {
  CHECK_THROWS_AS(changes({2, 0, 2, 0, 2, 0, 2, 0}, {0, 1, 0, 1, 0, 1, 0, 1}), DataError);
}

TEST_CASE("a reference may have all pairs of the classes of both maps, and of other maps their classes") {
  const ChangeMap map = changes({2, 2, 2, 0, 7, 7, 2, 2}, {9, 1, 2, 9, 1, 0, 9, 1});
  CHECK(class_names(ChangeMap::reference_classes(map)) ==
        std::vector<std::string>{"forest -> forest", "forest -> town", "forest -> water", "town -> forest",
                                 "town -> town", "town -> water", "water -> forest", "water -> town",
                                 "water -> water"});
  CHECK(ChangeMap::reference_classes(MemoryMap(1, {1}, kLater, true)) == kLater);
}

TEST_CASE("of maps with more pairs than codes, a reference has those that occur") {
  ClassTable many;
  for (int code = 1; code <= 300; ++code) {
    many.push_back({code, "parcel " + std::to_string(code), {}});
  }
  const ChangeMap map(std::make_unique<MemoryMap>(1, std::vector<std::uint16_t>{7, 300}, many, true),
                      std::make_unique<MemoryMap>(1, std::vector<std::uint16_t>{7, 300}, many, true));
  CHECK(ChangeMap::reference_classes(map) == map.classes());
}

}  // namespace parsimap::test
