#include "gdal/graded_style.hpp"

#include <cpl_minixml.h>
#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("a style has a symbol for each step, and texts are escaped") {
  const GradedStyle style{"s", "\"a\" < 2", {{0, 0.5, "low & first", "1,2,3,4"}, {0.5, 1, "<b>", "5,6,7,8"}}};
  for (const PixelGeometry geometry : {PixelGeometry::outline, PixelGeometry::centre}) {
    const std::string text = graded_style_document(style, geometry);
    const CPLXMLTreeCloser tree(CPLParseXMLString(text.c_str()));
    REQUIRE(tree.get() != nullptr);
    const CPLXMLNode* renderer = CPLGetXMLNode(tree.get(), "=qgis.renderer-v2");
    REQUIRE(renderer != nullptr);
    CHECK(std::string(CPLGetXMLValue(renderer, "attr", "")) == "\"a\" < 2");
    const CPLXMLNode* range = CPLGetXMLNode(renderer, "ranges.range");
    CHECK(std::string(CPLGetXMLValue(range, "label", "")) == "low & first");
    CHECK(std::string(CPLGetXMLValue(range, "upper", "")) == "0.5");
    CHECK(std::string(CPLGetXMLValue(range->psNext, "symbol", "")) == "1");
    const CPLXMLNode* symbol = CPLGetXMLNode(renderer, "symbols.symbol");
    CHECK(std::string(CPLGetXMLValue(symbol, "type", "")) == (geometry == PixelGeometry::outline ? "fill" : "marker"));
    CHECK(text.find("5,6,7,8") != std::string::npos);
  }
}
