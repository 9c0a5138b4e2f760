// Texts that people write: colours of classes, numbers of samples, lists of bands, and tables of data sets.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/json/json_text.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/text/text_tables.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {
namespace {

// ---- colours ----

// The colours of classes, as JSON and as lines of text.

void check(const std::vector<ColourRule>& rules) {
  require(!rules.empty(), "a file that is accepted has colours");
  for (const ColourRule& rule : rules) {
    require(!rule.code || *rule.code > 0, "0 is no class");
  }
  ClassTable classes = {{1, "forest", {}}, {2, "1", {}}, {7, "water", {}}};
  require(colour_classes(classes, rules).size() <= rules.size(), "a rule is left over once at most");
}

void run_colours(std::string_view input) {
  static MemoryFile file;
  const std::string& path = file.hold(input);
  accepted([&] { check(read_colour_file(path)); });
  accepted([&] { check(read_colour_list(path)); });
}

// ---- class_counts ----

// The table of --sampling byclass:FILE.
void run_class_counts(std::string_view input) {
  static MemoryFile file;
  std::vector<std::pair<std::string, Index>> counts;
  if (!accepted([&] { counts = read_class_counts(file.hold(input)); })) {
    return;
  }
  std::set<std::string> names;
  std::string written;
  const auto quoted = [](std::string text) {
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2)) {
      text.insert(at, 1, '"');
    }
    return '"' + text + '"';
  };
  for (const auto& [name, count] : counts) {
    require(names.insert(name).second && count >= 0, "a class has one number");
    written += quoted(name) + "," + std::to_string(count) + "\n";
  }
  require(read_class_counts(file.hold(written)) == counts, "a table reads back the same");
}

// ---- band_list ----

// A list of bands, as --bands and --exclude-bands take it: the first line of the input; the others name the bands.

std::string take_line(std::string_view& text) {
  const std::string line(text.substr(0, text.find('\n')));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// At least one band, of which every third has no wavelength.
BandTable table_of(std::string_view names) {
  constexpr std::size_t kMostBands = 40;
  BandTable table;
  do {
    Band band;
    band.name = take_line(names);
    if (table.size() % 3 != 2) {
      band.wavelength = 400.0 + 50.0 * static_cast<double>(table.size());
    }
    table.push_back(band);
  } while (!names.empty() && table.size() < kMostBands);
  return table;
}

void check(const Indices& bands, const BandTable& table) {
  require(!bands.empty() && std::is_sorted(bands.begin(), bands.end()) &&
              std::adjacent_find(bands.begin(), bands.end()) == bands.end() && bands.front() >= 0 &&
              bands.back() < static_cast<Index>(table.size()),
          "bands are those of the scene, ascending, each once");
}

void run_band_list(std::string_view input) {
  const std::string list = take_line(input);
  const BandTable table = table_of(input);
  accepted([&] { check(bands_of_list(list, table, "scene"), table); });
  accepted([&] {
    const ChosenBands chosen = choose_bands(table, {.use = {}, .exclude = {list}}, "scene");
    check(chosen.bands, table);
    require(chosen.bands.size() + chosen.dropped.size() == table.size(), "a band is used or dropped");
  });
}

// ---- number_table ----

// The tables of a data set: numbers, and a label in every line.

std::string text_of(const Matrix& table) {
  std::string text;
  for (Index row = 0; row < table.rows(); ++row) {
    for (Index column = 0; column < table.cols(); ++column) {
      char number[32];
      std::snprintf(number, sizeof number, "%.17g", table(row, column));
      text += (column > 0 ? " " : "") + std::string(number);
    }
    text += "\n";
  }
  return text;
}

void check_numbers(const std::string& path, MemoryFile& copy) {
  const Matrix table = read_number_table(path);
  require(table.size() > 0 && table.allFinite(), "a table holds finite numbers");
  require(read_number_table(copy.hold(text_of(table))) == table, "a table reads back the same");
}

void check_labels(const std::string& path, MemoryFile& copy) {
  const std::vector<std::string> labels = read_label_lines(path);
  std::string text = "\xef\xbb\xbf";  // a label may begin with such a mark
  for (const std::string& label : labels) {
    text += label + "\n";
  }
  require(read_label_lines(copy.hold(text)) == labels, "labels read back the same");
}

void run_number_table(std::string_view input) {
  static MemoryFile file;
  static MemoryFile copy;
  const std::string& path = file.hold(input);
  accepted([&] { check_numbers(path, copy); });
  accepted([&] { check_labels(path, copy); });
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"colours", run_colours},
      {"class_counts", run_class_counts},
      {"band_list", run_band_list},
      {"number_table", run_number_table},
  };
  return all;
}

}  // namespace parsimap::fuzz
