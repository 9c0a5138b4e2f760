#include "parsimap/classifier/predictor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "parsimap/classifier/pixel_rows.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "classifier/class_distance.hpp"
#include "support/toy_model.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

Spectra evaluate(const Model& model, const Spectra& spectra, int threads) {
  Spectra values;
  Predictor(model).decision_values(spectra, threads, values);
  return values;
}

}  // namespace

TEST_CASE("decision function: the double loop in double precision, tiles full and partly filled") {
  struct Sizes {
    Index bands, support, pixels;
  };
  for (const Sizes& sizes : {Sizes{12, 40, 10}, {7, 256, 480}, {30, 700, 501}, {3, 129, 481}}) {
    const Index bands = sizes.bands;
    const Index support = sizes.support;
    const Index pixels = sizes.pixels;
    Model model = toy::random_model(4, bands, support, 3);
    if (support > 40) {
      model.combination = Matrix::Identity(4, 4) + 0.3 * Random(1).normal_matrix(4, 4);
    }
    const Spectra raw = toy::raw_spectra(model, pixels, 9).cast<float>();
    const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
    const Matrix found = evaluate(model, raw, 1).cast<double>();
    INFO("bands ", bands, " support ", support, " pixels ", pixels);
    CHECK((found - expected).cwiseAbs().maxCoeff() < 1e-4 * expected.cwiseAbs().maxCoeff());
    // Labels are those of double precision.
    for (Index i = 0; i < pixels; ++i) {
      Index best = 0;
      Index label = 0;
      expected.row(i).maxCoeff(&best);
      found.row(i).maxCoeff(&label);
      CHECK(label == best);
    }
  }
}

TEST_CASE("decision function: of compressed spectra, all values and labels are those of the double loop") {
  Model model = toy::random_model(4, 12, 300, 3);
  Spectra raw = toy::raw_spectra(model, 500, 9).cast<float>();
  const Matrix before = toy::naive_decisions(model, raw.cast<double>());
  model.scaling.units = raw.cwiseAbs().maxCoeff() * Vector::LinSpaced(12, 0.5, 2);
  // Values that were spread for the model without units are spread likewise for the one with units.
  raw = ((raw.cast<double>() * model.scaling.units.cwiseInverse().asDiagonal()).array().sinh().matrix() *
         model.scaling.units.asDiagonal())
            .cast<float>();
  const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
  CHECK((expected - before).cwiseAbs().maxCoeff() < 1e-3 * before.cwiseAbs().maxCoeff());
  CHECK((evaluate(model, raw, 2).cast<double>() - expected).cwiseAbs().maxCoeff() <
        1e-4 * expected.cwiseAbs().maxCoeff());
  Spectra labelled;
  Predictor(model).label_values(raw, 2, labelled);
  CHECK(labelled == evaluate(model, raw, 1));
}

TEST_CASE("decision function: pixels that single precision cannot decide get the label of double precision") {
  Model model = toy::random_model(2, 12, 300, 3);
  model.classifiers.push_back(model.classifiers[1]);
  model.classes.push_back({3, "twin", {}});
  const Spectra raw = toy::raw_spectra(model, 500, 9).cast<float>();
  const Matrix before = toy::naive_decisions(model, raw.cast<double>());
  const Vector winning = (before.col(1).array() > before.col(0).array()).cast<double>();
  const double typical = winning.dot(before.col(1)) / winning.sum() - model.classifiers[1].bias;
  model.classifiers[2].coefficients *= 1 + 1e-9;
  model.classifiers[2].bias -= 1e-9 * typical;
  // Both twins gain from the first class, and stay as near to each other.
  model.combination = Matrix{{1, 0, 0}, {0.1, 1, 0}, {0.1, 0, 1}};
  const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
  const Spectra found = evaluate(model, raw, 2);
  std::array<Index, 3> seen = {0, 0, 0};
  for (Index i = 0; i < raw.rows(); ++i) {
    Index best = 0;
    Index label = 0;
    expected.row(i).maxCoeff(&best);
    found.row(i).maxCoeff(&label);
    ++seen[static_cast<std::size_t>(label)];
    CHECK(label == best);
  }
  // The twins win in turn, by differences near 1e-9.
  CHECK(seen[1] > 20);
  CHECK(seen[2] > 20);
}

TEST_CASE("decision function: with profiles, labels are those of double precision") {
  Model model = toy::random_model(4, 30, 700, 3);
  toy::add_profiles(model, 12, 0.05, 0.5, 6);
  const Spectra raw = toy::raw_spectra(model, 501, 9).cast<float>();
  const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
  const Matrix found = evaluate(model, raw, 2).cast<double>();
  CHECK((found - expected).cwiseAbs().maxCoeff() < 1e-4 * expected.cwiseAbs().maxCoeff());
  for (Index i = 0; i < raw.rows(); ++i) {
    Index best = 0;
    Index label = 0;
    expected.row(i).maxCoeff(&best);
    found.row(i).maxCoeff(&label);
    CHECK(label == best);
  }
}

TEST_CASE("decision function: a pixel's values do not depend on its neighbours, its place or the threads") {
  Model model = toy::random_model(5, 20, 300, 8);
  toy::add_profiles(model, 9, 0.1, 0.3, 6);
  model.combination = Random(3).normal_matrix(5, 5);
  const Spectra raw = toy::raw_spectra(model, 777, 2).cast<float>();
  const Spectra all = evaluate(model, raw, 1);
  CHECK(evaluate(model, raw, 2) == all);
  CHECK(evaluate(model, raw, 7) == all);
  for (const Index first : {1, 47, 48, 479, 480, 500}) {
    for (const Index count : {1, 3, 100, 250}) {
      const Spectra part = raw.middleRows(first, count);
      CHECK(evaluate(model, part, 2) == all.middleRows(first, count));
    }
  }
}

TEST_CASE("decision function: far from the origin and with a single classifier without support") {
  Model model = toy::random_model(3, 10, 50, 4);
  model.classifiers[1].support.clear();
  model.classifiers[1].coefficients.resize(0);
  const Spectra raw = toy::raw_spectra(model, 20, 3).cast<float>();
  const Spectra values = evaluate(model, raw, 1);
  CHECK(values.col(1).isApproxToConstant(static_cast<float>(model.classifiers[1].bias)));
  model.support_spectra.array() += 1000;
  model.scaling.offset -= 1000 * model.scaling.scale;
  CHECK((evaluate(model, raw, 1) - values).cwiseAbs().maxCoeff() < 1e-3F);
}

TEST_CASE("decision function: no pixels, no values") {
  const Model model = toy::random_model(2, 5, 10, 1);
  CHECK(evaluate(model, Spectra(0, 5), 4).rows() == 0);
  CHECK(Predictor(model).decision_bytes(2) == 2 * Predictor(model).decision_bytes(1));
}

TEST_CASE("softmax: probabilities sum to one and keep the first of the largest values first") {
  Spectra values(4, 3);
  values << 0.0F, 1.0F, -1.0F, 2.0F, 2.0F, 1.0F, -50.0F, 60.0F, 59.9999F, 0.1F, 0.1F, 0.10000001F;
  const Spectra before = values;
  softmax_rows(3.0, values);
  for (Index i = 0; i < 4; ++i) {
    CHECK(values.row(i).sum() == doctest::Approx(1.0F));
    Index label = 0;
    Index expected = 0;
    values.row(i).maxCoeff(&label);
    before.row(i).maxCoeff(&expected);
    CHECK(label == expected);
  }
  CHECK(values(0, 1) / values(0, 0) == doctest::Approx(std::exp(3.0)));
}

TEST_CASE_TEMPLATE("softmax: probabilities do not depend on where the pixel lies in memory", Scalar, float, double) {
  for (const Index classes : {2, 3, 5, 10, 17, 33}) {
    const Eigen::RowVectorX<Scalar> pixel = Random(5).normal_matrix(1, classes).cast<Scalar>();
    Eigen::RowVectorX<Scalar> alone = pixel;
    softmax(Scalar{1.7F}, alone.data(), classes);
    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> block = pixel.replicate(40, 1);
    for (Index i = 0; i < block.rows(); ++i) {
      softmax(Scalar{1.7F}, block.row(i).data(), classes);
      CHECK(block.row(i) == alone);
    }
  }
}

namespace {

const Model& toy_model() {
  static const Model model = train_one_vs_all(toy::three_classes(40, 1), {}, {});
  return model;
}

Spectra toy_spectra(Index count) { return toy::three_classes(count, 7).spectra.topRows(count).cast<float>(); }

}  // namespace

TEST_CASE("novelty is one less the largest probability of the definition") {
  const Model& model = toy_model();
  const Spectra spectra = toy_spectra(500);
  Spectra novelty;
  Predictor(model).novelty(spectra, 1, novelty);
  REQUIRE(novelty.rows() == 500);
  REQUIRE(novelty.cols() == 1);
  const Matrix scaled = model.scaling.apply(spectra.cast<double>());
  for (Index i = 0; i < spectra.rows(); ++i) {
    double likeliest = 0;
    for (const ClassNovelty& one : model.novelty) {
      const Vector distance = ClassDistance(one.gaussian, one.samples)(scaled.row(i)).from_class();
      likeliest = std::max(likeliest, tail_probability(one.tail, distance(0)));
    }
    REQUIRE(novelty(i, 0) == doctest::Approx(1 - likeliest).epsilon(1e-6));
  }
}

TEST_CASE("a pixel's novelty depends neither on its neighbours nor on threads") {
  const Predictor predictor(toy_model());
  const Spectra spectra = toy_spectra(700);
  Spectra whole;
  predictor.novelty(spectra, 1, whole);
  for (const Index size : {1, 7, 240, 333}) {
    for (Index first = 0; first < spectra.rows(); first += size) {
      const Index count = std::min(size, spectra.rows() - first);
      Spectra part;
      predictor.novelty(spectra.middleRows(first, count), 2, part);
      REQUIRE(part == whole.middleRows(first, count));
    }
  }
}

TEST_CASE("no pixels, and pixels far from everything") {
  const Predictor predictor(toy_model());
  Spectra novelty;
  predictor.novelty(Spectra(0, 10), 2, novelty);
  CHECK(novelty.rows() == 0);
  predictor.novelty(Spectra::Constant(1, 10, 1e30F), 1, novelty);
  CHECK(novelty(0, 0) == 1);
  CHECK(predictor.novelty_bytes(2) == 2 * predictor.novelty_bytes(1));
}

namespace {

using DoubleRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Indices all_columns(Index count) {
  Indices columns;
  for (Index k = 0; k < count; ++k) {
    columns.push_back(k);
  }
  return columns;
}

// Spectra as a model of toy::random_model() has them.
DoubleRows raw_spectra(Index n, Index d) { return 2000 + 500 * Random(8).normal_matrix(n, d).array(); }

PixelRows rows_of(const DoubleRows& array) {
  return {array.data(), array.rows(), array.cols(), all_columns(array.cols())};
}

}  // namespace

TEST_CASE("array predictor: decision values, labels and probabilities are those of the model") {
  const Model model = toy::random_model(4, 12, 90, 3);
  const Predictor predictor(model);
  const DoubleRows raw = raw_spectra(1200, 12);
  const Matrix expected = toy::naive_decisions(model, raw.cast<float>().cast<double>());
  DoubleRows values(raw.rows(), 4);
  predictor.decision_values(rows_of(raw), 2, values, {});
  CHECK((values - expected).cwiseAbs().maxCoeff() < 1e-4 * expected.cwiseAbs().maxCoeff());

  DoubleRows probabilities(raw.rows(), 4);
  predictor.probabilities(rows_of(raw), 2, probabilities, {});
  const Matrix weights = (model.softmax_slope * values).array().exp();
  const Matrix softmax = weights.array().colwise() / weights.rowwise().sum().array();
  CHECK((probabilities - softmax).cwiseAbs().maxCoeff() < 1e-12);

  std::vector<std::int64_t> labels(static_cast<std::size_t>(raw.rows()), -1);
  predictor.labels(rows_of(raw), 2, labels.data(), {});
  for (Index i = 0; i < raw.rows(); ++i) {
    Index best = 0;
    expected.row(i).maxCoeff(&best);
    CHECK(labels[static_cast<std::size_t>(i)] == best);
  }
}

TEST_CASE("array predictor: log odds of two classes are those of their probabilities") {
  const Model model = toy::random_model(2, 6, 40, 5);
  const Predictor predictor(model);
  const DoubleRows raw = raw_spectra(300, 6);
  DoubleRows odds(raw.rows(), 1);
  DoubleRows probabilities(raw.rows(), 2);
  predictor.log_odds(rows_of(raw), 1, odds, {});
  predictor.probabilities(rows_of(raw), 1, probabilities, {});
  const Vector expected = (probabilities.col(1).array() / probabilities.col(0).array()).log();
  CHECK((odds.col(0) - expected).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("array predictor: a row depends on no other row, nor on threads") {
  constexpr Index kClasses = 5;
  const Model model = toy::random_model(kClasses, 8, 70, 4);
  const Predictor predictor(model);
  const DoubleRows raw = raw_spectra(70000, 8);
  using Predict = void (Predictor::*)(const PixelRows&, int, ArrayResult, const Progress&) const;
  for (const Predict predict : {Predict(&Predictor::decision_values), Predict(&Predictor::probabilities)}) {
    DoubleRows all(raw.rows(), kClasses);
    (predictor.*predict)(rows_of(raw), 2, all, {});
    for (const Index first : {Index{0}, Index{479}, Index{65530}}) {
      const DoubleRows part = raw.middleRows(first, 37);
      DoubleRows some(part.rows(), kClasses);
      (predictor.*predict)(rows_of(part), 1, some, {});
      CHECK(some == all.middleRows(first, 37));
    }
  }
}

TEST_CASE("array predictor: progress rises to 1, and may stop the work") {
  const Model model = toy::random_model(3, 8, 30, 4);
  const Predictor predictor(model);
  const DoubleRows raw = raw_spectra(140000, 8);
  std::vector<double> fractions;
  DoubleRows values(raw.rows(), 3);
  predictor.decision_values(rows_of(raw), 2, values, [&](double done) { fractions.push_back(done); });
  REQUIRE(fractions.size() == 3);
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.back() == 1);
  const auto stop = [](double) { throw IoError("enough"); };
  CHECK_THROWS_WITH_AS(predictor.decision_values(rows_of(raw), 2, values, stop), "enough", IoError);
}

TEST_CASE("array predictor: a model with a kernel of profiles is refused") {
  Model model = toy::random_model(3, 8, 30, 4);
  toy::add_profiles(model, 4, 0.3, 0.5, 6);
  CHECK_THROWS_AS(Predictor(model).labels(PixelRows(static_cast<const float*>(nullptr), 0, 8, {}), 1, nullptr, {}),
                  DataError);
}

}  // namespace parsimap::test
