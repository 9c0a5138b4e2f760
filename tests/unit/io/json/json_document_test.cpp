#include "io/json/json_document.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("what is no JSON is refused with line and column") {
  CHECK(message_of([] {
          parse_json("{\n  \"a\": 1,\n  oops\n}");
        }).starts_with("not valid JSON: parse error at line 3, column 3"));
  CHECK_THROWS_AS(parse_json(""), ConfigError);
}

TEST_CASE("a file that is missing or empty is named with its role") {
  const TemporaryFolder folder;
  write_file(folder.file("empty.json"), "");
  write_file(folder.file("full.json"), "{}\n");
  CHECK(read_text(folder.file("full.json"), "experiment") == "{}\n");
  for (const std::string& path : {folder.file("empty.json"), std::string("/nowhere/x.json"), std::string("/tmp")}) {
    CHECK(message_of([&] { read_text(path, "experiment"); }) == "experiment '" + path + "' cannot be read or is empty");
  }
}

TEST_CASE("a field changes only when its key is there") {
  const Json json = {{"a", 3}, {"b", 0.5}};
  int a = 1;
  int c = 7;
  std::optional<double> b;
  std::optional<double> d;
  read_field(json, "a", a);
  read_field(json, "b", b);
  read_field(json, "c", c);
  read_field(json, "d", d);
  CHECK(a == 3);
  CHECK(b == 0.5);
  CHECK(c == 7);
  CHECK_FALSE(d);
}

TEST_CASE("text keeps the order of keys, replaces what is not UTF-8, and has no numbers that JSON lacks") {
  Json json = {{"z", "caf\xe9"}, {"a", std::nan("")}};
  json["n"] = nullable(std::optional<int>());
  json["m"] = nullable(std::optional<int>(2));
  CHECK(line_text(json) == "{\"z\":\"caf\xef\xbf\xbd\",\"a\":null,\"n\":null,\"m\":2}");
  CHECK(document_text(Json{{"a", 1}}) == "{\n  \"a\": 1\n}\n");
}
