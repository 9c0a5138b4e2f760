// A list of bands, as --bands and --exclude-bands take it: the first line of the input; the others name the bands.
#include <algorithm>
#include <string>

#include "parsimap/scene/open_scene.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {
namespace {

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

}  // namespace

void run_input(std::string_view input) {
  const std::string list = take_line(input);
  const BandTable table = table_of(input);
  accepted([&] { check(bands_of_list(list, table, "scene"), table); });
  accepted([&] {
    const ChosenBands chosen = choose_bands(table, {.use = {}, .exclude = {list}}, "scene");
    check(chosen.bands, table);
    require(chosen.bands.size() + chosen.dropped.size() == table.size(), "a band is used or dropped");
  });
}

}  // namespace parsimap::fuzz
