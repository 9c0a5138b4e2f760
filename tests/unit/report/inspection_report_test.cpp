#include "parsimap/report/inspection_report.hpp"

#include <doctest/doctest.h>

#include "support/small_inspection.hpp"

using namespace parsimap;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the most suspicious regions come first, then the classes") {
  InspectionRecord record = test::small_inspection();
  record.suspects = "s.gpkg";
  CHECK(inspection_text(record, 2) ==
        "Of 3 regions (5 pixels), 1 looks like another class than its label to machines that have not seen it.\n"
        "\n"
        "The most suspicious regions. margin: evidence for the label less that for the best other class;\n"
        "p: probability; against: pixels that look like another class; x, y: middle of the region.\n"
        "\n"
        "  rank  label  most likely  margin  p label  p likely  pixels  against     x   y  feature\n"
        "     1  oak    elm           -1.25     0.12      0.75       2        2  10.5  20       41\n"
        "     2  elm *  elm            0.50     0.50      0.50       1        0     1   2       42\n"
        "\n"
        "Regions marked * are the only ones of their class: all that is known of them is whether another class claims "
        "them.\n"
        "\n"
        "Classes as they are labelled. agree: pixels that look like their label.\n"
        "\n"
        "  class  regions  as another class  pixels  agree %  mostly taken for\n"
        "  oak          2                 1       4     50.0  elm\n"
        "  elm          1                 0       1        -  -\n"
        "\n"
        "Time: 1.00 s\n"
        "Suspects: s.gpkg\n");
}

TEST_CASE("what is not shown is not explained, and labels without features have no column for them") {
  InspectionRecord record = test::small_inspection();
  CHECK_FALSE(has(inspection_text(record, 1), "*"));
  CHECK(has(inspection_text(record, 1), "feature"));
  for (RegionPlace& place : record.places) {
    place.feature.reset();
  }
  CHECK_FALSE(has(inspection_text(record, 1), "feature"));
}

TEST_CASE("the page has all regions, classes, files and options") {
  const CommandPage page = inspection_page(test::small_inspection(), {{"top", "20"}});
  CHECK(has(page.lead, "1 looks like another class"));
  const std::string html = command_html(page, "{}");
  for (const char* part : {"<td>elm *</td>", "id=\"suspects\"", "id=\"classes\"", "labels.gpkg", "<td>top</td>"}) {
    CAPTURE(part);
    CHECK(has(html, part));
  }
}
