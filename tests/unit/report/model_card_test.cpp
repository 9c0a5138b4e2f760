#include <doctest/doctest.h>

#include <cmath>
#include <regex>
#include <set>

#include "parsimap/report/training_report.hpp"

#include "support/page_sections.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using test::contains;
using test::count_of;

namespace {

// A model whose numbers can be drawn.
Model drawn_model() {
  Model model = small_model();
  model.scaling = {Vector{{10, 20, 30}}, Vector{{2, 4, 6}}};
  return model;
}

// 20 classes x 200 bands, names and spectra of a usual length.
Model large_model() {
  Model model = drawn_model();
  const ClassEntry entry = model.classes[1];
  const BinaryClassifier machine = model.classifiers[1];
  const ClassNovelty novelty = model.novelty[1];
  model.classes.assign(20, entry);
  model.classifiers.assign(20, machine);
  model.novelty.assign(20, novelty);
  model.scene_bands = 200;
  model.bands.resize(200);
  model.band_table.assign(200, {});
  model.scaling = {Vector::Constant(200, 3000), Vector::Constant(200, 1000)};
  for (std::size_t b = 0; b < 200; ++b) {
    model.bands[b] = static_cast<Index>(b);
    model.band_table[b].wavelength = 400 + 10.5 * static_cast<double>(b);
  }
  for (std::size_t c = 0; c < 20; ++c) {
    model.classes[c].name = "Grass pasture mowed, north " + std::to_string(c);
    Vector& mean = model.novelty[c].gaussian.mean;
    mean.resize(200);
    for (Index b = 0; b < 200; ++b) {
      mean[b] = std::sin(static_cast<double>(b) / 9) + std::cos(static_cast<double>(b * static_cast<Index>(c)) / 5);
    }
  }
  model.provenance.left_out.by_region.assign(20, true);
  model.provenance.left_out.confusion = CountMatrix::Constant(20, 20, 3);
  return model;
}

}  // namespace

TEST_CASE("a card has verdict, what was left out, classes and their mean spectra") {
  Model model = drawn_model();
  const std::string alone = model_card(model);
  CHECK(contains(alone, "<b>No accuracy for other places: "));
  CHECK(contains(alone, "<td>pixels</td><td>-</td></tr>"));
  model.provenance.left_out.by_region = {true, true};
  const std::string card = model_card(model);
  CHECK(contains(card, "<b>Left-out accuracy 98.2 % on 55 training pixels of 2 classes"));
  CHECK(contains(card, "2 classes, 55 pixels, 3 of 5 bands, hdda kernel, standardise scaling."));
  CHECK(contains(card, "each classified without its region (12 regions in 5 folds)."));
  CHECK(contains(card,
                 "<tr><td><i style=\"background:#0080ff\"></i>Brocoli</td><td class=\"number\">3</td>"
                 "<td class=\"number\">30</td><td class=\"number\">8</td><td class=\"number\">96.7</td>"
                 "<td>regions</td><td>Forêt &quot;dense&quot; (3.3 %)</td></tr>"));
  CHECK(count_of(card, "<path ") == 2);
  CHECK(contains(card, "<path stroke=\"#0080ff\""));
  CHECK(contains(card, "<title>Forêt &quot;dense&quot;</title>"));
}

TEST_CASE("no name becomes markup, and a card has no script and loads nothing") {
  Model model = drawn_model();
  model.classes[0].name = "<script>alert('a' & \"b\")</script>";
  const std::string card = model_card(model);
  CHECK_FALSE(contains(card, "<script"));
  CHECK(contains(card, "&lt;script&gt;alert(&apos;a&apos; &amp; &quot;b&quot;)&lt;/script&gt;"));
  CHECK_FALSE(std::regex_search(card, std::regex("src=|href|@import|url\\(|on[a-z]+=")));
}

TEST_CASE("a card takes ink from the page around it: nothing but the classes has a colour") {
  const std::string card = model_card(drawn_model());
  std::set<std::string> colours;
  const std::regex colour("#[0-9a-f]{6}|rgb|white[^-]|black|background: *[^#]");
  for (std::sregex_iterator found(card.begin(), card.end(), colour), end; found != end; ++found) {
    colours.insert(found->str());
  }
  CHECK(colours == std::set<std::string>{"#0080ff", "#e69f00"});
}

TEST_CASE("a card of 20 classes and 200 bands has less than 30 kB") {
  const std::string card = model_card(large_model());
  CHECK(count_of(card, "<path ") == 20);
  CHECK(card.size() < 30000);
}

TEST_CASE("a card leaves out what a model does not know") {
  Model model = drawn_model();
  model.classifiers[0].regions.reset();
  model.provenance.left_out.by_region = {true, true};
  model.provenance.left_out.confusion.reset();
  for (ClassNovelty& novelty : model.novelty) {
    novelty.gaussian.mean.setConstant(std::nan(""));
  }
  const std::string card = model_card(model);
  CHECK(count_of(card, "each classified without its region (12 regions in 5 folds).") == 1);
  CHECK(contains(card, "<td class=\"number\">-</td><td class=\"number\">-</td><td>regions</td>"));
  CHECK_FALSE(contains(card, "<svg"));
}
