#include "parsimap/accuracy/assessment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "unit/accuracy/memory_map.hpp"
#include "unit/accuracy/small_assessment.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

CountMatrix table(Index classes, std::initializer_list<std::int64_t> rows_of_map) {
  CountMatrix counts(classes, classes);
  auto value = rows_of_map.begin();
  for (Index map = 0; map < classes; ++map) {
    for (Index reference = 0; reference < classes; ++reference) {
      counts(reference, map) = *value++;
    }
  }
  return counts;
}

// Strata are the classes of the map. The papers' tables have rows of the map, as `counts` is given here.
std::vector<Stratum> strata_of_map(const std::vector<std::int64_t>& pixels, const CountMatrix& counts) {
  std::vector<Stratum> strata;
  for (Index h = 0; h < counts.cols(); ++h) {
    Stratum stratum{std::to_string(h + 1), CountVector::Zero(counts.cols()),
                    CountMatrix::Zero(counts.rows(), counts.cols())};
    stratum.map_pixels(h) = pixels[static_cast<std::size_t>(h)];
    stratum.units.col(h) = counts.col(h);
    strata.push_back(stratum);
  }
  return strata;
}

void check(double value, double expected) { CHECK(std::abs(value - expected) < 1e-10); }

void check(const Estimate& estimate, double value, double standard_error) {
  check(estimate.value, value);
  check(estimate.standard_error, standard_error);
}

using Pair = std::pair<double, double>;

void check_classes(const AreaEstimate& estimate, const std::vector<Pair>& shares, const std::vector<Pair>& producers,
                   const std::vector<Pair>& users) {
  for (std::size_t c = 0; c < shares.size(); ++c) {
    check(estimate.classes[c].share, shares[c].first, shares[c].second);
    check(estimate.classes[c].producers_accuracy.value(), producers[c].first, producers[c].second);
    check(estimate.classes[c].users_accuracy.value(), users[c].first, users[c].second);
  }
}

Stratum stehman_stratum(const std::string& name, std::int64_t pixels, Index classes,
                        const std::vector<std::pair<char, char>>& map_and_reference) {
  Stratum stratum{name, CountVector::Zero(classes), CountMatrix::Zero(classes, classes)};
  for (const auto& [map, reference] : map_and_reference) {
    ++stratum.units(reference - 'A', map - 'A');
    stratum.map_pixels(map - 'A') = 1;
  }
  // How the pixels of a stratum share the map's classes does not matter where every stratum has several units.
  stratum.map_pixels(map_and_reference.front().first - 'A') += pixels - stratum.map_pixels.sum();
  return stratum;
}

// Stehman (2014), table 2: ten units in each of four strata; map and reference class of each.
std::vector<Stratum> stehman_strata(bool first_halved) {
  const auto a = [](const char* pairs) {
    std::vector<std::pair<char, char>> units;
    for (const char* at = pairs; *at != '\0'; at += *(at + 2) == '\0' ? 2 : 3) {
      units.emplace_back(at[0], at[1]);
    }
    return units;
  };
  std::vector<Stratum> strata;
  if (first_halved) {
    strata.push_back(stehman_stratum("a", 20000, 4, a("AA AA AA AA AA")));
    strata.push_back(stehman_stratum("aa", 20000, 4, a("AC AB BA BB BC")));
  } else {
    strata.push_back(stehman_stratum("A", 40000, 4, a("AA AA AA AA AA AC AB BA BB BC")));
  }
  strata.push_back(stehman_stratum("B", 30000, 4, a("AA BB BB BB BB BB BA BA BB BB")));
  strata.push_back(stehman_stratum("C", 20000, 4, a("BC BC CC CC CC CD CD CB BB BA")));
  strata.push_back(stehman_stratum("D", 10000, 4, a("DD DD DD DD DD DD DD DC DC DB")));
  return strata;
}

}  // namespace

// The expected values are those of the R package mapaccuracy 0.1.2 for the examples of its manual, to twelve digits.

TEST_CASE("example 1 of Olofsson et al. (2013)") {
  const AreaEstimate estimate =
      estimate_areas(strata_of_map({22353, 1122543, 610228}, table(3, {97, 0, 3, 3, 279, 18, 2, 1, 97})), false);
  check(estimate.overall_accuracy, 0.944416781948, 0.011164399505);
  check_classes(
      estimate,
      {{0.0257032551546, 0.00612572359757}, {0.5982866566693, 0.01005743397861}, {0.3760100881761, 0.01061797107873}},
      {{0.480630824341, 0.11455845594876}, {0.994188677074, 0.00577827861256}, {0.896925896765, 0.02102355328535}},
      {{0.97, 0.0171446607998}, {0.93, 0.0147555329456}, {0.97, 0.0171446607998}});
  check(estimate.shares(2, 1), 0.03837482707774);
  CHECK(estimate.pixels == 1755124);
  // The paper: 45 112 +- 21 072 pixels of deforestation (equations 10 and 12).
  CHECK(estimate.classes[0].share.value * 1755124 == doctest::Approx(45112).epsilon(1e-4));
  CHECK(normal_quantile() * estimate.classes[0].share.standard_error * 1755124 == doctest::Approx(21072).epsilon(1e-3));
}

TEST_CASE("example 2 of Olofsson et al. (2013)") {
  const AreaEstimate estimate =
      estimate_areas(strata_of_map({7000, 295000, 698000}, table(3, {127, 66, 54, 2, 322, 17, 0, 15, 540})), false);
  check(estimate.overall_accuracy, 0.961297375272, 0.00605331149812);
  check_classes(
      estimate,
      {{0.00532939556199, 0.00124183716249},
       {0.29929836006237, 0.00605242311661},
       {0.69537224437564, 0.00594004441377}},
      {{0.675346808383, 0.1554026955548}, {0.930720267880, 0.0149909497576}, {0.976649759360, 0.0048999447532}},
      {{0.514170040486, 0.03186603117580}, {0.944281524927, 0.01243972841211}, {0.972972972973, 0.00688961008641}});
}

TEST_CASE("table 8 of Olofsson et al. (2014)") {
  const AreaEstimate estimate =
      estimate_areas(strata_of_map({200000, 150000, 3200000, 6450000},
                                   table(4, {66, 0, 5, 4, 0, 55, 8, 12, 1, 0, 153, 11, 2, 1, 9, 313})),
                     false);
  check(estimate.overall_accuracy, 0.946511888112, 0.00943041721559);
  check_classes(estimate,
                {{0.0235086247086, 0.00349072244108},
                 {0.0129846153846, 0.00212915307563},
                 {0.3175221445221, 0.00879242420532},
                 {0.6459846153846, 0.00922996391851}},
                {{0.748661404831, 0.10883155764554},
                 {0.847156398104, 0.12980018404044},
                 {0.934508908580, 0.01751246054419},
                 {0.961608992831, 0.00936813034777}},
                {{0.880000000000, 0.0377760112641},
                 {0.733333333333, 0.0514066400637},
                 {0.927272727273, 0.0202782498717},
                 {0.963076923077, 0.0104762758605}});
  // The paper: deforestation 21 158 +- 6158 ha of 900 000 ha.
  const Interval interval = estimate.classes[0].share.interval.value();
  CHECK((interval.high - interval.low) / 2 * 900000 == doctest::Approx(6158).epsilon(1e-3));
  CHECK(estimate.disagreement.quantity + estimate.disagreement.allocation == doctest::Approx(1 - 0.946511888112));
}

TEST_CASE("the numerical example of Stehman (2014), whose strata differ from the map's classes") {
  const AreaEstimate estimate = estimate_areas(stehman_strata(false), true);
  check(estimate.overall_accuracy, 0.63, 0.0846421880625);
  check_classes(estimate,
                {{0.35, 0.0822477963231}, {0.34, 0.0758530743536}, {0.20, 0.0642797704483}, {0.11, 0.0307222322684}},
                {{0.657142857143, 0.147710094998},
                 {0.794117647059, 0.116547913524},
                 {0.300000000000, 0.150410826295},
                 {0.636363636364, 0.162279671466}},
                {{0.741935483871, 0.164542017606},
                 {0.574468085106, 0.124782247240},
                 {0.500000000000, 0.215111943295},
                 {0.700000000000, 0.152676127800}});
  check(estimate.shares(2, 1), 0.08);  // map B, reference C
  CHECK(estimate.single_unit_strata.empty());
}

TEST_CASE("more strata than classes") {
  const AreaEstimate estimate = estimate_areas(stehman_strata(true), true);
  check(estimate.overall_accuracy, 0.63, 0.0670693670762);
  check_classes(estimate,
                {{0.35, 0.0640210902750}, {0.34, 0.0728653247818}, {0.20, 0.0607252464429}, {0.11, 0.0307222322684}},
                {{0.657142857143, 0.119522037628},
                 {0.794117647059, 0.119213436443},
                 {0.300000000000, 0.147049878159},
                 {0.636363636364, 0.162279671466}},
                {{0.741935483871, 0.119864263078},
                 {0.574468085106, 0.126056425192},
                 {0.500000000000, 0.215111943295},
                 {0.700000000000, 0.152676127800}});
}

TEST_CASE("a census has no error, and one stratum is the simple random sample of the textbooks") {
  const CountMatrix counts = table(2, {20, 10, 5, 15});
  Stratum all{"all", (CountVector(2) << 30, 20).finished(), counts};
  const AreaEstimate census = estimate_areas({all}, true);
  CHECK(census.overall_accuracy.value == doctest::Approx(0.7));
  CHECK(census.overall_accuracy.standard_error == 0);
  CHECK_FALSE(census.overall_accuracy.interval);
  all.map_pixels << 30000, 20000;
  const AreaEstimate sample = estimate_areas({all}, false);
  CHECK(sample.classes[0].share.value == doctest::Approx(0.5));
  CHECK(sample.classes[0].share.standard_error == doctest::Approx(std::sqrt(0.25 / 49)));
}

TEST_CASE("one unit in a stratum is flagged and widens intervals instead of closing them") {
  std::vector<Stratum> strata = strata_of_map({100, 900}, table(2, {1, 0, 10, 80}));
  const AreaEstimate estimate = estimate_areas(strata, false);
  CHECK(estimate.single_unit_strata == std::vector<std::string>{"1"});
  CHECK(estimate.classes[0].users_accuracy->value == 1);
  CHECK(estimate.classes[0].users_accuracy->standard_error == doctest::Approx(0.5));
  CHECK(estimate.classes[0].users_accuracy->interval->low == doctest::Approx(1 - 0.5 * normal_quantile()));
  // The other class's user's accuracy does not hang on that stratum; all shares do.
  CHECK(estimate.classes[1].users_accuracy->standard_error == doctest::Approx(std::sqrt(8.0 / 81 / 89)));
  const double from_other = 0.9 * 0.9 * (8.0 / 81) / 89;
  CHECK(estimate.classes[0].share.standard_error == doctest::Approx(std::sqrt(0.1 * 0.1 * 0.25 + from_other)));
}

TEST_CASE("units that all agree give no interval of zero width") {
  const AreaEstimate estimate = estimate_areas(strata_of_map({100, 900}, table(2, {2, 0, 0, 2})), false);
  CHECK(estimate.overall_accuracy.value == 1);
  CHECK(estimate.overall_accuracy.standard_error == 0);
  CHECK_FALSE(estimate.overall_accuracy.interval);
  CHECK_FALSE(estimate.classes[0].users_accuracy->interval);
}

TEST_CASE("classes without units have no accuracy, and strata without them are refused") {
  const AreaEstimate estimate =
      estimate_areas(strata_of_map({100, 900, 0}, table(3, {5, 1, 0, 0, 9, 0, 0, 0, 0})), false);
  CHECK_FALSE(estimate.classes[2].producers_accuracy);
  CHECK_FALSE(estimate.classes[2].users_accuracy);
  CHECK(estimate.classes[2].share.value == 0);
  CHECK_THROWS_WITH_AS(estimate_areas(strata_of_map({100, 900}, table(2, {5, 1, 0, 0})), false),
                       "stratum '2' has 900 pixels and no sample unit; a stratified sample has some in every stratum",
                       DataError);
  CHECK_THROWS_AS(estimate_areas(strata_of_map({0, 0}, table(2, {0, 0, 0, 0})), false), DataError);
}

TEST_CASE("small strata are merged, smallest first, the others kept") {
  const CountMatrix counts = table(4, {30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 1});
  const std::vector<Stratum> merged = merge_small_strata(strata_of_map({900, 70, 60, 50}, counts));
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].name == "1");
  CHECK(merged[1].name == "2 + 4 + 3");
  CHECK(merged[1].pixels() == 180);
  CHECK(merged[1].sample_size() == 6);
  CHECK(merge_small_strata(strata_of_map({0, 70, 60, 50}, counts)).size() == 1);
  CHECK_THROWS_WITH_AS(merge_small_strata(strata_of_map({5, 5}, table(2, {1, 0, 0, 0}))),
                       "areas cannot be estimated from 1 sample units; two are the least", DataError);
}

TEST_CASE("over many samples the estimates are unbiased and their errors are those observed") {
  // A population of 2 x 2 cells, sampled with equal numbers of each map class.
  const CountMatrix population = table(2, {900, 100, 500, 8500});
  Random random(11);
  double sum = 0;
  double squares = 0;
  double error = 0;
  constexpr int kSamples = 2000;
  for (int i = 0; i < kSamples; ++i) {
    CountMatrix counts = CountMatrix::Zero(2, 2);
    for (Index map = 0; map < 2; ++map) {
      const auto size = static_cast<double>(population.col(map).sum());
      counts(0, map) = random.binomial(60, static_cast<double>(population(0, map)) / size);
      counts(1, map) = 60 - counts(0, map);
    }
    const Estimate share = estimate_areas(strata_of_map({1000, 9000}, counts), false).classes[0].share;
    sum += share.value;
    squares += share.value * share.value;
    error += share.standard_error * share.standard_error;
  }
  const double mean = sum / kSamples;
  CHECK(mean == doctest::Approx(0.14).epsilon(0.01));
  CHECK(error / kSamples == doctest::Approx(squares / kSamples - mean * mean).epsilon(0.1));
}

namespace {

using test::kForestAndWater;
using test::MemoryMap;
using test::reference;

// 10 x 10: 60 pixels of forest, 30 of water, 10 unclassified.
MemoryMap map_of_rows() {
  std::vector<std::uint16_t> codes(100, 1);
  std::fill(codes.begin() + 60, codes.begin() + 90, 2);
  std::fill(codes.begin() + 90, codes.end(), 0);
  return {10, codes, kForestAndWater, true};
}

// Of the first pixels of rows 0, 1, ... 9 the sixth is water by the reference, all others what the map says.
LabelledPixels rows_of_reference() {
  std::vector<LabelledPixel> pixels;
  for (std::int64_t row = 0; row < 10; ++row) {
    pixels.push_back({row * 10, row < 5 ? 0 : 1, 0});
  }
  return reference(kForestAndWater, pixels, false);
}

AreaAssessment assess(MemoryMap& map, const LabelledPixels& labels, SamplingDesign design,
                      ClassMapSource* strata = nullptr) {
  return assess_areas(map, labels, compare(map, labels, "labels"), design, strata, std::nullopt);
}

void sort_pixels(LabelledPixels& labels) {
  std::sort(labels.pixels.begin(), labels.pixels.end(), [](auto& a, auto& b) { return a.pixel < b.pixel; });
}

}  // namespace

TEST_CASE("the map's classes are strata of their sizes, and unclassified pixels are none") {
  MemoryMap map = map_of_rows();
  const AreaAssessment areas = assess(map, rows_of_reference(), SamplingDesign::stratified);
  CHECK(areas.estimate.pixels == 90);
  CHECK(areas.unclassified_pixels == 10);
  CHECK(areas.estimate.classes[0].mapped_share == doctest::Approx(60.0 / 90));
  CHECK(areas.estimate.classes[0].share.value == doctest::Approx(50.0 / 90));
  CHECK(areas.estimate.classes[0].users_accuracy->value == doctest::Approx(5.0 / 6));
  CHECK(areas.estimate.classes[1].producers_accuracy->value == doctest::Approx(30.0 / 40));
  CHECK_FALSE(areas.strata);
  CHECK_FALSE(areas.pixel_area);
  // A simple sample with units in every class is evaluated alike.
  CHECK(assess(map, rows_of_reference(), SamplingDesign::simple).estimate.overall_accuracy.standard_error ==
        areas.estimate.overall_accuracy.standard_error);
}

TEST_CASE("a class without units is refused in a stratified sample and merged in a simple one") {
  MemoryMap map = map_of_rows();
  LabelledPixels labels = rows_of_reference();
  labels.pixels.resize(6);
  CHECK(message_of([&] { assess(map, labels, SamplingDesign::stratified); }) ==
        "stratum 'water' has 30 pixels and no sample unit; a stratified sample has some in every stratum");
  const AreaAssessment areas = assess(map, labels, SamplingDesign::simple);
  CHECK(areas.merged_strata == std::vector<std::string>{"forest + water"});
  CHECK(areas.estimate.classes[0].share.value == doctest::Approx(5.0 / 6));
}

TEST_CASE("strata of their own are read beside the map") {
  MemoryMap map = map_of_rows();
  // Left half 7, right half 9, the last column none.
  std::vector<std::uint16_t> codes(100, 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = i % 10 < 5 ? 7 : i % 10 < 9 ? 9 : 0;
  }
  MemoryMap strata(10, codes, {{7, "left", {}}, {9, "right", {}}}, true, "strata.tif");
  LabelledPixels labels = rows_of_reference();
  const std::size_t left = labels.pixels.size();
  for (std::size_t i = 0; i < left; ++i) {
    labels.pixels.push_back({labels.pixels[i].pixel + 6, 0, 0});
  }
  sort_pixels(labels);
  const AreaAssessment areas = assess(map, labels, SamplingDesign::stratified, &strata);
  CHECK(areas.strata == "strata.tif");
  CHECK(areas.estimate.pixels == 81);
  CHECK(areas.pixels_outside_strata == 9);
  CHECK(areas.unclassified_pixels == 10);
  // Left: 45 pixels, 5 of 9 units are forest; right: 36 pixels, all units are.
  CHECK(areas.estimate.classes[0].share.value == doctest::Approx((45 * 5.0 / 9 + 36) / 81));
  const double variance = 45 * 45 * (1 - 9.0 / 45) * (5.0 / 9 * 4 / 9 * 9 / 8) / 9;
  CHECK(areas.estimate.classes[0].share.standard_error == doctest::Approx(std::sqrt(variance) / 81));

  labels.pixels[0].pixel = 9;
  sort_pixels(labels);
  CHECK(message_of([&] { assess(map, labels, SamplingDesign::stratified, &strata); }) ==
        "strata.tif has no stratum at column 9, row 0, where the reference has a pixel; every unit of a stratified "
        "sample belongs to a stratum");
}

TEST_CASE("areas are hectares, square metres below one, and pixels where their size is unknown") {
  AreaAssessment areas = test::small_areas();
  CHECK(area_unit(areas).name == "ha");
  CHECK(area_unit(areas).factor == doctest::Approx(36));
  areas.pixel_area = 1;
  CHECK(area_unit(areas).name == "m2");
  CHECK(area_unit(areas).factor == 400);
  areas.pixel_area.reset();
  CHECK(area_unit(areas).name == "pixels");
  CHECK(area_unit(areas).factor == 400);
}

}  // namespace parsimap::test
