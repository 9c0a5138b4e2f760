#include "parsimap/spatial/regularisation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "parsimap/core/error.hpp"

#include "random_picture.hpp"

namespace parsimap::test {
namespace {

// p' of a pixel by the definition, with exponentials of distances in two dimensions.
Vector regularised_by_definition(const Picture& picture, Index column, Index row, const Regularisation& rule) {
  const auto reach = static_cast<Index>(std::ceil(3 * rule.sigma));
  Vector sum = Vector::Zero(picture.classes());
  double weight = 0;
  for (Index y = 0; y < picture.height(); ++y) {
    for (Index x = 0; x < picture.width(); ++x) {
      const bool self = x == column && y == row;
      if (!picture.valid(x, y) || std::abs(x - column) > reach || std::abs(y - row) > reach ||
          (self && rule.method == RegularisationMethod::neighbours)) {
        continue;
      }
      const double g = std::exp(-static_cast<double>((x - column) * (x - column) + (y - row) * (y - row)) /
                                (2 * rule.sigma * rule.sigma));
      sum += g * picture.probabilities(x, y);
      weight += g;
    }
  }
  const bool gaussian = rule.method == RegularisationMethod::gaussian;
  const bool sure = picture.probabilities(column, row).maxCoeff() > rule.keep;
  if (gaussian && !sure) {
    return sum / weight;
  }
  if (gaussian || weight == 0) {
    return picture.probabilities(column, row);
  }
  const auto classes = static_cast<double>(picture.classes());
  const Vector prior = (0.9 * classes * sum / weight).array() + 0.1;
  const Vector product = picture.probabilities(column, row).array() * prior.array().pow(rule.strength);
  return product / product.sum();
}

std::string refusal_of_rule(const std::string& text) {
  try {
    parse_regularisation(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("regularised probabilities are those of the definition") {
  for (const double holes : {0.0, 0.4}) {
    const Picture picture(19, 14, 4, holes);
    const PixelBlock block = picture.block(6);
    for (const Regularisation& rule : {Regularisation{RegularisationMethod::gaussian, 1.5, 2},
                                       {RegularisationMethod::gaussian, 0.3, 2},
                                       {RegularisationMethod::gaussian, 1.5, 2, 0.6},
                                       {RegularisationMethod::neighbours, 0.7, 1},
                                       {RegularisationMethod::neighbours, 2, 3}}) {
      ValidPixels pixels;
      Spectra found;
      regularise(block, {1, 0, 17, 14}, 4, rule, 2, pixels, found);
      CHECK(pixels.positions.empty() == (holes == 0));
      for (Index i = 0; i < found.rows(); ++i) {
        const Index position = pixels.position(i);
        const Vector expected =
            regularised_by_definition(picture, pixels.window.column + position % pixels.window.width,
                                      pixels.window.row + position / pixels.window.width, rule);
        REQUIRE((found.row(i).transpose().cast<double>() - expected).cwiseAbs().maxCoeff() < 2e-5);
      }
    }
  }
}

TEST_CASE("neighbours correct a lone pixel and leave a line, which a mean takes away") {
  // Class 1 everywhere, class 2 along a row and in one pixel; all equally sure.
  PixelBlock block(21, 21, 2, 9);
  block.reset({0, 0, 21, 21});
  Spectra values(21 * 21, 2);
  for (Index i = 0; i < values.rows(); ++i) {
    const bool second = i / 21 == 10 || i == 4 * 21 + 5;
    values.row(i) << (second ? 0.1F : 0.9F), (second ? 0.9F : 0.1F);
  }
  block.fill({block.window(), {}}, values);
  ValidPixels pixels;
  Spectra found;
  regularise(block, block.window(), 2, {RegularisationMethod::neighbours, 1, 2}, 1, pixels, found);
  CHECK(found(4 * 21 + 5, 0) > 0.5F);
  CHECK(found.row(4 * 21 + 15)[0] > 0.98F);
  CHECK(found.col(1).segment(10 * 21, 21).minCoeff() > 0.5F);
  regularise(block, block.window(), 2, {RegularisationMethod::gaussian, 1.5, 2}, 1, pixels, found);
  CHECK(found(4 * 21 + 5, 0) > 0.5F);
  CHECK(found.col(1).segment(10 * 21, 21).maxCoeff() < 0.5F);
  // Pixels that are sure of their class can be kept: the line, and the lone pixel with it.
  regularise(block, block.window(), 2, parse_regularisation("gaussian:1.5:0.85"), 1, pixels, found);
  CHECK(found == values);
}

TEST_CASE("a pixel without neighbours keeps its probabilities") {
  PixelBlock block(9, 9, 3, 3);
  block.reset({0, 0, 9, 9});
  const Spectra own{{0.2F, 0.5F, 0.3F}};
  block.fill({{4, 4, 1, 1}, {}}, own);
  for (const RegularisationMethod method : {RegularisationMethod::gaussian, RegularisationMethod::neighbours}) {
    ValidPixels pixels;
    Spectra found;
    regularise(block, block.window(), 3, {method, 1, 4}, 1, pixels, found);
    CHECK(pixels.window == Window{4, 4, 1, 1});
    CHECK(found == own);
  }
}

TEST_CASE("regularisations are read and written alike") {
  for (const std::string text : {"none", "auto", "gaussian:1.5", "gaussian:2:0.99", "neighbours:0.7:3"}) {
    CHECK(to_string(parse_regularisation(text)) == text);
  }
  CHECK(parse_regularisation("neighbours:1") == Regularisation{RegularisationMethod::neighbours, 1, 2});
  const std::string forms =
      " is unknown; it must be none, auto, gaussian:SIGMA[:KEEP] or neighbours:SIGMA[:STRENGTH], as in "
      "neighbours:1:2";
  CHECK(refusal_of_rule("majority:3") == "regularisation 'majority:3'" + forms);
  CHECK(refusal_of_rule("gaussian") == "regularisation 'gaussian'" + forms);
  CHECK(refusal_of_rule("gaussian:0.1") == "regularisation 'gaussian:0.1': '0.1' must be a number from 0.3 to 20");
  CHECK(refusal_of_rule("gaussian:1:2") == "regularisation 'gaussian:1:2': '2' must be a number from 0.5 to 1");
  CHECK(refusal_of_rule("neighbours:nan") == "regularisation 'neighbours:nan': 'nan' must be a number from 0.3 to 20");
  CHECK(refusal_of_rule("neighbours:1:9") == "regularisation 'neighbours:1:9': '9' must be a number from 1 to 8");
}

TEST_CASE("Gaussian sums are those of a double loop, at borders and holes too") {
  const Picture picture(23, 17, 3, 0.3);
  const PixelBlock block = picture.block(6);
  for (const double sigma : {0.4, 1.0, 2.0}) {
    const Index reach = gaussian_reach(sigma);
    const Window inner{2, 1, 20, 16};
    gaussian_sums(block, inner, sigma, 1, [&](Index row, const float* sums) {
      for (Index column = inner.column; column < inner.column + inner.width; ++column, sums += 4) {
        Vector expected = Vector::Zero(4);
        for (Index y = std::max<Index>(0, row - reach); y <= std::min<Index>(16, row + reach); ++y) {
          for (Index x = std::max<Index>(0, column - reach); x <= std::min<Index>(22, column + reach); ++x) {
            const auto distance = static_cast<double>((x - column) * (x - column) + (y - row) * (y - row));
            const double weight = picture.valid(x, y) ? std::exp(-0.5 * distance / (sigma * sigma)) : 0;
            expected += weight * picture.value_and_one(x, y);
          }
        }
        for (Index c = 0; c < 4; ++c) {
          REQUIRE(static_cast<double>(sums[c]) == doctest::Approx(expected[c]).epsilon(1e-5));
        }
      }
    });
  }
}

TEST_CASE("a sum is the same to the last bit, whatever is asked for beside it") {
  const Picture picture(29, 19, 2, 0.2);
  const PixelBlock block = picture.block(9);
  Spectra whole(19, 29 * 3);
  gaussian_sums(block, block.window(), 3, 1,
                [&](Index row, const float* sums) { std::copy_n(sums, whole.cols(), whole.row(row).data()); });
  for (const Window inner : {Window{0, 0, 1, 1}, {7, 3, 5, 2}, {13, 0, 16, 19}, {1, 18, 28, 1}}) {
    gaussian_sums(block, inner, 3, 3, [&](Index row, const float* sums) {
      for (Index i = 0; i < inner.width * 3; ++i) {
        CHECK(sums[i] == whole(row, inner.column * 3 + i));
      }
    });
  }
}

TEST_CASE("valid pixels are found in the smallest window around them") {
  PixelBlock block(10, 8, 1, 2);
  block.reset({20, 30, 10, 8});
  CHECK(block.valid_pixels({21, 31, 5, 5}).window.pixels() == 0);
  block.fill({{22, 32, 2, 3}, {0, 1, 5}}, Spectra::Constant(3, 1, 0.5F));
  const ValidPixels found = block.valid_pixels({20, 30, 10, 8});
  CHECK(found.window == Window{22, 32, 2, 3});
  CHECK(found.positions == Indices{0, 1, 5});
  const ValidPixels row = block.valid_pixels({20, 30, 10, 3});
  CHECK(row.window == Window{22, 32, 2, 1});
  CHECK(row.positions.empty());
  block.reset({0, 0, 4, 4});
  CHECK(block.valid_pixels({0, 0, 4, 4}).window.width == 0);
}

TEST_CASE("a Gaussian is followed for three standard deviations") {
  CHECK(gaussian_reach(0.7) == 3);
  CHECK(gaussian_reach(1) == 3);
  CHECK(gaussian_reach(1.5) == 5);
}

TEST_CASE("an exponent sharpens or softens probabilities and keeps their order") {
  Spectra rows(2, 3);
  rows << 0.6F, 0.3F, 0.1F, 0.0F, 0.5F, 0.5F;
  Spectra same = rows;
  calibrate(same, 1);
  CHECK(same == rows);
  calibrate(rows, 2);
  CHECK(rows(0, 0) == doctest::Approx(0.36 / 0.46));
  CHECK(rows(0, 2) == doctest::Approx(0.01 / 0.46));
  CHECK(rows(1, 0) == 0);
  CHECK(rows(1, 1) == 0.5F);
  calibrate(rows, 148);
  CHECK(rows.allFinite());
}

}  // namespace parsimap::test
