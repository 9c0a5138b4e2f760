#include "parsimap/report/table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "parsimap/report/accuracy_documents.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "support/example_experiment.hpp"
#include "unit/accuracy/small_assessment.hpp"

using namespace parsimap;

TEST_CASE("columns line up by what a terminal shows") {
  const Table table{"",
                    {"name", "n", "note"},
                    {{"Forêt", "12", ""}, {"e\u0301te\u0301", "3", "x"}, {"森林", "100", "wide"}},  // combining accents
                    "lrl"};
  CHECK(table_text(table) == "  name     n  note\n" + table_text(table, Titles::hidden));
  CHECK(table_text(table, Titles::hidden) ==
        "  Forêt   12\n"
        "  e\u0301te\u0301      3  x\n"
        "  森林   100  wide\n");
}

TEST_CASE("the width of text is its terminal columns, and broken UTF-8 is counted by byte") {
  CHECK(display_width("") == 0);
  CHECK(display_width("abc") == 3);
  CHECK(display_width("é") == 1);
  CHECK(display_width("🌲") == 2);
  CHECK(display_width("caf\xe9") == 4);
  CHECK(display_width("\xe9\xe9 x") == 4);
  CHECK(display_width("\xff\xfe") == 2);
}

TEST_CASE("a long name is cut at a character, a line break in a name does not break the table") {
  const Table table{"",
                    {"", ""},
                    {{std::string(80, 'x'), "end"},
                     {std::string(47, 'x') + "é", "end"},
                     {std::string(46, 'x') + "éé!", "end"},
                     {"two\nlines\x1b[31m", "end"}},
                    "l"};
  CHECK(table_text(table, Titles::hidden) == "  " + std::string(47, 'x') + "…  end\n" +       //
                                                 "  " + std::string(47, 'x') + "é  end\n" +   //
                                                 "  " + std::string(46, 'x') + "é…  end\n" +  //
                                                 "  two lines [31m" + std::string(34, ' ') + "  end\n");
}

TEST_CASE("numbers") {
  CHECK(percent(0.985) == "98.5");
  CHECK(percent(1.0) == "100.0");
  CHECK(percent(std::nullopt) == "-");
  CHECK(short_number(1234567.0) == "1.23457e+06");
  CHECK(short_number(0.25) == "0.25");
  CHECK(long_number(4294967295.0) == "4294967295");
  CHECK(long_number(0.1) == "0.1");
  CHECK(long_number(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(coordinate(500000) == "500000");
  CHECK(coordinate(500000.5) == "500000.5");
  CHECK(coordinate(-0.0625) == "-0.0625");
  CHECK(coordinate(13.50314159265) == "13.5031416");
  CHECK(coordinate(5800480.0625) == "5800480.062");
  CHECK(coordinate(100.001) == "100.001");
  CHECK(four_decimals(0.70124) == "0.7012");
  CHECK(four_decimals(0.5) == "0.5");
  CHECK(four_decimals(std::nullopt) == "-");
  CHECK(seconds_text(0.517) == "0.52 s");
  CHECK(seconds_text(12.34) == "12.3 s");
  CHECK(seconds_text(133.6) == "134 s");
  CHECK(time_text({1.2}) == "Time: 1.20 s\n");
  CHECK(time_text({1.2, {}, (std::int64_t{64} << 20U) + 1}) == "Time: 1.20 s\nPeak memory: 65 MB\n");
  CHECK(time_text({1.2, {{"read", 0.5}, {"train", 0.7}}}) == "Time: 1.20 s (read 0.50 s, train 0.70 s)\n");
}

TEST_CASE("intervals of fractions are percent in brackets, or nothing") {
  CHECK(percent_interval(Interval{0.9712, 1}) == "(97.1 to 100.0)");
  CHECK(percent_interval(std::nullopt).empty());
}

using test::small_assessment;

namespace {

using Cells = std::vector<std::string>;

// A reader of RFC 4180, written from its grammar.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      rows.back().back() += c;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

double number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

TEST_CASE("the CSV is one rectangle with the orientation in its corner and every digit") {
  Assessment record = small_assessment({"yes", "no"});
  record.unclassified_pixels = 4;
  const auto rows = parse_csv(accuracy_csv(record));
  REQUIRE(rows.size() == 11);
  for (const auto& row : rows) {
    CHECK(row.size() == 16);
  }
  CHECK(rows[0] == Cells{"reference \\ map", "yes", "no", "reference_pixels", "producers_accuracy", "users_accuracy",
                         "f1", "producers_low", "producers_high", "users_low", "users_high", "f1_low", "f1_high",
                         "producers_regions", "users_regions", "f1_regions"});
  CHECK(rows[1][0] == "yes");
  CHECK(rows[1][2] == "5");
  CHECK(rows[2][1] == "10");
  CHECK(number(rows[1][5]) == 20.0 / 30.0);
  CHECK(number(rows[1][6]) == 40.0 / 55.0);
  CHECK(number(rows[1][9]) == wilson_interval(20.0 / 30.0, 30).low);
  CHECK(number(rows[1][12]) == record.intervals.classes[0].f1->high);
  CHECK(rows[3][0] == "map_pixels");
  CHECK(rows[3][3] == "50");
  CHECK(rows[4][1] == "50");
  CHECK(rows[5][0] == "unclassified_pixels");
  CHECK(rows[5][1] == "4");
  CHECK(number(rows[6][1]) == 0.7);
  CHECK(number(rows[6][2]) == wilson_interval(0.7, 50).low);
  CHECK(rows[7][0] == "average_accuracy");
  CHECK(number(rows[8][1]) == *record.confusion.kappa());
  CHECK(number(rows[8][3]) == record.intervals.kappa->high);
  CHECK(rows[9][0] == "quantity_disagreement");
  CHECK(number(rows[9][1]) == doctest::Approx(0.1));
  CHECK(number(rows[10][1]) == doctest::Approx(0.2));
}

TEST_CASE("what is 0/0 is empty") {
  ConfusionMatrix confusion({"a", "b"});
  confusion.add(0, 0, 3);
  const auto rows = parse_csv(
      accuracy_csv({.map = "m", .reference = "r", .confusion = confusion, .intervals = pixel_intervals(confusion)}));
  CHECK(rows[2] == Cells{"b", "0", "0", "0", "", "", "", "", "", "", "", "", "", "", "", ""});
  CHECK(rows[8] == Cells{"kappa", "", "", "", "", "", "", "", "", "", "", "", "", "", "", ""});
}

TEST_CASE("fields are quoted only where they have to be, and lines end in CR LF") {
  const std::string text = accuracy_csv(small_assessment({"b c", "a,b"}));
  CHECK(text.starts_with("reference \\ map,b c,\"a,b\",reference_pixels,"));
  CHECK(text.find("\r\npixels,50,,,,,,,,,,,,,,\r\n") != std::string::npos);
  CHECK(text.find("\r\noverall_accuracy,0.7,") != std::string::npos);
}

TEST_CASE("class names with commas, quotes and line breaks survive the CSV") {
  const Cells names = {"oak, red", "so-called \"bare\"\nsoil"};
  const auto rows = parse_csv(accuracy_csv(small_assessment(names)));
  CHECK(rows[0][1] == names[0]);
  CHECK(rows[0][2] == names[1]);
  CHECK(rows[1][0] == names[0]);
  CHECK(rows[2][0] == names[1]);
  CHECK(rows[2].size() == 16);
}

TEST_CASE("areas are a rectangle with shares, unit and errors") {
  const AreaAssessment areas = test::small_areas();
  const auto rows = parse_csv(area_csv(areas, {"yes", "no"}));
  REQUIRE(rows.size() == 6);
  for (const auto& row : rows) {
    CHECK(row.size() == 17);
  }
  CHECK(rows[0][0] == "reference \\ map");
  CHECK(number(rows[1][2]) == 0.25 * 0.25);
  CHECK(number(rows[2][1]) == doctest::Approx(0.25));
  CHECK(number(rows[1][3]) == doctest::Approx(27));
  CHECK(number(rows[1][4]) == doctest::Approx(20.25));
  CHECK(number(rows[1][5]) == doctest::Approx(36 * areas.estimate.classes[0].share.standard_error));
  CHECK(number(rows[1][7]) == doctest::Approx(36 * areas.estimate.classes[0].share.interval->high));
  CHECK(rows[1][8] == "ha");
  CHECK(number(rows[2][13]) == areas.estimate.classes[1].users_accuracy->value);
  CHECK(rows[3][0] == "overall_accuracy");
  CHECK(number(rows[3][2]) == areas.estimate.overall_accuracy.standard_error);
  CHECK(number(rows[4][1]) + number(rows[5][1]) == doctest::Approx(1 - areas.estimate.overall_accuracy.value));
}

TEST_CASE("a comparison is measures and values") {
  const auto rows = parse_csv(comparison_csv(test::small_comparison()));
  CHECK(rows[0] == Cells{"measure", "value"});
  CHECK(rows[3] == Cells{"first_only_right", "8"});
  CHECK(rows[7] == Cells{"first_overall_accuracy", "0.76"});
  CHECK(rows[9] == Cells{"difference", "0.12"});
  CHECK(rows[12] == Cells{"mcnemar_test", "exact binomial"});
  CHECK(rows[13] == Cells{"mcnemar_chi_square", ""});
  CHECK(number(rows[14][1]) == doctest::Approx(112.0 / 1024));
}

TEST_CASE("parts of a whole have the decimals of its ten thousandth") {
  CHECK(part_text(0.25, 4.8) == "1.2000");
  CHECK(part_text(0.25, 12345) == "3086");
  CHECK(part_text(0.25, 0.02) == "0.005000");
}

TEST_CASE("one row per run, test set and class, with as many fields everywhere") {
  const ExperimentRecord record = test::example_experiment();
  const std::string text = experiment_csv(record);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + static_cast<long>(record.runs.size()) * 2 * 3);
  CHECK(text.rfind("data,kernel,criterion,dimension,repeat,seed,test,samples,overall_accuracy,average_binary_accuracy,"
                   "class,class_dimension,criterion_value,C,support_vectors,evaluations,stop_reason,seconds,"
                   "binary_accuracy,rest_weight\r\n",
                   0) == 0);
}

TEST_CASE("a row holds the values of its class in its test set, quoted where needed") {
  ExperimentRecord record;
  ExperimentRun run{"hills, high", {"gaussian", "radius-margin", ""}, 2, 7, {}, {}};
  run.tests = {{"all", 10, 0.9, 0.95, {}}, {"disjoint", 8, {}, 0.75, {}}};
  ClassRun trained;
  trained.name = "say \"x\"";
  trained.criterion_value = 79.41;
  trained.C = 0.1;
  trained.support_vectors = 5;
  trained.evaluations = 31;
  trained.stop_reason = "converged";
  trained.seconds = 1.5;
  trained.rest_weight = 0.25;
  trained.binary_accuracy = {0.875, 0.75};
  run.classes = {trained};
  record.runs = {run};
  const std::string text = experiment_csv(record);
  CHECK(text.substr(text.find("\r\n") + 2) ==
        "\"hills, high\",gaussian,radius-margin,,2,7,all,10,0.9,0.95,\"say \"\"x\"\"\",0,79.41,0.1,5,31,converged,1.5,"
        "0.875,0.25\r\n"
        "\"hills, high\",gaussian,radius-margin,,2,7,disjoint,8,,0.75,\"say \"\"x\"\"\",0,79.41,0.1,5,31,converged,1.5,"
        "0.75,0.25\r\n");
}

TEST_CASE("a column of dashes is left out, with its title and its alignment; one that is empty or has a value stays") {
  const Table table{"",
                    {"class", "regions", "note", "right %", "taken for"},
                    {{"oak", "-", "", "-", "–"}, {"elm", "–", "", "5.0", "-"}},
                    "lrlrl"};
  const Table left = without_dashes(table);
  CHECK(left.columns == std::vector<std::string>{"class", "note", "right %"});
  CHECK(left.rows == TableRows{{"oak", "", "-"}, {"elm", "", "5.0"}});
  CHECK(left.alignment == "llr");
  CHECK(table_text(table) == "  class  note  right %\n  oak                -\n  elm              5.0\n");
  CHECK(without_dashes({"", {"a", "b"}, {}}).columns.size() == 2);
  CHECK(percent(std::numeric_limits<double>::quiet_NaN()) == "-");
}
