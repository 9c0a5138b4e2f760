#include "parsimap/report/accuracy_report.hpp"

#include <doctest/doctest.h>

#include <charconv>

using namespace parsimap;

namespace {

AssessmentRecord record_of(const std::vector<std::string>& names) {
  ConfusionMatrix confusion(names);
  confusion.add(0, 0, 20);
  confusion.add(0, 1, 5);
  confusion.add(1, 0, 10);
  confusion.add(1, 1, 15);
  return {.map = "map.tif", .reference = "reference.gpkg", .confusion = confusion};
}

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

TEST_CASE("the text report of Cohen's example, whole") {
  AssessmentRecord record = record_of({"yes", "no"});
  record.unclassified_pixels = 4;
  CHECK(accuracy_text(record) ==
        "Accuracy of map.tif\n"
        "against     reference.gpkg\n"
        "\n"
        "Confusion matrix in pixels: rows are reference, columns are map.\n"
        "\n"
        "     reference \\ map   1   2  sum\n"
        "  1  yes              20   5   25\n"
        "  2  no               10  15   25\n"
        "     sum              30  20   50\n"
        "\n"
        "     class  reference  map  producer's %  user's %  F1 %\n"
        "  1  yes           25   30          80.0      66.7  72.7\n"
        "  2  no            25   20          60.0      75.0  66.7\n"
        "\n"
        "  overall accuracy %                    70.0\n"
        "  average accuracy %                    70.0\n"
        "  kappa                                  0.4\n"
        "  pixels compared                         50\n"
        "  unclassified in the map, not counted     4\n");
}

TEST_CASE("what is 0/0 is a dash in the text and empty in the CSV") {
  AssessmentRecord record{.map = "m", .reference = "r", .confusion = ConfusionMatrix({"a", "b"})};
  record.confusion.add(0, 0, 3);
  CHECK(accuracy_text(record).find("  2  b              0    0             -         -      -\n") != std::string::npos);
  const auto rows = parse_csv(accuracy_csv(record));
  CHECK(rows[2] == std::vector<std::string>{"b", "0", "0", "0", "", "", ""});
  CHECK(rows.back() == std::vector<std::string>{"kappa", "", "", "", "", "", ""});
}

TEST_CASE("the CSV is one rectangle with the orientation in its corner and every digit") {
  AssessmentRecord record = record_of({"yes", "no"});
  record.unclassified_pixels = 4;
  const auto rows = parse_csv(accuracy_csv(record));
  REQUIRE(rows.size() == 9);
  for (const auto& row : rows) {
    CHECK(row.size() == 7);
  }
  CHECK(rows[0] == std::vector<std::string>{"reference \\ map", "yes", "no", "reference_pixels", "producers_accuracy",
                                            "users_accuracy", "f1"});
  CHECK(rows[1][0] == "yes");
  CHECK(rows[1][2] == "5");
  CHECK(rows[2][1] == "10");
  CHECK(number(rows[1][5]) == 20.0 / 30.0);
  CHECK(number(rows[1][6]) == 40.0 / 55.0);
  CHECK(rows[3] == std::vector<std::string>{"map_pixels", "30", "20", "50", "", "", ""});
  CHECK(rows[4][1] == "50");
  CHECK(rows[5] == std::vector<std::string>{"unclassified_pixels", "4", "", "", "", "", ""});
  CHECK(number(rows[6][1]) == 0.7);
  CHECK(rows[7][0] == "average_accuracy");
  CHECK(number(rows[8][1]) == *record.confusion.kappa());
}

TEST_CASE("class names with commas, quotes and line breaks survive the CSV") {
  const std::vector<std::string> names = {"oak, red", "so-called \"bare\"\nsoil"};
  const auto rows = parse_csv(accuracy_csv(record_of(names)));
  CHECK(rows[0][1] == names[0]);
  CHECK(rows[0][2] == names[1]);
  CHECK(rows[1][0] == names[0]);
  CHECK(rows[2][0] == names[1]);
  CHECK(rows[2].size() == 7);
}

TEST_CASE("a long class name widens one column, not every one") {
  const std::string text = accuracy_text(record_of({std::string(200, 'x'), "Forêt"}));
  std::size_t longest = 0;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    longest = std::max(longest, end - start);
  }
  CHECK(longest < 110);
}
