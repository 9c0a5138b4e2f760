#include "parsimap/report/inspection_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "support/small_inspection.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("classes are counted as they are labelled") {
  const InspectionRecord record = test::small_inspection();
  const std::vector<InspectedClass> classes = inspected_classes(record);
  REQUIRE(classes.size() == 2);
  CHECK(classes[0].name == "oak");
  CHECK(classes[0].regions == 2);
  CHECK(classes[0].suspicious_regions == 1);
  CHECK(classes[0].pixels == 4);
  CHECK(classes[0].agreement == 0.5);
  CHECK(classes[0].taken_for == "elm");
  // Nobody knows the class of the only region of elms.
  CHECK(classes[1].regions == 1);
  CHECK_FALSE(classes[1].agreement);
  CHECK_FALSE(classes[1].taken_for);
  CHECK(suspicious_regions(record) == 1);
}

TEST_CASE("pairs come by what is confused, then by distance") {
  InspectionRecord record = test::small_inspection();
  record.wavelengths = test::small_wavelengths();
  const std::vector<ConfusedPair> pairs = ranked_pairs(record);
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0].pair.second == 1);
  CHECK(pairs[0].confused == 0.5);
  CHECK(pairs[1].pair.first == 0);
  CHECK(pairs[1].confused == 0);
  CHECK_FALSE(pairs[2].confused);
}

using test::contains;

TEST_CASE("the most suspicious regions come first, then the classes") {
  InspectionRecord record = test::small_inspection();
  record.suspects = "s.gpkg";
  CHECK(inspection_text(record, 2) ==
        "Of 3 regions (5 pixels), 1 looks like another class than its label to classifiers that were trained without "
        "it.\n"
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

TEST_CASE("places in degrees are printed to a part of a pixel, in the text and on the page") {
  InspectionRecord record = test::small_inspection();
  record.places[0].centre = {13.50025133, -52.49925};
  CHECK(contains(inspection_text(record, 1), "13.5002513  -52.49925"));
  CHECK(contains(command_html(inspection_page(record, {}, {}, {}), "{}"), "13.5002513"));
}

TEST_CASE("a margin over no other class is not a number") {
  InspectionRecord record = test::small_inspection();
  for (RegionEvidence& region : record.evidence.regions) {
    region.evidence.margin = HUGE_VAL;
  }
  CHECK(inspection_text(record, 2).find("inf") == std::string::npos);
}

TEST_CASE("what is not shown is not explained, and labels without features have no column for them") {
  InspectionRecord record = test::small_inspection();
  CHECK_FALSE(contains(inspection_text(record, 1), "*"));
  CHECK(contains(inspection_text(record, 1), "feature"));
  for (RegionPlace& place : record.places) {
    place.feature.reset();
  }
  CHECK_FALSE(contains(inspection_text(record, 1), "feature"));
}

TEST_CASE("the page has all regions, classes, files and options") {
  RasterPictures pictures;
  pictures.images = {{"Scene", "data:scene"}, {"Suspects", "data:suspects"}};
  pictures.legend = {{"first 5 % of the list", {1, 2, 3}, "1 region"}};
  PageFacts facts;
  facts.date = "2026-11-22";
  facts.inputs = {{"labels", "labels.gpkg", "3", "abc"}};
  const CommandPage page = inspection_page(test::small_inspection(), {{"top", "20"}}, pictures, facts);
  REQUIRE(page.verdict.size() == 1);
  CHECK(contains(page.verdict[0], "1 looks like another class"));
  CHECK(page.title == "Labels of labels.gpkg");
  const std::string html = command_html(page, "{}");
  for (const char* part : {"<td>elm *</td>", "id=\"suspects\"", "id=\"classes\"", "labels.gpkg", "<td>top</td>",
                           "2026-11-22", "picture-suspects", "data:suspects"}) {
    CAPTURE(part);
    CHECK(contains(html, part));
  }
}

TEST_CASE("wavelengths and pairs of classes are reported where they were compared") {
  InspectionRecord record = test::small_inspection();
  CHECK_FALSE(contains(inspection_text(record, 2), "Wavelengths"));
  record.wavelengths = test::small_wavelengths();
  const std::string text = inspection_text(record, 2);
  CHECK(contains(
      text,
      "Wavelengths. With all bands 90.0 % of 10 left-out pixels are right, at a logarithmic loss of 0.500. The "
      "best interval by itself is 500-620 nm: 80.0 %.\n"));
  CHECK(contains(text,
                 "  interval    needed by     bands  loss rise  error  right % without  right % alone\n"
                 "  400-450 nm  -                 2      0.000  0.010             90.0           25.0\n"
                 "  500-620 nm  elm (+1.000)      3      1.000  0.125             40.0           80.0\n"));
  CHECK(contains(text,
                 "  class  and  confused %  Jeffries-Matusita  Bhattacharyya\n"
                 "  oak    elm        50.0              1.250              1\n"
                 "  oak    ash         0.0              0.750            0.5\n"));
  // What four regions say of a class is too little, and the column is left out where it names no class.
  record.wavelengths->importance.by_class[1].groups = 4;
  CHECK(contains(inspection_text(record, 2), "  500-620 nm      3  "));
  record.wavelengths->ranges[1].wavelengths.reset();
  CHECK(contains(inspection_text(record, 2), "bands 4-6"));
  const std::string html = command_html(inspection_page(record, {}, {}, {}), "{}");
  CHECK(contains(html, "data-figure=\"wavelengths\""));
  CHECK(contains(html, "id=\"pairs\""));
}

using nlohmann::json;

TEST_CASE("inspect: regions by rank, classes, and null where nothing is known") {
  const json document = json::parse(inspection_json(test::small_inspection()));
  CHECK(document["regions"].size() == 3);
  CHECK(document["regions"][0] == json{{"rank", 1},
                                       {"label", "oak"},
                                       {"likely", "elm"},
                                       {"margin", -1.25},
                                       {"label_probability", 0.125},
                                       {"likely_probability", 0.75},
                                       {"label_known", true},
                                       {"pixels", 2},
                                       {"pixels_against", 2},
                                       {"x", 10.5},
                                       {"y", 20.0},
                                       {"feature", 41}});
  CHECK(document["regions"][2]["feature"].is_null());
  CHECK(document["suspicious_regions"] == 1);
  CHECK(document["pixels"] == 5);
  CHECK(document["classes"][0]["agreement"] == 0.5);
  CHECK(document["classes"][0]["taken_for"] == "elm");
  CHECK(document["classes"][1]["agreement"].is_null());
  CHECK(document["confusion"] == json({{2, 2, 0}, {0, 0, 0}, {0, 0, 0}}));
  CHECK(document["labels"] == json({"labels.gpkg"}));
  CHECK(document["suspects"].is_null());
}

TEST_CASE("the page of an inspection gets a document that the figures can read") {
  const json document = json::parse(inspection_data_json(test::small_inspection()));
  CHECK(document["data"].empty());
  CHECK(document["runs"].empty());
}

TEST_CASE("inspect: wavelengths by class, and pairs of classes") {
  InspectionRecord record = test::small_inspection();
  CHECK(json::parse(inspection_json(record))["wavelengths"].is_null());
  record.wavelengths = test::small_wavelengths();
  for (const std::string& text : {inspection_json(record), inspection_data_json(record)}) {
    const json wavelengths = json::parse(text)["wavelengths"];
    CHECK(wavelengths["intervals"][1] ==
          json{{"first_band", 4}, {"last_band", 6}, {"bands", 3}, {"wavelengths", {500.0, 620.4}}});
    CHECK(wavelengths["all"]["accuracy"] == 0.9);
    CHECK(wavelengths["all"]["regions"] == 5);
    REQUIRE(wavelengths["classes"].size() == 1);
    CHECK(wavelengths["classes"][0]["name"] == "elm");
    CHECK(wavelengths["classes"][0]["effects"][1] == json{{"loss_rise", 1.0},
                                                          {"loss_rise_error", 0.125},
                                                          {"accuracy_without", 0.4},
                                                          {"loss_alone", 0.75},
                                                          {"accuracy_alone", 0.8}});
    CHECK(wavelengths["pairs"][0] == json{{"first", "oak"},
                                          {"second", "elm"},
                                          {"jeffries_matusita", 1.25},
                                          {"bhattacharyya", 1.0},
                                          {"confused", 0.5}});
    CHECK(wavelengths["pairs"][2]["confused"].is_null());
  }
}

}  // namespace parsimap::test
