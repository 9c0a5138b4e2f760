#include "parsimap/report/model_card.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/report/training_report.hpp"

#include "report/page_parts.hpp"
#include "support/page_sections.hpp"
#include "support/toy_samples.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

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
  const BinaryClassifier classifier = model.classifiers[1];
  const ClassNovelty novelty = model.novelty[1];
  model.classes.assign(20, entry);
  model.classifiers.assign(20, classifier);
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
  CHECK(contains(card, "each classified without its region (12 regions in 5 folds): "));
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
  CHECK(count_of(card, "each classified without its region (12 regions in 5 folds): ") == 1);
  CHECK(contains(card, "<td class=\"number\">-</td><td class=\"number\">-</td><td>regions</td>"));
  CHECK_FALSE(contains(card, "<svg"));
}

namespace {

DataDescription described(const std::vector<double>& wavelengths, const std::vector<std::vector<double>>& means) {
  DataDescription samples;
  samples.wavelengths = wavelengths;
  for (const std::vector<double>& mean : means) {
    samples.classes.push_back({"class " + std::to_string(samples.classes.size() + 1), 1, mean, {}, {}, {}});
  }
  return samples;
}

Indices first(Index count) {
  Indices bands(static_cast<std::size_t>(count));
  std::iota(bands.begin(), bands.end(), 0);
  return bands;
}

// The points of a path and whether each begins a part, by a reader that follows every step.
struct Followed {
  std::vector<std::pair<double, double>> points;
  std::size_t parts = 0;
};

Followed follow(const std::string& path) {
  std::istringstream text(path);
  Followed followed;
  double x = 0;
  double y = 0;
  double dx = 0;
  double dy = 0;
  while (text.peek() != EOF) {
    if (text.peek() == 'M') {
      text.get();
      text >> x >> y;
      REQUIRE(static_cast<bool>(text));
      ++followed.parts;
      followed.points.emplace_back(x, y);
      CHECK(text.get() == 'l');
    } else {
      text >> dx >> dy;
      REQUIRE(static_cast<bool>(text));
      x += dx;
      y += dy;
      followed.points.emplace_back(x, y);
    }
  }
  return followed;
}

}  // namespace

TEST_CASE("a line passes through the values of its bands") {
  const std::vector<double> mean = {0, 50, 100, 25};
  const SpectraDrawing drawing = draw_spectra(described({400, 500, 600, 700}, {mean}), first(4), {{255, 0, 16}});
  CHECK(drawing.places == "wavelength (nm)");
  REQUIRE(drawing.lines.size() == 1);
  CHECK(drawing.lines[0].name == "class 1");
  CHECK(drawing.lines[0].colour == "#ff0010");
  const Followed line = follow(drawing.lines[0].path);
  CHECK(line.parts == 1);
  REQUIRE(line.points.size() == 4);
  using Drawing = SpectraDrawing;
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = Drawing::kLeft + static_cast<double>(i) / 3 * (Drawing::kRight - Drawing::kLeft);
    const double y = Drawing::kBottom - mean[i] / 100 * (Drawing::kBottom - Drawing::kTop);
    CHECK(std::abs(line.points[i].first - x) <= 0.5);
    CHECK(std::abs(line.points[i].second - y) <= 0.5);
  }
}

TEST_CASE("ticks stand at round numbers, where the values are") {
  const SpectraDrawing drawing = draw_spectra(described({400, 2500}, {{-0.1, 0.5}}), first(2), {{}});
  std::vector<std::string> across;
  for (const DrawnTick& tick : drawing.across) {
    across.push_back(tick.text);
    CHECK(std::abs(static_cast<double>(tick.at) - (110 + (std::stod(tick.text) - 400) / 2100 * 815)) <= 0.5);
  }
  CHECK(across == std::vector<std::string>{"500", "1000", "1500", "2000", "2500"});
  std::vector<std::string> upright;
  for (const DrawnTick& tick : drawing.upright) {
    upright.push_back(tick.text);
  }
  CHECK(upright == std::vector<std::string>{"0", "0.2", "0.4"});
}

TEST_CASE("without wavelengths, bands stand at their numbers, and lines are broken where bands were left out") {
  const SpectraDrawing drawing = draw_spectra(described({}, {{1, 2, 3, 4}}), {0, 1, 4, 5}, {{}});
  CHECK(drawing.places == "band");
  CHECK(drawing.across.front().text == "1");
  CHECK(drawing.across.back().text == "6");
  const Followed line = follow(drawing.lines[0].path);
  CHECK(line.parts == 2);
  CHECK(line.points.size() == 4);
}

TEST_CASE("lines are broken where the scene has no bands, or goes back to shorter wavelengths") {
  CHECK(follow(draw_spectra(described({1, 2, 3, 30, 31}, {{1, 2, 3, 4, 5}}), first(5), {{}}).lines[0].path).parts == 2);
  CHECK(follow(draw_spectra(described({1, 2, 3, 2, 3}, {{1, 2, 3, 4, 5}}), first(5), {{}}).lines[0].path).parts == 2);
}

TEST_CASE("of many bands 200 are drawn, and no step is lost by rounding") {
  std::vector<double> mean(2000);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    mean[i] = std::sin(static_cast<double>(i) / 100);
  }
  const Followed line = follow(draw_spectra(described({}, {mean}), first(2000), {{}}).lines[0].path);
  CHECK(line.parts == 1);
  CHECK(line.points.size() == 200);
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    const double y = 145 - 133 * mean[10 * i];
    CHECK(std::abs(line.points[i].second - y) <= 0.6);
  }
}

TEST_CASE("values without a place are left out, and extreme ones are drawn") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(follow(draw_spectra(described({}, {{1, nan, 2, 3}}), first(4), {{}}).lines[0].path).parts == 2);
  CHECK(draw_spectra(described({}, {{nan, infinite}}), first(2), {{}}).lines.empty());
  for (const std::vector<double>& mean : {std::vector<double>{-1.7e308, 1.7e308}, {5, 5}, {0, 0}, {1e-320, 2e-320}}) {
    const Followed line = follow(draw_spectra(described({}, {mean}), first(2), {{}}).lines[0].path);
    REQUIRE(line.points.size() == 2);
    for (const auto& [x, y] : line.points) {
      CHECK(y >= SpectraDrawing::kTop);
      CHECK(y <= SpectraDrawing::kBottom);
    }
  }
}

TEST_CASE("a model tells number and mean of the samples of every class, in the units of the data") {
  Model model = small_model();
  model.scaling = {Vector{{10, 20, 30}}, Vector{{2, 4, 6}}};
  model.novelty[1].gaussian.mean = Vector{{1, 0, -1}};
  const DataDescription description = describe_model(model);
  CHECK(description.name == "Training");
  CHECK(description.bands == 3);
  CHECK(description.training_samples == 55);
  REQUIRE(description.classes.size() == 2);
  CHECK(description.classes[1].name == "Forêt \"dense\"");
  CHECK(description.classes[1].samples == 25);
  CHECK(description.classes[1].mean == std::vector<double>{12, 20, 24});
  CHECK(description.classes[1].deviation.empty());
  CHECK(description.classes[1].eigenvalues.empty());
  // The wavelength of one band is not known.
  CHECK(description.wavelengths.empty());
  model.band_table[1].wavelength = 600;
  CHECK(describe_model(model).wavelengths == std::vector<double>{450.5, 600, 1e-310});
}

TEST_CASE("the mean is that of the training samples, whatever the scaling") {
  const SampleSet samples = toy::three_classes(20, 4);
  for (const ScalingRule rule : {ScalingRule::none, ScalingRule::global, ScalingRule::standardise}) {
    TrainingOptions options;
    options.scaling = rule;
    const DataDescription description = describe_model(train_one_vs_all(samples, options, {}));
    for (std::size_t c = 0; c < 3; ++c) {
      const Matrix own = samples.spectra(class_rows(samples, static_cast<int>(c)), Eigen::all);
      const std::vector<double>& mean = description.classes[c].mean;
      CHECK((own.colwise().mean().transpose() - Eigen::Map<const Vector>(mean.data(), own.cols())).norm() < 1e-8);
    }
  }
}

TEST_CASE("the page of a model has what it knows of its training") {
  const Model model = small_model();
  const CommandPage page = model_page(model);
  CHECK(page.title == "Model of 2 classes");
  CHECK(page.verdict == training_verdict(model));
  CHECK(page.lead == "2 classes, 55 pixels, 3 of 5 bands, hdda kernel, standardise scaling.");
  CHECK(page.date.empty());
  CHECK(ids_of(page.sections) == std::vector<std::string>{"classes", "confusion", "spectra", "classifiers", "metric",
                                                          "weights", "inputs", "run"});
  for (const Section& section : page.sections) {
    CHECK(section.pictures.empty());
  }
  CHECK(page.sections[6].tables[2].rows ==
        std::vector<std::vector<std::string>>{{"scene.hdr", "123456789012"}, {"labels.gpkg", "-"}});
  CHECK(page.sections[7].tables[0].rows.front() == std::vector<std::string>{"kernel", "hdda"});
}

TEST_CASE("what a model does not know is not on its page") {
  Model model = small_model();
  model.provenance.inputs.clear();
  model.provenance.options.clear();
  model.provenance.left_out.confusion.reset();
  model.scan.clear();
  CHECK(ids_of(model_page(model).sections) ==
        std::vector<std::string>{"classes", "spectra", "classifiers", "weights", "criterion"});
}

TEST_CASE("the page of a model has its validation") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  const CommandPage page = model_page(model);
  CHECK(page.sections[1].id == "validation");
  CHECK(page.sections[1].figures == std::vector<std::string>{"confusion"});
}

}  // namespace parsimap::test
