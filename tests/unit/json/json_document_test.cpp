#include "json/json_document.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/core/types.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("what is no JSON is refused with line and column") {
  CHECK(message_of([] {
          parse_json("{\n  \"a\": 1,\n  oops\n}");
        }).starts_with("not valid JSON: parse error at line 3, column 3"));
  CHECK_THROWS_AS(parse_json(""), ConfigError);
}

TEST_CASE("a matrix is its rows") {
  Matrix matrix(2, 3);
  matrix << 1, 2, 3, 4, 5, 6.5;
  CHECK(line_text(rows_document(matrix)) == "[[1.0,2.0,3.0],[4.0,5.0,6.5]]");
}

TEST_CASE("text keeps the order of keys, replaces what is not UTF-8, and has no numbers that JSON lacks") {
  Json document = {{"z", "caf\xe9"}, {"a", std::nan("")}};
  document["n"] = nullable(std::optional<int>());
  document["m"] = nullable(std::optional<int>(2));
  CHECK(line_text(document) == "{\"z\":\"caf\xef\xbf\xbd\",\"a\":null,\"n\":null,\"m\":2}");
  CHECK(document_text(Json{{"a", 1}}) == "{\n  \"a\": 1\n}\n");
}
