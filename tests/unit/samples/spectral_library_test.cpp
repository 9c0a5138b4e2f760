#include "parsimap/samples/spectral_library.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_library.hpp"

namespace parsimap::test {

TEST_CASE("attributes of libraries that are joined lie in columns of their names") {
  SpectralLibrary first = toy::library();
  SpectralLibrary second = toy::library();
  second.attributes = {"level", "class"};
  second.values = {{"1", "a"}, {"2", "b"}, {"3", "c"}};
  append(first, second);
  CHECK(first.size() == 6);
  CHECK(first.attributes == std::vector<std::string>{"class", "note", "level"});
  CHECK(first.values[0] == std::vector<std::string>{"tree", "", ""});
  CHECK(first.values[4] == std::vector<std::string>{"b", "", "2"});
  CHECK(first.names[5] == "sand");
  CHECK(first.spectra(4, 1) == 4);
  check_library(first);
}

TEST_CASE("bands are the same by their wavelengths, or by their number where there are none") {
  BandTable first = toy::library().bands;
  BandTable second = first;
  second[0].wavelength = 450.005;
  CHECK(same_wavelengths(first, second));
  second[0].wavelength = 450.02;
  CHECK_FALSE(same_wavelengths(first, second));
  second[0].wavelength.reset();
  CHECK_FALSE(same_wavelengths(first, second));
  CHECK(same_wavelengths(BandTable(2), BandTable(2)));
  CHECK_FALSE(same_wavelengths(BandTable(2), BandTable(3)));
  CHECK_FALSE(same_wavelengths(BandTable(2), first));
  SpectralLibrary library = toy::library();
  SpectralLibrary other = toy::library();
  other.bands[1].wavelength = 600;
  CHECK_THROWS_AS(append(library, other), DataError);
}

TEST_CASE("an attribute is found by its name, whatever its case") {
  SpectralLibrary library = toy::library();
  library.attributes = {"Level", "NOTE"};
  CHECK(attribute_column(library, "Level") == 0);
  CHECK(attribute_column(library, "note") == 1);
  library.attributes = {"Note", "NOTE"};
  CHECK(attribute_column(library, "NOTE") == 1);
  CHECK_FALSE(attribute_column(library, "note"));
}

TEST_CASE("a part of a library has the names and attributes of its spectra") {
  const SpectralLibrary part = subset(toy::library(), {2, 0});
  CHECK(part.names == std::vector<std::string>{"sand", "oak"});
  CHECK(part.values[0][0] == "soil");
  CHECK(part.spectra(1, 1) == 2);
  check_library(part);
}

TEST_CASE("a library whose lists do not fit its spectra is refused") {
  SpectralLibrary library = toy::library();
  library.names.pop_back();
  CHECK_THROWS_AS(check_library(library), DataError);
  library = toy::library();
  library.values[1].pop_back();
  CHECK_THROWS_AS(check_library(library), DataError);
  CHECK_THROWS_AS(check_library(SpectralLibrary{}), DataError);
}

namespace {

// A library of straight lines: the value at a wavelength is the wavelength, and twice that.
SpectralLibrary lines(double first, double step, int bands) {
  SpectralLibrary library;
  library.path = "lines.sli";
  library.names = {"a", "b"};
  library.values.resize(2);
  library.spectra.resize(2, bands);
  for (int b = 0; b < bands; ++b) {
    const double wavelength = first + step * b;
    library.bands.push_back({.wavelength = wavelength, .fwhm = step});
    library.spectra(0, b) = static_cast<float>(wavelength);
    library.spectra(1, b) = static_cast<float>(2 * wavelength);
  }
  return library;
}

}  // namespace

TEST_CASE("the bands of another library are found, or computed by their widths") {
  SpectralLibrary coarse = lines(500, 10, 20);
  append_in_bands(coarse, lines(480, 2, 150));
  REQUIRE(coarse.size() == 4);
  for (Index b = 0; b < coarse.spectra.cols(); ++b) {
    CHECK(coarse.spectra(2, b) == doctest::Approx(coarse.spectra(0, b)).epsilon(1e-5));
    CHECK(coarse.spectra(3, b) == doctest::Approx(coarse.spectra(1, b)).epsilon(1e-5));
  }
  SpectralLibrary same = lines(500, 10, 20);
  append_in_bands(same, lines(500, 10, 20));
  CHECK(same.spectra.row(2) == same.spectra.row(0));
}

TEST_CASE("a band without a value makes none, and bands that are not covered are refused") {
  SpectralLibrary fine = lines(480, 2, 150);
  fine.spectra(0, 10) = std::nanf("");  // at 500 nm
  SpectralLibrary coarse = lines(500, 10, 20);
  append_in_bands(coarse, fine);
  CHECK(std::isnan(coarse.spectra(2, 0)));
  CHECK_FALSE(std::isnan(coarse.spectra(2, 10)));
  CHECK_FALSE(std::isnan(coarse.spectra(3, 0)));
  CHECK_THROWS_AS(append_in_bands(coarse, lines(600, 2, 20)), DataError);
}

namespace {

Band band_at(double wavelength, std::optional<double> width = {}) { return {.wavelength = wavelength, .fwhm = width}; }

BandTable regular(double first, double step, int count, std::optional<double> width = {}) {
  BandTable bands;
  for (int i = 0; i < count; ++i) {
    bands.push_back(band_at(first + step * i, width));
  }
  return bands;
}

Indices all_of(const BandTable& bands) {
  Indices indices(bands.size());
  std::iota(indices.begin(), indices.end(), Index{0});
  return indices;
}

WantedBands wanted(const BandTable& bands) {
  return {bands, all_of(bands), static_cast<Index>(bands.size()), "that the model uses", "the training scene"};
}

SpectralResampling resampled(const BandTable& scene, const BandTable& target) {
  return plan_resampling(wanted(target), scene, all_of(scene), "s.tif");
}

double value_of(const std::vector<BandWeight>& weights, const BandTable& scene,
                const std::function<double(double)>& spectrum) {
  double sum = 0;
  for (const BandWeight& entry : weights) {
    sum += entry.weight * spectrum(*scene[static_cast<std::size_t>(entry.band)].wavelength);
  }
  return sum;
}

// The weight of every knot by the sum of many small steps over the Gaussian.
Vector dense_weights(const std::vector<double>& knots, double centre, double sigma, double reach) {
  constexpr int kSteps = 200000;
  Vector weights = Vector::Zero(static_cast<Index>(knots.size()));
  for (int k = 0; k < kSteps; ++k) {
    const double x = centre - reach + 2 * reach * (k + 0.5) / kSteps;
    const double mass = std::exp(-0.5 * (x - centre) * (x - centre) / (sigma * sigma));
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      if (x >= knots[i] && x < knots[i + 1]) {
        const double right = (x - knots[i]) / (knots[i + 1] - knots[i]);
        weights(static_cast<Index>(i)) += mass * (1 - right);
        weights(static_cast<Index>(i) + 1) += mass * right;
      }
    }
  }
  return weights / weights.sum();
}

std::string refusal_of_resampling(const BandTable& scene, const BandTable& target) {
  try {
    resampled(scene, target);
  } catch (const DataError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

constexpr double kSigma = 1 / 2.3548200450309493;  // of a Gaussian of width 1

}  // namespace

TEST_CASE("a band at the place of one as wide is that band, and a narrower one lies on the line") {
  const BandTable scene = regular(400, 10, 60, 12.0);
  const SpectralResampling same = resampled(scene, scene);
  for (std::size_t i = 0; i < scene.size(); ++i) {
    REQUIRE(same.weights[i].size() == 1);
    CHECK(same.weights[i][0].band == static_cast<Index>(i));
    CHECK(same.weights[i][0].weight == 1);
  }
  CHECK(same.facts.largest_distance == 0);
  CHECK(same.facts.narrower == 0);
  const SpectralResampling narrow = resampled(scene, {band_at(432.5, 3.0), band_at(440, 3.0), band_at(398, 3.0)});
  REQUIRE(narrow.weights[0].size() == 2);
  CHECK(narrow.weights[0][0].band == 3);
  CHECK(narrow.weights[0][0].weight == 0.75);
  CHECK(narrow.weights[0][1].weight == 0.25);
  REQUIRE(narrow.weights[1].size() == 1);
  CHECK(narrow.weights[1][0].band == 4);
  REQUIRE(narrow.weights[2].size() == 1);
  CHECK(narrow.weights[2][0].band == 0);
  CHECK(narrow.facts.narrower == 3);
  CHECK(narrow.facts.largest_distance == 2.5);
  CHECK(narrow.facts.used_bands == 3);
}

TEST_CASE("weights of a wider band are the integrals over a Gaussian") {
  Random random(7);
  BandTable scene;
  std::vector<double> knots;
  for (double place = 500; place < 700; place += 4 + 8 * random.uniform()) {
    knots.push_back(place);
    scene.push_back(band_at(place, 9.0));
  }
  for (const double width : {9.5, 14.0, 30.0, 60.0}) {
    for (const double centre : {520.0, 555.5, 601.25, 660.0}) {
      const double sigma = std::sqrt(width * width - 81) * kSigma;
      const double reach = std::min({4 * sigma, centre - knots.front(), knots.back() - centre});
      const Vector expected = dense_weights(knots, centre, sigma, reach);
      Vector found = Vector::Zero(expected.size());
      const SpectralResampling plan = resampled(scene, {band_at(centre, width)});
      for (const BandWeight& entry : plan.weights[0]) {
        found(entry.band) = entry.weight;
      }
      CAPTURE(width);
      CAPTURE(centre);
      CHECK((found - expected).cwiseAbs().maxCoeff() < 1e-5);
      CHECK(std::abs(found.sum() - 1) < 1e-14);
      CHECK(found.minCoeff() >= 0);
    }
  }
}

TEST_CASE("the weight of the band in the middle, in closed form") {
  // Bands 10 nm apart and 10 nm wide; the mean of the hat function 1 - |x| / 10 under a Gaussian.
  const SpectralResampling wide = resampled(regular(400, 10, 41, 10.0), {band_at(600, std::sqrt(200.0))});
  const double sigma = 10 * kSigma;
  const double z = 10 / sigma;
  const double mass = std::erf(z / std::sqrt(2.0));
  const double moment = 2 * sigma * (1 - std::exp(-z * z / 2)) / std::sqrt(2 * M_PI);
  const double whole = std::erf(4 / std::sqrt(2.0));
  double found = 0;
  for (const BandWeight& entry : wide.weights[0]) {
    found = entry.band == 20 ? entry.weight : found;
  }
  CHECK(std::abs(found - (mass - moment / 10) / whole) < 1e-14);
}

TEST_CASE("straight lines stay, in any order of the bands, and units of length do not count") {
  Random random(11);
  BandTable scene;
  for (double place = 400; place < 2500; place += 5 + 5 * random.uniform()) {
    scene.push_back(band_at(place, 6 + 6 * random.uniform()));
  }
  const BandTable target = regular(420, 7.3, 280, 16.0);
  const auto line = [](double x) { return 3000 - 0.7 * x; };
  const SpectralResampling plan = resampled(scene, target);
  for (std::size_t i = 0; i < target.size(); ++i) {
    CHECK(std::abs(value_of(plan.weights[i], scene, line) - line(*target[i].wavelength)) < 1e-9);
  }
  BandTable reversed(scene.rbegin(), scene.rend());
  const SpectralResampling turned = resampled(reversed, target);
  for (std::size_t i = 0; i < target.size(); ++i) {
    REQUIRE(turned.weights[i].size() == plan.weights[i].size());
    for (std::size_t k = 0; k < plan.weights[i].size(); ++k) {
      CHECK(turned.weights[i][k].weight == plan.weights[i][k].weight);
      CHECK(turned.weights[i][k].band == static_cast<Index>(scene.size()) - 1 - plan.weights[i][k].band);
    }
  }
}

TEST_CASE("a Gaussian feature gets the width of both") {
  // A spectrum with a Gaussian peak, measured with bands of 5 nm, is what bands of 15 nm see of it.
  const BandTable scene = regular(500, 2, 101, 5.0);
  const BandTable target = regular(560, 10, 9, 15.0);
  const auto seen = [](double width) {
    return [width](double x) {
      const double variance = 64 + width * width * kSigma * kSigma;
      return 8 / std::sqrt(variance) * std::exp(-(x - 600) * (x - 600) / (2 * variance));
    };
  };
  const SpectralResampling plan = resampled(scene, target);
  for (std::size_t i = 0; i < target.size(); ++i) {
    CHECK(std::abs(value_of(plan.weights[i], scene, seen(5)) - seen(15)(*target[i].wavelength)) < 0.005);
  }
}

TEST_CASE("without widths the way to the next band counts, whatever lies between") {
  const BandTable plain = regular(400, 10, 60);
  CHECK(resampled(plain, plain).weights[7].size() == 1);
  // Two bands of a scene with bands every 10 nm, of which the others are not used.
  const BandTable two = {plain[10], plain[20]};
  const WantedBands part{two, {10, 20}, 60, "that the model uses", "the training scene"};
  CHECK(plan_resampling(part, plain, all_of(plain), "s.tif").weights[0].size() == 1);
  CHECK(plan_resampling(wanted(two), plain, all_of(plain), "s.tif").weights[0].size() > 10);
}

TEST_CASE("bands that the scene does not cover are listed") {
  BandTable scene = regular(400, 10, 100, 10.0);
  CHECK(refusal_of_resampling(scene, regular(395, 10, 101, 10.0)) == "nothing was thrown");
  CHECK(refusal_of_resampling(scene, {band_at(394.5, 10.0), band_at(500, 10.0), band_at(1396, 10.0)}) ==
        "s.tif cannot be resampled: it has no bands near enough for 2 of the 3 bands that the model uses, at 394.5 nm, "
        "1396 nm; training can do without them (--exclude-bands)");
  // Half of a wide band lies outside.
  CHECK(refusal_of_resampling(scene, {band_at(410, 300.0)}) == "nothing was thrown");
  CHECK(refusal_of_resampling(scene, {band_at(394, 300.0)}).find("at 394 nm") != std::string::npos);
  // Two bands are missing: a line; three: a gap. A band that is wide enough does not mind.
  scene.erase(scene.begin() + 10, scene.begin() + 12);
  CHECK(refusal_of_resampling(scene, {band_at(505, 10.0)}) == "nothing was thrown");
  scene.erase(scene.begin() + 10);
  CHECK(refusal_of_resampling(scene, {band_at(510, 10.0)}).find("at 510 nm") != std::string::npos);
  CHECK(refusal_of_resampling(scene, {band_at(510, 45.0)}) == "nothing was thrown");
  CHECK(refusal_of_resampling(scene, {band_at(494, 10.0)}) == "nothing was thrown");
  // A few wide bands far apart draw no line.
  CHECK(refusal_of_resampling({band_at(660, 40.0), band_at(860, 100.0), band_at(1600, 200.0)}, {band_at(760, 10.0)}) !=
        "nothing was thrown");
  // Wide bands that touch do, but not bands of which nothing says that they do.
  CHECK(refusal_of_resampling(regular(600, 190, 3, 200.0), {band_at(700, 10.0)}) == "nothing was thrown");
  CHECK(refusal_of_resampling(regular(600, 190, 3), {band_at(700, 10.0)}) != "nothing was thrown");
  CHECK(refusal_of_resampling(scene, regular(2000, 10, 30, 10.0)).find("2190 nm and 10 more;") != std::string::npos);
}

TEST_CASE("what cannot be resampled is reported") {
  const BandTable scene = regular(400, 10, 10);
  BandTable target = regular(400, 10, 5);
  target[1].wavelength.reset();
  target[2].wavelength.reset();
  CHECK(refusal_of_resampling(scene, target) ==
        "resampling needs wavelengths, which of the bands that the model uses are not known for 2 of 5; of the "
        "training scene these are the bands 2-3");
  CHECK(refusal_of_resampling(BandTable(4), scene) ==
        "s.tif does not state the wavelengths of its bands, which resampling needs");
  CHECK(refusal_of_resampling({band_at(400), band_at(410), band_at(400)}, {band_at(402)}) ==
        "s.tif: bands 1 and 3 are both at 400 nm; a stack of several spectra, such as of several dates, cannot be "
        "resampled");
  CHECK(refusal_of_resampling(scene, {band_at(400), band_at(405), band_at(400)})
            .starts_with("the training scene: bands 1 and 3 are both at 400 nm"));
}

TEST_CASE("only usable bands count, and a scene of one band has that") {
  const BandTable scene = regular(400, 10, 10, 10.0);
  const SpectralResampling plan = plan_resampling(wanted({band_at(420, 10.0)}), scene, {0, 1, 3, 4}, "s.tif");
  REQUIRE(plan.weights[0].size() == 2);
  CHECK(plan.weights[0][0].band == 1);
  CHECK(plan.weights[0][1].band == 3);
  CHECK(resampled({band_at(500, 10.0)}, {band_at(502, 10.0)}).weights[0].size() == 1);
  CHECK(resampled({band_at(500)}, {band_at(500)}).weights[0].size() == 1);
}

TEST_CASE("the facts of a resampling in words") {
  CHECK(
      resampling_text({"b.tif", 224, 190, 177, 12, 3.14159}) ==
      "190 of the 224 bands of b.tif were resampled to 177 by their widths, at most 3.14 nm from the nearest of them; "
      "12 are narrower than those of b.tif, whose width they have now");
}

}  // namespace parsimap::test
