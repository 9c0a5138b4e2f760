#include "product/xml_file.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

XmlFile xml_of(const TemporaryFolder& folder, const std::string& text) {
  write_file(folder.file("a.xml"), text);
  return XmlFile(folder.file("a.xml"));
}

}  // namespace

TEST_CASE("texts and numbers of an XML file are found by place and by name") {
  const TemporaryFolder folder;
  const XmlFile file = xml_of(folder,
                              "<?xml version=\"1.0\"?><!-- made by hand --><root><a><b n=\"1\"> x </b><b n=\"2\">y</b>"
                              "</a><deep><value>-3.5</value><word>no</word></deep></root>");
  CHECK(std::string(file.root().pszValue) == "root");
  CHECK(text_at(file.root(), "a.b") == "x");
  CHECK(text_at(file.root(), "a.c").empty());
  const auto elements = elements_below(CPLGetXMLNode(&file.root(), "a"), "B");
  REQUIRE(elements.size() == 2);
  CHECK(text_at(*elements[1], "n") == "2");
  CHECK(text_at(*elements[1], "") == "y");
  CHECK(elements_below(nullptr, "b").empty());
  CHECK(file.text_anywhere("word") == "no");
  CHECK(file.text_anywhere("absent").empty());
  CHECK(file.number_anywhere("value") == -3.5);
  CHECK_FALSE(file.number_anywhere("absent").has_value());
  CHECK(contains(message_of<DataError>([&] { static_cast<void>(file.number_anywhere("word")); }),
                 "<word> is 'no', which is not a number"));
}

TEST_CASE("what is no XML is refused") {
  const TemporaryFolder folder;
  CHECK(contains(message_of<DataError>([&] { XmlFile(folder.file("absent.xml")); }), "does not exist"));
  for (const std::string text : {"", "plain text", "<a><b></a>", "<?xml version=\"1.0\"?>", "<a"}) {
    CAPTURE(text);
    CHECK(contains(message_of<DataError>([&] { xml_of(folder, text); }), "is no XML that can be read: "));
  }
  // Elements that are nested without end.
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "<a>";
  }
  CHECK(contains(message_of<DataError>([&] { xml_of(folder, deep); }), "is no XML that can be read: "));
}

TEST_CASE("a file larger than metadata are is refused") {
  const TemporaryFolder folder;
  write_file(folder.file("a.xml"), "<a/>");
  std::filesystem::resize_file(folder.file("a.xml"), (std::uintmax_t{16} << 20U) + 1);
  CHECK(contains(message_of<DataError>([&] { XmlFile(folder.file("a.xml")); }), "more than metadata of a product are"));
}
