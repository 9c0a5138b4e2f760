#include "parsimap/io/text/class_counts.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

namespace {

using Table = std::vector<std::pair<std::string, Index>>;

Table table_of(const std::string& content) {
  const TemporaryFolder folder;
  write_file(folder.file("x.csv"), content);
  return read_class_counts(folder.file("x.csv"));
}

std::string refusal(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.csv");
  write_file(path, content);
  const std::string text = message_of([&] { read_class_counts(path); });
  return text.rfind(path, 0) == 0 ? text.substr(path.size()) : text;
}

}  // namespace

TEST_CASE("a number per class, with any separator, quotes, comments and a header") {
  CHECK(table_of("forest,200\nbare soil, 30\n") == Table{{"forest", 200}, {"bare soil", 30}});
  CHECK(table_of("class;count\r\nforest;200\r\n\r\n7;30") == Table{{"forest", 200}, {"7", 30}});
  CHECK(table_of("# OTB\n#class,requiredSamples\n\"pine, old\",5\nfir\t6\n") == Table{{"pine, old", 5}, {"fir", 6}});
}

TEST_CASE("what is no table of counts is refused with its line") {
  CHECK(refusal("a,1\nforest\n") == ", line 2: 'forest' must be a class and a number, as in 'forest,200'");
  CHECK(refusal("a,1\nb,2.5\n") == ", line 2: '2.5' is not a whole number");
  CHECK(refusal("a,1\nb,-2\n") == ", line 2: '-2' is not a whole number");
  CHECK(refusal("a,1\n\na,2\n") == ", line 3: class 'a' is there twice");
  CHECK(refusal("") == " cannot be read or is empty");
  CHECK(refusal("class,count\n") == " holds no class with a number");
  CHECK_THROWS_AS(read_class_counts("/no/such/file.csv"), DataError);
}
