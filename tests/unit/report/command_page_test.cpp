#include "parsimap/report/command_page.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <regex>

#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"

#include "unit/accuracy/small_assessment.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

using test::contains;

namespace {

CommandPage small_page() {
  Figure picture{"picture", "Map", "One of two.", {{"Trees", "data:image/png;base64,AAAA"}}, 100, 40, {}};
  picture.legend = {{"maple <b>", {255, 0, 16}, "50.0 %"}};
  Table table{"Pixels", {"class", "pixels"}, {{"maple", "7"}}};
  return {"A & B",
          {"It is <good>.", "Or not."},
          "What <it> is.",
          "2026-11-22",
          {{"first", "First", {"A paragraph."}, {picture}, {table, {}}, {"areas"}}}};
}

}  // namespace

TEST_CASE("sections have paragraphs, pictures with legends, tables and places for figures") {
  const std::string page = command_html(small_page(), "{}");
  CHECK(contains(page, "<h1>A &amp; B</h1>"));
  CHECK(contains(page, "What &lt;it&gt; is."));
  CHECK(contains(page, "<div class=\"verdict\">\n<p>It is &lt;good&gt;.</p>\n<p>Or not.</p>\n</div>"));
  CHECK(contains(page, std::string("parsimap ") + PARSIMAP_VERSION + ", 2026-11-22</p>"));
  CHECK(contains(page, "<section id=\"first\">\n<h2>First</h2>\n<p>A paragraph.</p>"));
  CHECK(contains(page, R"(<div class="images" style="--width: 600px">)"));
  CHECK(contains(page, R"(<img src="data:image/png;base64,AAAA" alt="Trees">)"));
  CHECK(contains(page, R"(<li><span style="background: #ff0010"></span>maple &lt;b&gt;<small>50.0 %</small></li>)"));
  CHECK(contains(page, R"(<thead><tr><th>class</th><th class="number">pixels</th></tr></thead>)"));
  CHECK(contains(page, R"(<tr><td>maple</td><td class="number">7</td></tr>)"));
  CHECK(contains(page, R"(<div data-figure="areas"></div>)"));
}

TEST_CASE("no text of the data becomes markup, and the page names no file to load") {
  const std::string page = command_html(small_page(), R"({"name": "</script><!--"})");
  CHECK(contains(page, R"({"name": "\u003c/script>\u003c!--"}</script>)"));
  CHECK(contains(page, "require(\"page\");"));
  const std::string markup = page.substr(0, page.find("<script>"));
  CHECK(!std::regex_search(markup, std::regex(R"re(src="(?!data:)|href=|@import|url\()re")));
}

TEST_CASE("a page without verdict and date has no place for them") {
  CommandPage page = small_page();
  page.verdict.clear();
  page.date.clear();
  const std::string html = command_html(page, "{}");
  CHECK_FALSE(contains(html, "<div class=\"verdict\">"));
  CHECK(contains(html, std::string("parsimap ") + PARSIMAP_VERSION + "</p>"));
}

TEST_CASE("two images can be wiped, or stand side by side") {
  CommandPage page = small_page();
  Figure& picture = page.sections[0].pictures[0];
  picture.images.push_back({"Scene", "data:image/png;base64,BBBB"});
  CHECK(contains(command_html(page, "{}"), R"(<div class="images two" style)"));
  picture.beside = true;
  CHECK(contains(command_html(page, "{}"), R"(<div class="images two beside" style)"));
}

TEST_CASE("details are folded, and a table without rows is left out") {
  CommandPage page = small_page();
  CHECK_FALSE(contains(command_html(page, "{}"), "<details>"));
  page.sections[0].folded = true;
  page.sections[0].tables = {{}};
  const std::string html = command_html(page, "{}");
  CHECK(contains(html, "<section id=\"first\" class=\"folded\">\n<details><summary><h2>First</h2></summary>"));
  CHECK_FALSE(contains(html, "<table>"));
}

TEST_CASE("files that were read are named with their sums, further files apart") {
  PageFacts facts{"2026-11-22", "EPSG:32617 (x)", "2 x 3 metre", 6.0, 7, 5, {}};
  facts.inputs = {{"scene", "a.img", "100", "abc"}, {"", "a.hdr", "10", "def"}};
  const std::vector<std::pair<std::string, std::string>> options = {{"kernel", "hdda"}, {"seed", "0"}};
  const auto origin = [&] {
    CommandPage page;
    add_origin(page, facts, {.options_title = "Options", .options = options, .tables = {Table{}}});
    return page;
  };
  const std::vector<Section> sections = origin().sections;
  REQUIRE(sections.size() == 2);
  CHECK(origin().date == "2026-11-22");
  CHECK(sections[0].tables[0].rows ==
        TableRows{{"size", "7 x 5 pixels"}, {"reference system", "EPSG:32617 (x)"}, {"pixel", "2 x 3 metre"}});
  CHECK(sections[0].tables[1].rows == TableRows{{"scene", "a.img", "abc", "100"}});
  CHECK(sections[1].tables[0].rows == TableRows{{"kernel", "hdda"}, {"seed", "0"}});
  CHECK(sections[1].tables[1].rows == TableRows{{"", "a.hdr", "def", "10"}});
  CHECK(sections[1].folded);
  facts.pixel_size.clear();
  CHECK(origin().sections[0].tables[0].rows.back().back() == "size unknown");
  CommandPage empty;
  add_origin(empty, {}, {.options_title = "Options", .options = {}});
  CHECK(empty.sections.empty());
}

TEST_CASE("areas are hectares, with more digits where they are small") {
  CHECK(hectares(4800, 900.0) == "432.0");
  CHECK(hectares(13, 1.0) == "0.001");
  CHECK(hectares(13, std::nullopt) == "-");
}

TEST_CASE("a table of stages") {
  const Table stages = stage_table({2, {{"read", 0.5}}, std::int64_t{64} << 20U});
  CHECK(stages.rows ==
        std::vector<std::vector<std::string>>{{"read", "0.50 s"}, {"all", "2.00 s"}, {"peak memory", "64 MB"}});
  CHECK(stage_table({2}).rows.size() == 1);
}

using nlohmann::json;

TEST_CASE("a training is samples, one run of one method, and the bands") {
  Model model = small_model();
  const DataDescription samples = {"scene", 3, {}, 8, {{"one", 4, {1, 2}, {0.5, 0.25}, {3, 1}, {}}}};
  BandTable bands(5);
  bands[1].wavelength = 500;
  const json data = json::parse(training_data_json(model, samples, bands, {{255, 0, 16}}));
  CHECK(data["data"][0]["classes"][0]["mean"] == json({1.0, 2.0}));
  const json& run = data["runs"][0];
  CHECK(run["data"] == "scene");
  CHECK(run["method"] == json{{"kernel", "hdda"}, {"criterion", "leave-one-out"}, {"dimension", nullptr}});
  CHECK(run["tests"][0]["name"] == "left-out training pixels");
  CHECK(run["tests"][0]["confusion_matrix"]["counts"] == json({{29, 1}, {0, 25}}));
  CHECK(data["colours"] == json({"#ff0010"}));
  CHECK(run["classes"][0] ==
        json{{"name", "Brocoli"}, {"trace", {0.5, 0.0123456789}}, {"weights", {0.5, 4.0}}, {"rest_weight", 0.1}});
  CHECK(data["band_numbers"] == json({1, 3, 5}));
  CHECK(data["dropped_bands"] == json({2, 4}));
  // One of the two is not known.
  CHECK(data["dropped_wavelengths"] == json::array());
  bands[3].wavelength = 600;
  CHECK(json::parse(training_data_json(model, samples, bands, {{255, 0, 16}}))["dropped_wavelengths"] ==
        json({500.0, 600.0}));
  model.provenance.validation = small_validation();
  const json tests = json::parse(training_data_json(model, samples, bands, {{255, 0, 16}}))["runs"][0]["tests"];
  CHECK(tests[0]["samples"] == 45);
  CHECK(tests[0]["confusion_matrix"]["counts"] == json({{20, 5}, {1, 19}}));
}

TEST_CASE("a model alone is the means of its samples, one run of one method, and the bands") {
  const json data = json::parse(model_data_json(small_model()));
  CHECK(data["data"][0]["classes"][1]["name"] == "Forêt \"dense\"");
  CHECK(data["data"][0]["classes"][1]["samples"] == 25);
  CHECK(data["data"][0]["classes"][1]["mean"].size() == 3);
  CHECK(data["data"][0]["classes"][1]["deviation"] == json::array());
  CHECK(data["runs"][0]["tests"][0]["name"] == "left-out training pixels");
  CHECK(data["colours"] == json({"#0080ff", "#e69f00"}));
  CHECK(data["dropped_bands"] == json({2, 4}));
}

TEST_CASE("a map is areas and histograms") {
  MappingRecord record;
  record.classes = {{3, "one", 17}};
  const json data = json::parse(mapping_data_json(record, {{255, 0, 16}}, {{"confidence", "Of all.", {1, 2, 3}}}));
  CHECK(data["areas"][0] == json{{"code", 3}, {"name", "one"}, {"colour", "#ff0010"}, {"pixels", 17}});
  CHECK(data["histograms"][0]["counts"] == json({1, 2, 3}));
  CHECK(data["runs"] == json::array());
  CHECK(data["data"] == json::array());
}

TEST_CASE("an assessment is a confusion matrix, and the reliability where it is known") {
  Assessment record = test::small_assessment({"yes", "no"});
  const json data = json::parse(assessment_data_json(record));
  const json& test = data["runs"][0]["tests"][0];
  CHECK(test["name"] == "reference.gpkg");
  CHECK(test["overall_accuracy"] == 0.7);
  CHECK(test["confusion_matrix"]["counts"] == json({{20, 5}, {10, 15}}));
  CHECK_FALSE(data.contains("reliability"));
  record.reliability.emplace().add(0.52, true);
  const json bins = json::parse(assessment_data_json(record))["reliability"];
  CHECK(bins[10]["pixels"] == 1);
  CHECK(bins[10]["confidence"] == 0.52);
}

}  // namespace parsimap::test
