#include "report/spectra_drawing.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

using namespace parsimap;

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
