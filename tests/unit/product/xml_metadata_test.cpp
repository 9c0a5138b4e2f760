#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "product/kinds.hpp"
#include "product_fixture.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

XmlFile xml_of(const TemporaryFolder& folder, const std::string& text) {
  write_file(folder.file("a.xml"), text);
  return XmlFile(folder.file("a.xml"));
}

constexpr BandElements kNames{"band", "number", "centre", "width", "gain", "offset"};

std::string band(const std::string& number, const std::string& centre, const std::string& width = "5",
                 const std::string& gain = "0.1", const std::string& offset = "0") {
  return "<band><number>" + number + "</number><centre>" + centre + "</centre><width>" + width + "</width><gain>" +
         gain + "</gain><offset>" + offset + "</offset></band>";
}

BandTable bands_of(const std::string& elements) {
  const TemporaryFolder folder;
  write_file(folder.file("a.xml"),
             "<a><specific><bandCharacterisation>" + elements + "</bandCharacterisation></specific></a>");
  return read_bands(XmlFile(folder.file("a.xml")), kNames);
}

std::string refusal(const std::string& elements) {
  return message_of<DataError>([&] { bands_of(elements); });
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

TEST_CASE("bands are in the order of their numbers") {
  const BandTable bands = bands_of(band("2", "510.5", "0", "1e-6", "-0.5") + band("1", " 500 "));
  REQUIRE(bands.size() == 2);
  CHECK(bands[0] == Band{.wavelength = 500.0, .scale = 0.1, .fwhm = 5.0});
  CHECK(bands[1] == Band{.wavelength = 510.5, .scale = 1e-6, .offset = -0.5});
}

TEST_CASE("a description that cannot be is refused, with what is wrong") {
  CHECK(contains(refusal(""), "describes no band"));
  CHECK(contains(refusal(band("1", "500") + band("1", "510")),
                 "number of the band at place 2 is '1'; it must be from 1 to 2, each number once"));
  CHECK(contains(refusal(band("0", "500")), "it must be from 1 to 1"));
  CHECK(contains(refusal(band("99999999999999999999", "500")), "it must be the number of a band"));
  CHECK(contains(refusal(band("-1", "500")), "it must be the number of a band"));
  for (const std::string wavelength : {"", "x", "nan", "inf", "1e999"}) {
    CHECK(contains(refusal(band("1", wavelength)),
                   "centre of the band at place 1 is '" + wavelength + "'; it must be a number"));
  }
  CHECK(contains(refusal(band("1", "-500")), "it must be above 0"));
  CHECK(contains(refusal(band("1", "500", "wide")), "width of the band at place 1 is 'wide'"));
  CHECK(contains(refusal(band("1", "500", "5", "0")), "all values would be the same"));
  CHECK(contains(refusal("<band/>"), "number of the band at place 1 is ''"));
}

TEST_CASE("the level of a product") {
  const TemporaryFolder folder;
  write_file(folder.file("a.xml"), "<a/>");
  const XmlFile file(folder.file("a.xml"));
  CHECK(product_level(file, {"", "L2A", "L1C"}) == "L2A");
  CHECK(product_level(file, {"x-L1C-y"}) == "L1C");
  CHECK(contains(message_of<DataError>([&] { product_level(file, {"", "L3"}); }), "does not say the level"));
}
