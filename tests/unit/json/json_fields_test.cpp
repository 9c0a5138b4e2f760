
#include "json/json_fields.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/core/types.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

namespace parsimap {

enum class Colouring { none, full };
static std::string to_string(Colouring colouring) { return colouring == Colouring::none ? "none" : "full"; }
static void parse(const std::string& text, Colouring& colouring) {
  colouring = text == "full" ? Colouring::full : Colouring::none;
}

// A value of every kind.
struct Part {
  std::string name = "part";
  double size = 1;
};
struct Whole {
  bool flag = false;
  std::int64_t count = 7;
  std::uint64_t seed = 1;
  int small = 2;
  std::optional<double> maybe;
  std::vector<double> numbers;
  std::array<std::uint8_t, 3> colour{};
  std::pair<std::string, std::string> option;
  Colouring colouring = Colouring::none;
  std::vector<Part> parts;
  Part part;
};

static void list_fields(Part& part, Fields& field) {
  field("name", part.name);
  field("size", part.size);
}
static void list_fields(Whole& whole, Fields& field) {
  field("flag", whole.flag);
  field("count", whole.count);
  field("seed", whole.seed);
  field("small", whole.small);
  field("maybe", whole.maybe);
  field("numbers", whole.numbers);
  field("colour", whole.colour);
  field("option", whole.option);
  field("colouring", whole.colouring);
  field("parts", whole.parts);
  field.group("group", [&] { field("part", whole.part); });
  field.derived("double", [&] { return 2 * whole.count; });
}

}  // namespace parsimap

namespace {

Whole example() {
  Whole whole;
  whole.flag = true;
  whole.count = std::numeric_limits<std::int64_t>::max() / 2;
  whole.seed = std::numeric_limits<std::uint64_t>::max();
  whole.maybe = 0.1;
  whole.numbers = {0.5, std::numeric_limits<double>::denorm_min()};
  whole.colour = {1, 2, 255};
  whole.option = {"name", "value"};
  whole.colouring = Colouring::full;
  whole.parts = {{"a", 1.5}, {"b", 2.5}};
  whole.part.name = "c";
  return whole;
}

// Documents as they are read from files.
Json through_text(const Json& document) { return Json::parse(document.dump()); }
Json through_cbor(const Json& document) { return Json::from_cbor(Json::to_cbor(document)); }

}  // namespace

TEST_CASE("arrays of every kind come back from their documents") {
  CountMatrix counts(2, 3);
  counts << 1, 2, 3, -4, 5, std::int64_t{1} << 60U;
  const Json document = through_cbor({{"counts", array_document(counts)},
                                      {"indices", array_document(Indices{3, 1, 4})},
                                      {"matrix", array_document(Matrix::Random(2, 5))},
                                      {"vector", array_document(Matrix::Constant(3, 1, 0.1))}});
  const Node node(document);
  CHECK(node["counts"].counts() == counts);
  CHECK(node["indices"].indices() == Indices{3, 1, 4});
  CHECK(array_document(node["matrix"].matrix()) == document["matrix"]);
  CHECK(node["vector"].vector() == Vector::Constant(3, 0.1));
  CHECK(message_of([&] { (void)node["matrix"].vector(); }) == "/matrix must be an array of one column");
  CHECK(message_of([&] { (void)node["matrix"]["shape"].items(3); }) == "/matrix/shape must be a list of length 3");
}

TEST_CASE("a value of another kind is named by its place") {
  const Json document = through_cbor({{"a", {1, "x", true}}, {"b", nullptr}, {"c", -2.5}});
  const Node node(document);
  CHECK(node["a"].items()[0].integer() == 1);
  CHECK(node["a"].items()[1].text() == "x");
  CHECK(node["a"].items()[2].truth());
  CHECK(node["b"].is_null());
  CHECK(node["c"].number() == -2.5);
  CHECK(message_of([&] { (void)node["d"]; }) == "/d is missing");
  CHECK(message_of([&] { (void)node["a"].items()[1].integer(); }) ==
        "/a/1 must be a whole number from 0 to 9223372036854775807");
  CHECK(message_of([&] { (void)node["c"].unsigned_integer(); }) == "/c must be a whole number that is not negative");
  CHECK(message_of([&] { (void)node["b"].truth(); }) == "/b must be true or false");
}

TEST_CASE("a list of fields writes, and reads what was written, in every form") {
  const Json record = through_text(document_of(example(), Form::record));
  CHECK(record.dump().starts_with(
      "{\"flag\":true,\"count\":4611686018427387903,\"seed\":18446744073709551615,\"small\":2,"
      "\"maybe\":0.1,\"numbers\":[0.5,5e-324],\"colour\":[1,2,255],"
      "\"option\":[\"name\",\"value\"],\"colouring\":\"full\","));
  CHECK(record["group"]["part"]["name"] == "c");
  CHECK(record["double"] == std::numeric_limits<std::int64_t>::max() - 1);
  CHECK(through_text(document_of(value_of<Whole>(Node(record), Form::record), Form::record)) == record);
  const Json cbor = through_cbor(document_of(example(), Form::cbor));
  CHECK(cbor["numbers"]["shape"] == Json{2, 1});
  CHECK(through_text(document_of(value_of<Whole>(Node(cbor), Form::cbor), Form::record)) == record);
}

TEST_CASE("what is unset is null in a record, and absent in a specification, where absent fields keep their defaults") {
  CHECK(document_of(Whole(), Form::record)["maybe"].is_null());
  CHECK_FALSE(document_of(Whole(), Form::spec).contains("maybe"));
  const Json some = Json::parse(R"({"seed": 3, "group": {"part": {"size": 9}}})");
  const Whole whole = value_of<Whole>(Node(some), Form::spec);
  CHECK(whole.seed == 3);
  CHECK(whole.count == 7);
  CHECK_FALSE(whole.maybe);
  CHECK(whole.part.size == 9);
  CHECK(whole.part.name == "part");
  CHECK(message_of([&] { value_of<Whole>(Node(some), Form::record); }) == "/flag is missing");
}

TEST_CASE("null is NaN in a record, and nothing else anywhere") {
  Json document = through_text(document_of(example(), Form::record));
  document["numbers"][1] = nullptr;
  CHECK(std::isnan(value_of<Whole>(Node(document), Form::record).numbers[1]));
  document["small"] = std::uint64_t{1} << 31U;
  CHECK(message_of([&] { value_of<Whole>(Node(document), Form::record); }) ==
        "/small must be a whole number from 0 to 2147483647");
  document["small"] = 1U;
  document["colour"] = {1U, 2U};
  CHECK(message_of([&] { value_of<Whole>(Node(document), Form::record); }) == "/colour must be a list of length 3");
  const Json part = {{"name", "x"}, {"size", nullptr}};
  CHECK(message_of([&] { value_of<Part>(Node(part), Form::cbor); }) == "/size must be a number");
}

TEST_CASE("what is no JSON is refused with line and column") {
  CHECK(message_of([] {
          parse_json("{\n  \"a\": 1,\n  oops\n}");
        }).starts_with("not valid JSON: parse error at line 3, column 3"));
  CHECK_THROWS_AS(parse_json(""), ConfigError);
}

TEST_CASE("a matrix is its rows") {
  Matrix matrix(2, 3);
  matrix << 1, 2, 3, 4, 5, 6.5;
  const Json rows = document_of(matrix, Form::record);
  CHECK(line_of(rows) == "[[1.0,2.0,3.0],[4.0,5.0,6.5]]");
  CHECK(value_of<Matrix>(Node(rows), Form::record) == matrix);
  const Json uneven = Json::parse("[[1], [2, 3]]");
  CHECK(message_of([&] { value_of<Matrix>(Node(uneven), Form::record); }) == "/1 must be a list of length 1");
}

TEST_CASE("text keeps the order of keys, replaces what is not UTF-8, and has no numbers that JSON lacks") {
  const FieldList list = [](Fields& field) {
    field("z", "caf\xe9");
    field("a", std::nan(""));
    field("n", std::optional<int>());
    field("m", std::optional<int>(2));
  };
  CHECK(line_text(list) == "{\"z\":\"caf\xef\xbf\xbd\",\"a\":null,\"n\":null,\"m\":2}");
  CHECK(document_text([](Fields& field) { field("a", 1); }) == "{\n  \"a\": 1\n}\n");
  CHECK(entries_text([](Fields& field) { field("a", std::vector<int>{1, 2}); }) == "{\n\"a\": [\n  1,\n  2\n]\n}\n");
}
