#include "io/json/cbor_node.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

// As it is read from a file.
json through_cbor(const json& document) { return json::from_cbor(json::to_cbor(document)); }

}  // namespace

TEST_CASE("arrays of every kind come back from their documents") {
  CountMatrix counts(2, 3);
  counts << 1, 2, 3, -4, 5, std::int64_t{1} << 60U;
  const json document = through_cbor({{"counts", count_document(counts)},
                                      {"indices", array_document(Indices{3, 1, 4})},
                                      {"matrix", array_document(Matrix::Random(2, 5))},
                                      {"vector", array_document(Matrix::Constant(3, 1, 0.1))}});
  const CborNode node(document, "");
  CHECK(node["counts"].counts() == counts);
  CHECK(node["indices"].indices() == Indices{3, 1, 4});
  CHECK(array_document(node["matrix"].matrix()) == document["matrix"]);
  CHECK(node["vector"].vector() == Vector::Constant(3, 0.1));
  CHECK(message_of([&] { (void)node["matrix"].vector(); }) == "/matrix must be an array of one column");
  CHECK(message_of([&] { (void)node["matrix"]["shape"].items(3); }) == "/matrix/shape must be a list of length 3");
}

TEST_CASE("a value of another kind is named by its place") {
  const json document = through_cbor({{"a", {1, "x", true}}, {"b", nullptr}, {"c", -2.5}});
  const CborNode node(document, "");
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
