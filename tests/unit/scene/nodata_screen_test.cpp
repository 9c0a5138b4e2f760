#include "parsimap/scene/nodata_screen.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/scene/memory_scene.hpp"

#include "support/spectra.hpp"

using namespace parsimap;

namespace {

constexpr ValueRange kKnown{-1, 2, false, false, 0};

// A scene of one row and four bands; a band has the scale and offset that its values were read with.
class RowScene final : public SceneSource {
 public:
  RowScene(Spectra values, BandTable bands) : values_(std::move(values)), bands_(std::move(bands)) {
    grid_.width = values_.rows();
    grid_.height = 1;
  }
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const BandTable& bands() const override { return bands_; }
  [[nodiscard]] Index block_width() const override { return grid_.width; }
  [[nodiscard]] Index block_height() const override { return 1; }
  [[nodiscard]] bool known_empty(const Window&) const override { return false; }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    values = values_(Eigen::seqN(window.column, window.width), bands);
  }

 private:
  std::string name_ = "row";
  RasterGrid grid_;
  Spectra values_;
  BandTable bands_;
};

// Whether each spectrum (a row of `values`) is left out.
std::vector<bool> left_out(const Spectra& values, const ValueRange& known, bool signed_bytes = false,
                           BandTable bands = {}) {
  bands.resize(static_cast<std::size_t>(values.cols()));
  NodataScreen screen(std::make_unique<RowScene>(values, bands), known, signed_bytes);
  const Spectra read = test::values_of(screen);
  std::vector<bool> result;
  for (Index i = 0; i < read.rows(); ++i) {
    result.push_back(read.row(i).array().isNaN().all());
    CHECK((result.back() || read.row(i) == values.row(i)));
  }
  CHECK(screen.left_out() == std::count(result.begin(), result.end(), true));
  return result;
}

}  // namespace

TEST_CASE("pixels of one value that is 0 or far from the training values hold no data") {
  Spectra values(6, 4);
  values << 0, 0, 0, 0,            // left out
      -9999, -9999, -9999, -9999,  // left out
      65535, 65535, 65535, 65535,  // left out
      0.5F, 0.5F, 0.5F, 0.5F,      // one value of those that are known
      0, 0, 0, 0.1F,               // not all bands
      3, 4, 3, 0.5F;               // not all bands
  CHECK(left_out(values, kKnown) == std::vector<bool>{true, true, true, false, false, false});
  CHECK(left_out(values, {-1, 2, true, false, 1}) == std::vector<bool>{false, true, true, false, false, false});
  Spectra scaled(1, 4);
  scaled << 3000, 4000, 3500, 2000;  // other units, which is refused elsewhere
  CHECK(left_out(scaled, kKnown) == std::vector<bool>{false});
  CHECK(left_out(values, {-20000, 70000, false, false, 0}) ==
        std::vector<bool>{true, false, false, false, false, false});
}

TEST_CASE("fill that differs from band to band holds no data where measurements are mostly above 0") {
  Spectra values(5, 4);
  values << -0.97F, -0.98F, -1.01F, -1.03F,    // -0.9999 by a factor of each band, with training values from 0 to 0.6
      -4999.7F, -4999.6F, -4999.8F, -4999.5F,  // half -9999 and half data
      -0.7F, -0.8F, -0.7F, -0.59F,             // not all bands
      -0.7F, 0.3F, -0.7F, -0.7F,               // not all bands
      1.3F, 1.4F, 1.5F, 1.3F;                  // bright
  CHECK(left_out(values, {-0.6, 1.2, false, false, 0}) == std::vector<bool>{true, true, false, false, false});
  // Measurements of both signs or below 0, such as decibels, may be in another unit, which is refused elsewhere.
  CHECK(left_out(values, {-0.6, 0.6, false, false, 0}) == std::vector<bool>{false, false, false, false, false});
  CHECK(left_out(values, {-0.5, -0.3, false, false, 0}) == std::vector<bool>{false, false, false, false, false});
}

TEST_CASE("a value in some bands that stands for fill leaves the pixel out, and 0 in some is counted") {
  const auto screened = [](float value, const ValueRange& known, double scale = 1) {
    BandTable bands(4);
    bands[2].scale = scale;
    Spectra values = Spectra::Constant(1, 4, 0.5F);
    values(0, 2) = static_cast<float>(value * scale);
    NodataScreen screen(std::make_unique<RowScene>(values, bands), known, false);
    Spectra read;
    screen.read({0, 0, 1, 1}, {0, 1, 2, 3}, read);
    CHECK(screen.left_out() == screen.partly_filled());
    CHECK(read.hasNaN() == (screen.left_out() == 1));
    return std::pair(screen.partly_filled(), screen.partly_zero().count);
  };
  using Counts = std::pair<std::int64_t, std::int64_t>;
  const ValueRange integers{-5000, 10000, false, false, 0};
  for (const float fill : {-9999.F, -32768.F, 1e20F, -3.4e38F}) {
    CHECK(screened(fill, kKnown) == Counts(1, 0));
    CHECK(screened(fill, integers) == Counts(1, 0));
  }
  CHECK(screened(-9999, {-0.5, 1, false, false, 0}, 1e-4) == Counts(1, 0));  // by the number that is stored
  CHECK(screened(-9998, integers) == Counts(0, 0));                          // unusual, and not too far away
  CHECK(screened(-999, integers) == Counts(0, 0));                           // one of the known values
  CHECK(screened(65535, integers) == Counts(0, 0));                          // may be saturated
  CHECK(screened(0, {-0.5, 1.3, false, false, 0}) == Counts(0, 1));          // training values from 0.1
  CHECK(screened(0, kKnown) == Counts(0, 0));                                // from 0
}

TEST_CASE("the bands that are 0 in pixels of data are known") {
  Spectra values = Spectra::Constant(3, 4, 0.5F);
  values(0, 2) = values(1, 2) = values(1, 3) = 0;
  NodataScreen screen(std::make_unique<RowScene>(values, BandTable(4)), {-0.5, 1.3, false, false, 0}, false);
  Spectra read;
  screen.read({0, 0, 3, 1}, {0, 1, 2, 3}, read);
  CHECK(read == values);
  CHECK(screen.partly_zero().count == 2);
  CHECK(screen.partly_zero().bands == Indices{0, 1, 2, 3});
  CHECK(screen.partly_zero().missing == Indices{0, 0, 2, 1});
  screen.count({0, 0, 3, 1});
  CHECK(screen.partly_zero().count == 0);
}

TEST_CASE("the lowest value of signed bytes is no data where it is in all bands") {
  Spectra values(2, 4);
  values << -128, -128, -128, -128, -128, -128, -128, -127;
  const ValueRange wide{-400, 400, false, false, 0};
  CHECK(left_out(values, wide) == std::vector<bool>{false, false});
  CHECK(left_out(values, wide, true) == std::vector<bool>{true, false});
  CHECK(left_out(values, {-400, 400, false, true, 1}, true) == std::vector<bool>{false, false});
}

TEST_CASE("one stored value counts where the bands have scales of their own") {
  BandTable bands(4);
  Spectra values(3, 4);
  for (std::size_t b = 0; b < bands.size(); ++b) {
    bands[b].scale = 0.01 * static_cast<double>(b + 1);
    bands[b].offset = 0.1;
    const auto column = static_cast<Index>(b);
    values(0, column) = static_cast<float>(-9999 * bands[b].scale + bands[b].offset);
    values(1, column) = static_cast<float>(0 * bands[b].scale + bands[b].offset);
    values(2, column) = static_cast<float>(17 * bands[b].scale + bands[b].offset);
  }
  CHECK(left_out(values, kKnown, false, bands) == std::vector<bool>{true, true, false});
}

TEST_CASE("pictures and scenes of one band are not screened, and pixels read again count once") {
  const Spectra zeros = Spectra::Zero(3, 5);
  NodataScreen screen(std::make_unique<RowScene>(zeros, BandTable(5)), kKnown, false);
  Spectra read;
  screen.read({0, 0, 3, 1}, {0, 1, 2}, read);
  CHECK(read == zeros.leftCols(3));
  CHECK(screen.left_out() == 0);
  screen.read({1, 0, 1, 1}, {0, 1, 2, 3}, read);
  screen.read({0, 0, 3, 1}, {0, 1, 2, 3, 4}, read);
  CHECK(read.array().isNaN().all());
  CHECK(screen.left_out() == 3);
  screen.count({0, 0, 0, 0});
  screen.read({0, 0, 3, 1}, {0, 1, 2, 3, 4}, read);
  CHECK(screen.left_out() == 0);
  // Of a part of the scene.
  screen.count({1, 0, 2, 1});
  screen.read({0, 0, 3, 1}, {0, 1, 2, 3, 4}, read);
  CHECK(screen.left_out() == 2);
  CHECK(left_out(Spectra::Zero(2, 1), kKnown) == std::vector<bool>{false, false});
}

TEST_CASE("a declared value is no data in every band by itself, as it is stored") {
  BandTable bands(2);
  bands[1].scale = 0.5;
  Spectra values(2, 2);
  values << 4, 2, 3, 4;
  const auto scene = declare_nodata(std::make_unique<RowScene>(values, bands), 4);
  Spectra read;
  scene->read({0, 0, 2, 1}, {1, 0}, read);
  CHECK(std::isnan(read(0, 0)));
  CHECK(std::isnan(read(0, 1)));
  CHECK(read(1, 0) == 4);
  CHECK(read(1, 1) == 3);
}

TEST_CASE("the range of values reaches as far beyond them as they span") {
  Matrix spectra(3, 4);
  spectra << 1, 2, 3, 5, 0, 0, 0, 0, 2, 2, 2, 2;
  const ValueRange range = range_of_values(spectra, BandTable(4));
  CHECK(range.low == -5);
  CHECK(range.high == 10);
  CHECK(range.zero);
  CHECK_FALSE(range.lowest);
  CHECK(range.alike_samples == 2);
  CHECK(range_of_values(Matrix::Constant(1, 4, -128), BandTable(4)).lowest);
  CHECK(range_of_values(spectra.topRows(1), BandTable(4)).alike_samples == 0);
}

TEST_CASE("pixels within the known range are screened like others") {
  // A scene of signed bytes, whose lowest value is known, has the same rules and no short cut.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> choices = {0.5F, 0, -1, 2, 2.0001F, -9999, 1e6F, nan, HUGE_VALF, 1.5F};
  Spectra values(10000, 4);
  for (Index i = 0; i < values.rows(); ++i) {
    Index rest = i;
    for (Index band = 0; band < 4; ++band, rest /= 10) {
      values(i, band) = choices[static_cast<std::size_t>(rest % 10)];
    }
  }
  for (const ValueRange& known : {kKnown, ValueRange{0.25, 2, false, false, 0}, ValueRange{-1, 2, true, false, 0}}) {
    ValueRange with_lowest = known;
    with_lowest.lowest = true;
    NodataScreen one(std::make_unique<RowScene>(values, BandTable(4)), known, false);
    NodataScreen other(std::make_unique<RowScene>(values, BandTable(4)), with_lowest, true);
    CHECK(test::same_values(test::values_of(one), test::values_of(other)));
    CHECK(one.left_out() == other.left_out());
    CHECK(one.partly_filled() == other.partly_filled());
    CHECK(one.partly_zero().count == other.partly_zero().count);
  }
}
