#include "parsimap/inspection/label_inspection.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

#include "support/toy_regions.hpp"

namespace parsimap::test {
namespace {

constexpr double kUnknown = -std::numeric_limits<double>::infinity();

LabelInspection inspect(const SampleSet& samples) {
  const Model model = train_one_vs_all(samples, {}, {});
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const LabelledSpectra labelled{spectra, samples.labels, samples.places, samples.classes.size()};
  const LeftOutOptions options;
  const Matrix decisions =
      left_out_decisions(labelled, left_out_folds(labelled, {}, options), {design_of(model)}, options);
  return inspect_labels({decisions, samples.labels, regions_of(samples.places), model.softmax_slope});
}

}  // namespace

TEST_CASE("margins, probabilities and ranks of pixels and regions") {
  Matrix decisions(5, 3);
  decisions << 1, -1, -1,  //
      0.5, 1, -1,          //
      0.8, -1, -2,         //
      -1, 0.2, 0.5,        //
      -1, -1, 1;
  const std::vector<int> labels = {0, 0, 0, 1, 2};
  const std::vector<std::int64_t> regions = {4, 4, 4, 9, 2};
  const LabelInspection found = inspect_labels({decisions, labels, regions, 2});
  REQUIRE(found.pixels.size() == 5);
  CHECK(found.pixels[0].margin == doctest::Approx(2));
  CHECK(found.pixels[1].margin == doctest::Approx(-0.5));
  CHECK(found.pixels[1].likely == 1);
  const double sum = std::exp(1.0) + std::exp(2.0) + std::exp(-2.0);
  CHECK(found.pixels[1].label_probability == doctest::Approx(std::exp(1.0) / sum));
  CHECK(found.pixels[1].likely_probability == doctest::Approx(std::exp(2.0) / sum));
  CHECK(found.pixels[1].rank == 1);
  CHECK(found.pixels[3].rank == 2);
  // The two pixels with a margin of 2 keep their order.
  CHECK(found.pixels[0].rank == 4);
  CHECK(found.pixels[4].rank == 5);
  REQUIRE(found.regions.size() == 3);
  CHECK(found.regions[0].region == 9);
  CHECK(found.regions[0].evidence.likely == 2);
  // Medians of region 4: 0.8, -1, -1.
  CHECK(found.regions[1].region == 4);
  CHECK(found.regions[1].evidence.margin == doctest::Approx(1.8));
  CHECK(found.regions[1].against == 1);
  CHECK(found.regions[1].pixels == Indices{0, 1, 2});
  CHECK(found.regions[2].evidence.rank == 3);
  CountMatrix confusion(3, 3);
  confusion << 2, 1, 0, 0, 0, 1, 0, 0, 1;
  CHECK(found.confusion == confusion);
}

TEST_CASE("the evidence of an even number of pixels is between the two in the middle") {
  Matrix decisions(4, 2);
  decisions << 1, -1, 0.2, -1, 0.6, -1, -9, -1;
  const LabelInspection found = inspect_labels({decisions, {0, 0, 0, 0}, {1, 1, 1, 1}, 1});
  CHECK(found.regions[0].evidence.margin == doctest::Approx(1.4));
}

TEST_CASE("a label whose class nobody knows is suspicious only where another class claims the region") {
  Matrix decisions(2, 3);
  decisions << -0.7, kUnknown, -1,  //
      0.4, kUnknown, -1;
  const LabelInspection found = inspect_labels({decisions, {1, 1}, {1, 2}, 1});
  CHECK_FALSE(found.pixels[0].label_known);
  CHECK(found.pixels[0].margin == doctest::Approx(0.7));
  CHECK(found.pixels[0].likely == 1);
  CHECK(found.pixels[1].margin == doctest::Approx(-0.4));
  CHECK(found.pixels[1].likely == 0);
  CHECK(found.confusion.sum() == 0);
}

TEST_CASE("a tie speaks for the label, whatever its place") {
  Matrix decisions(2, 2);
  decisions << 0.5, 0.5, 0.5, 0.5;
  const LabelInspection found = inspect_labels({decisions, {0, 1}, {1, 2}, 1});
  CHECK(found.pixels[0].likely == 0);
  CHECK(found.pixels[1].likely == 1);
  CHECK(found.pixels[1].margin == 0);
}

TEST_CASE("regions with wrong labels are found: four of five in the first tenth of the list at least") {
  Index found = 0;
  Index flipped_regions = 0;
  for (const std::uint64_t seed : {1, 2}) {
    SampleSet samples = toy::labelled_regions(15, seed);
    const std::set<std::int64_t> flipped = toy::flip_regions(samples, 3, seed + 10);
    const LabelInspection inspection = inspect(samples);
    REQUIRE(inspection.regions.size() == 60);
    for (std::size_t i = 0; i < 6; ++i) {
      found += flipped.contains(inspection.regions[i].region) ? 1 : 0;
    }
    flipped_regions += static_cast<Index>(flipped.size());
  }
  CAPTURE(found);
  CHECK(5 * found >= 4 * flipped_regions);
}

namespace {

// Two classes of 150 samples in 8 bands: strong in three, `shift` apart in the last.
Matrix two_classes(double shift, std::vector<int>& labels) {
  Matrix spectra = Random(3).normal_matrix(300, 8);
  spectra.leftCols(3) *= 5;
  for (Index i = 0; i < 300; ++i) {
    labels.push_back(static_cast<int>(i % 2));
    spectra(i, 7) += i % 2 == 0 ? shift : 0;
  }
  return spectra;
}

Matrix covariance_of(const SubspaceModel& model, Index bands) {
  const Matrix& q = model.directions;
  return q * model.variances.asDiagonal() * q.transpose() +
         model.noise_variance * (Matrix::Identity(bands, bands) - q * q.transpose());
}

Vector mean_of(const Matrix& spectra, const std::vector<int>& labels, int c) {
  Vector sum = Vector::Zero(spectra.cols());
  double count = 0;
  for (Index i = 0; i < spectra.rows(); ++i) {
    if (labels[static_cast<std::size_t>(i)] == c) {
      sum += spectra.row(i).transpose();
      count += 1;
    }
  }
  return sum / count;
}

}  // namespace

TEST_CASE("the distance of two classes is that of the formula") {
  std::vector<int> labels;
  const Matrix spectra = two_classes(1.5, labels);
  const DimensionRule rule{DimensionMethod::fixed, 3};
  const std::vector<ClassPair> pairs = class_separability(spectra, labels, 3, rule, 1);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first == 0);
  CHECK(pairs[0].second == 1);
  const BlendedModels models(spectra, labels, 3);
  const Matrix first = covariance_of(models.model(0, 0.5, rule), 8);
  const Matrix second = covariance_of(models.model(1, 0.5, rule), 8);
  const Matrix middle = (first + second) / 2;
  const Vector difference = mean_of(spectra, labels, 0) - mean_of(spectra, labels, 1);
  const double expected = difference.dot(middle.inverse() * difference) / 8 +
                          std::log(middle.determinant() / std::sqrt(first.determinant() * second.determinant())) / 2;
  CHECK(pairs[0].bhattacharyya == doctest::Approx(expected));
  CHECK(pairs[0].jeffries_matusita == doctest::Approx(2 * (1 - std::exp(-expected))));
}

TEST_CASE("classes that are the same have no distance, and those far apart have all of it") {
  std::vector<int> labels;
  const Matrix same = two_classes(0, labels);
  CHECK(class_separability(same, labels, 2, {}, 2)[0].jeffries_matusita < 0.1);
  labels.clear();
  const Matrix apart = two_classes(30, labels);
  CHECK(class_separability(apart, labels, 2, {}, 2)[0].jeffries_matusita > 1.999);
}

TEST_CASE("classes of a single sample or without variance have distances too") {
  Matrix spectra = Matrix::Ones(5, 4);
  spectra.row(4).setConstant(2);
  const std::vector<ClassPair> pairs = class_separability(spectra, {0, 0, 1, 1, 2}, 3, {}, 1);
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0].jeffries_matusita < 1e-6);
  CHECK(pairs[1].jeffries_matusita > 1.9);
}

}  // namespace parsimap::test
