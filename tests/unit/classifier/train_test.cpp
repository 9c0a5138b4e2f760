#include "parsimap/classifier/train.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/validation/combination.hpp"
#include "parsimap/validation/left_out_risk.hpp"

#include "support/toy_model.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

double accuracy(const Model& model, const SampleSet& samples) {
  Spectra values;
  Predictor(model).decision_values(raw_columns(model, samples), 1, values);
  return 1 - left_out_risk(values.cast<double>(), samples.labels, Vector::Ones(values.rows())).errors;
}

// Bit by bit.
bool same_model(const Model& a, const Model& b) {
  bool same = a.support_spectra == b.support_spectra && a.softmax_slope == b.softmax_slope;
  for (std::size_t c = 0; c < a.classifiers.size(); ++c) {
    same = same && a.classifiers[c].coefficients == b.classifiers[c].coefficients &&
           a.classifiers[c].metric.weights == b.classifiers[c].metric.weights &&
           a.classifiers[c].bias == b.classifiers[c].bias &&
           a.novelty[c].gaussian.subspace.variances == b.novelty[c].gaussian.subspace.variances;
  }
  return same;
}

}  // namespace

TEST_CASE("train: every kernel and criterion learns the classes, and left-out samples say how well") {
  const SampleSet training = toy::three_classes(40, 1);
  const SampleSet test = toy::three_classes(300, 2);
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca, KernelFamily::gaussian}) {
    for (const CriterionKind criterion : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
      TrainingOptions options;
      options.family = family;
      options.criterion = criterion;
      options.dimension = {DimensionMethod::fixed, 4};
      const Model model = train_one_vs_all(training, options, {});
      INFO(to_string(family), " ", to_string(criterion));
      // The Gaussian kernel cannot turn the nuisance direction down; the PCA kernel sees only four directions of ten.
      const double least = family == KernelFamily::hdda ? 0.8 : 0.55;
      CHECK(accuracy(model, test) > least);
      CHECK(std::abs(model.provenance.left_out.accuracy - accuracy(model, test)) < 0.12);
      REQUIRE(model.provenance.left_out.confusion);
      CHECK(model.provenance.left_out.confusion->sum() == model.provenance.left_out.samples);
      for (const BinaryClassifier& classifier : model.classifiers) {
        CHECK(classifier.solver_stop == "optimal");
        CHECK(classifier.kkt_violation < 1e-6);
        CHECK(classifier.samples == 40);
      }
    }
  }
}

TEST_CASE("train: the model's decision values are those of its classifiers, support spectra shared") {
  const SampleSet training = toy::three_classes(30, 3);
  const Model model = train_one_vs_all(training, {}, {});
  const Matrix naive = toy::naive_decisions(model, training.spectra);
  Spectra values;
  Predictor(model).decision_values(training.spectra.cast<float>(), 1, values);
  for (std::size_t c = 0; c < 3; ++c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    // Single precision, in units of what is added up.
    const double unit = classifier.coefficients.cwiseAbs().sum();
    const auto column = static_cast<Index>(c);
    CHECK((values.col(column).cast<double>() - naive.col(column)).cwiseAbs().maxCoeff() < 1e-6 * unit);
    CHECK(std::abs(classifier.coefficients.sum()) < 1e-6 * classifier.coefficients.cwiseAbs().sum());
    CHECK(std::is_sorted(classifier.support.begin(), classifier.support.end()));
  }
  CHECK(model.classes[2].code == 5);
  CHECK(model.softmax_slope > 0);
}

TEST_CASE("train: support spectra know their regions, and equal spectra share by their weights") {
  SampleSet training = toy::three_classes(30, 3);
  for (Index i = 0; i < training.size(); ++i) {
    training.places[static_cast<std::size_t>(i)].region = 10 + i % 3 + 3 * (i / 18);
  }
  TrainingOptions sharing;
  sharing.centres = 20;
  CHECK_FALSE(train_one_vs_all(training, sharing, {}).origins);
  // Samples 0 and 18 are of one class, and of the regions 10 and 13.
  training.spectra.row(18) = training.spectra.row(0);
  training.weights = Vector::Ones(training.size());
  training.weights(18) = 3;
  training.weights /= training.weights.mean();
  const Model model = train_one_vs_all(training, {}, {});
  CHECK_NOTHROW(check_model(model));
  REQUIRE(model.origins);
  const SupportOrigins& origins = *model.origins;
  CHECK(origins.features() == 15);
  CHECK(origins.number[14] == 24);
  CHECK(origins.label[14] == training.labels[74]);
  const Matrix spectra = scaled_columns(model, training);
  Index shared = 0;
  for (std::size_t i = 0; i < origins.support.size(); ++i) {
    const Eigen::RowVectorXd support = model.support_spectra.row(origins.support[i]);
    const Index feature = origins.origin[i];
    bool found = false;
    for (Index k = 0; k < training.size(); ++k) {
      found =
          found || (training.places[static_cast<std::size_t>(k)].region == 10 + feature && spectra.row(k) == support);
    }
    CHECK(found);
    const bool merged = support == spectra.row(0);
    shared += merged ? 1 : 0;
    CHECK(origins.share(static_cast<Index>(i)) == doctest::Approx(!merged ? 1 : feature == 0 ? 0.25 : 0.75));
  }
  CHECK(shared == 2);
  for (SamplePlace& place : training.places) {
    place.region = 0;
  }
  CHECK_FALSE(train_one_vs_all(training, {}, {}).origins);
}

TEST_CASE("train: identical for any number of threads and of classes in work, solved directly or iteratively") {
  struct Way {
    CriterionKind criterion;
    Index samples_per_class;
    Index largest_factor;
  };
  for (const Way& way : {Way{CriterionKind::leave_one_out, 20, 12}, Way{CriterionKind::leave_one_out, 30, 10000},
                         Way{CriterionKind::radius_margin, 24, 16}}) {
    const SampleSet training = toy::three_classes(way.samples_per_class, 4);
    TrainingOptions options;
    options.scaling = ScalingRule::global;
    options.criterion = way.criterion;
    options.largest_factor = way.largest_factor;
    options.dimension = {DimensionMethod::fixed, 2};
    const Model one = train_one_vs_all(training, options, {});
    for (const auto& [threads, classes] : {std::pair(3, 1), std::pair(7, 7)}) {
      options.threads = threads;
      options.classes_at_once = classes;
      CHECK(same_model(one, train_one_vs_all(training, options, {})));
    }
  }
}

TEST_CASE("train: classifiers with a kernel of profiles tell what spectra cannot, and solve their problem") {
  const SampleSet training = toy::four_classes(25, 4, 4, 1);
  const SampleSet test = toy::four_classes(200, 4, 4, 2);
  SampleSet spectra = training;
  spectra.profiles.resize(training.size(), 0);
  TrainingSource source;
  source.scene_bands = 8;
  source.bands = {0, 1, 2, 3, 4, 5, 6, 7};
  source.band_table.resize(8);
  source.profile = ProfileDesign{Vector::Zero(8), Matrix::Identity(8, 6), Vector::Ones(6), {}};
  for (const Index centres : {0, 40}) {
    TrainingOptions options = toy::one_shape();
    options.centres = centres;
    const Model model = train_one_vs_all(training, source, options, {});
    CHECK_NOTHROW(check_model(model));
    REQUIRE(model.profile);
    REQUIRE(model.profile_score);
    CHECK(model.support_spectra.cols() == 14);
    CHECK(model.classifiers[1].metric.profile.features == 6);
    CHECK(model.classifiers[1].metric.profile.share == model.profile_score->point.share);
    CHECK(model.novelty[0].gaussian.mean.size() == 8);
    CHECK(accuracy(model, test) > 0.92);
    CHECK(accuracy(train_one_vs_all(spectra, options, {}), test) < 0.55);
    for (const BinaryClassifier& classifier : model.classifiers) {
      CHECK(classifier.solver_stop == "optimal");
      CHECK(classifier.kkt_violation < 1e-5);
    }
    Spectra values;
    Predictor(model).decision_values(raw_columns(model, test), 1, values);
    Matrix exact(test.size(), 4);
    double size = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      exact.col(static_cast<Index>(c)) =
          decision_values(model.classifiers[c], model.support_spectra, scaled_columns(model, test));
      size = std::max(size, model.classifiers[c].coefficients.cwiseAbs().sum());
    }
    exact = combined(model.combination, exact);
    CHECK((values.cast<double>() - exact).cwiseAbs().maxCoeff() < 1e-5 * size);
    options.threads = 3;
    CHECK(same_model(model, train_one_vs_all(training, source, options, {})));
  }
}

TEST_CASE("train: a model has no profile where left-out samples are classified better without") {
  SampleSet training = toy::two_of_four(toy::four_classes(60, 8, 0, 2), 0, 2);
  // Profiles that tell regions apart, and nothing else.
  for (Index i = 0; i < training.size(); ++i) {
    training.profiles.row(i) =
        Random(static_cast<std::uint64_t>(training.places[static_cast<std::size_t>(i)].region)).normal_matrix(1, 6);
  }
  const Model model = train_one_vs_all(training, {}, {});
  // The spectra alone leave nothing to gain, so that profiles are not even tried.
  CHECK(!model.profile_score);
  CHECK(model.classifiers[0].metric.profile.features == 0);
  CHECK(model.support_spectra.cols() == 8);
  SampleSet spectra = training;
  spectra.profiles.resize(training.size(), 0);
  CHECK(same_model(model, train_one_vs_all(spectra, {}, {})));
  // They are kept all the same where that is asked for, and the score still says that they gain nothing.
  TrainingOptions options;
  options.profiles_always = true;
  const Model always = train_one_vs_all(training, options, {});
  CHECK(always.classifiers[0].metric.profile.features == 6);
  CHECK(always.profile_score->point.share > 0);
  CHECK(!always.profile_score->kept());
}

TEST_CASE("train: both designs can be fitted, and each is the model of a training of its own") {
  const SampleSet training = toy::four_classes(20, 4, 4, 1);
  SampleSet spectra = training;
  spectra.profiles.resize(training.size(), 0);
  ClassTrainer trainer(training, toy::one_shape());
  const std::vector<Model> designs = design_models(trainer, {}, true, {});
  REQUIRE(designs.size() == 2);
  CHECK(same_model(fit_model(designs[0], trainer, {}), train_one_vs_all(spectra, {}, toy::one_shape(), {})));
  CHECK(same_model(fit_model(designs[1], trainer, {}), train_one_vs_all(training, {}, toy::one_shape(), {})));
}

TEST_CASE("train: the scaling follows left-out samples, and the model is that of the scaling chosen") {
  SampleSet training = toy::three_classes(40, 1);
  SampleSet test = toy::three_classes(200, 2);
  // Bands of nothing but large noise are all that a global scaling leaves to see.
  for (SampleSet* samples : {&training, &test}) {
    Matrix spectra(samples->size(), 70);
    spectra << samples->spectra, 10000 * Random(9).normal_matrix(samples->size(), 60);
    samples->spectra = spectra;
    for (std::size_t i = 0; i < samples->places.size(); ++i) {
      samples->places[i].unit = {static_cast<std::int64_t>(i)};
    }
  }
  TrainingOptions global;
  global.scaling = ScalingRule::global;
  TrainingOptions within;
  within.scaling = ScalingRule::within_classes;
  const Model chosen = train_one_vs_all(training, {}, {});
  CHECK(chosen.scaling_rule == ScalingRule::within_classes);
  CHECK(chosen.scaling.scale == train_one_vs_all(training, within, {}).scaling.scale);
  CHECK(accuracy(chosen, test) > accuracy(train_one_vs_all(training, global, {}), test));
  // A scaling cannot be judged by a few units.
  SampleSet few = training;
  for (SamplePlace& place : few.places) {
    place.unit = {place.pixel % 9};
  }
  CHECK(train_one_vs_all(few, {}, {}).scaling_rule == ScalingRule::global);
  const SampleSet plain = toy::three_classes(40, 1);
  const Model kept = train_one_vs_all(plain, {}, {});
  CHECK(kept.scaling_rule == ScalingRule::global);
  CHECK(kept.scaling.scale == train_one_vs_all(plain, global, {}).scaling.scale);
}

TEST_CASE("train: profiles do not go with a descent on the radius-margin bound") {
  TrainingOptions options;
  options.criterion = CriterionKind::radius_margin;
  CHECK_THROWS_AS(train_one_vs_all(toy::four_classes(10, 4, 4, 1), options, {}), ConfigError);
}

TEST_CASE("train: units of the scene do not matter") {
  SampleSet training = toy::three_classes(30, 6);
  const SampleSet test = toy::three_classes(200, 7);
  const double before = accuracy(train_one_vs_all(training, {}, {}), test);
  SampleSet scaled_test = test;
  training.spectra *= 1e-4;
  scaled_test.spectra *= 1e-4;
  CHECK(accuracy(train_one_vs_all(training, {}, {}), scaled_test) == doctest::Approx(before).epsilon(0.01));
}

#ifndef PARSIMAP_SANITIZED  // too slow there
TEST_CASE("train: above the selection size hyperparameters come from a subset and every sample is fitted") {
  const SampleSet training = toy::three_classes(kSelectionSamples / 3 + 60, 8);
  const SampleSet test = toy::three_classes(200, 9);
  const Model model = train_one_vs_all(training, {}, {});
  CHECK(model.provenance.training_pixels == training.size());
  CHECK(accuracy(model, test) > 0.93);
  for (const BinaryClassifier& classifier : model.classifiers) {
    CHECK(classifier.solver_stop == "optimal");
  }
}
#endif

TEST_CASE("training memory: quadratic in the samples of a selection, bounded beyond it") {
  TrainingOptions one;
  one.criterion = CriterionKind::radius_margin;
  TrainingOptions four = one;
  four.threads = 4;
  // Spectra of two bands hardly count.
  const auto large = static_cast<double>(training_bytes(8000, 2, one));
  CHECK(large == doctest::Approx(3 * 8.0 * 8000 * 8000).epsilon(0.01));
  CHECK(static_cast<double>(training_bytes(16000, 2, one)) == doctest::Approx(4 * large).epsilon(0.01));
  CHECK(static_cast<double>(training_bytes(8000, 2, four)) == doctest::Approx(3 * large).epsilon(0.01));
  // The final fit of leave-one-out holds systems of support vectors alone, and never more than a few of the largest
  // that are factorised.
  one.criterion = four.criterion = CriterionKind::leave_one_out;
  CHECK(training_bytes(50000, 103, one) < training_bytes(50000, 103, four));
  TrainingOptions two = one;
  two.threads = 2;
  CHECK(training_bytes(50000, 103, two) < std::int64_t{8} << 30U);
  CHECK(training_bytes(200000, 103, one) < std::int64_t{6} << 30U);
}

TEST_CASE("train: progress rises to one in small steps, and what it throws stops the training") {
  const SampleSet training = toy::three_classes(40, 5);
  for (const CriterionKind criterion : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
    TrainingOptions options;
    options.scaling = ScalingRule::global;
    options.criterion = criterion;
    options.threads = 2;
    std::vector<double> seen;
    train_one_vs_all(training, options, [&](double fraction) { seen.push_back(fraction); });
    CHECK(std::is_sorted(seen.begin(), seen.end()));
    CHECK(seen.back() == 1.0);
    CHECK(std::set<double>(seen.begin(), seen.end()).size() > 100);
    for (std::size_t i = 1; i < seen.size(); ++i) {
      CHECK(seen[i] - seen[i - 1] < 0.2);
    }
  }
  CHECK_THROWS_AS(train_one_vs_all(training, {}, [](double) { throw std::runtime_error("stop"); }), std::runtime_error);
  // At any time of it, and from whatever thread: hardly anything is done after that.
  for (const CriterionKind criterion : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
    for (const double until : {0.2, 0.9}) {
      TrainingOptions options;
      options.criterion = criterion;
      options.threads = 3;
      int calls = 0;
      CHECK_THROWS_AS(train_one_vs_all(training, options,
                                       [&](double fraction) {
                                         if (fraction > until) {
                                           ++calls;
                                           throw std::runtime_error("stop");
                                         }
                                       }),
                      std::runtime_error);
      CHECK(calls <= 12);
    }
  }
}

TEST_CASE("train: a class of one sample has a classifier, and counts among those left out one by one") {
  SampleSet training = toy::three_classes(20, 11);
  Indices rows;
  for (Index i = 0; i < training.size(); ++i) {
    if (i % 3 != 2 || i == 2) {
      rows.push_back(i);
    }
  }
  training = subset(training, rows);
  for (const CriterionKind criterion : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
    TrainingOptions options;
    options.criterion = criterion;
    const Model model = train_one_vs_all(training, options, {});
    CHECK(model.classifiers[2].samples == 1);
    CHECK(model.classifiers[2].coefficients.allFinite());
    CHECK(model.provenance.left_out.accuracy > 0.5);
    CHECK(model.novelty.size() == 3);
  }
}

TEST_CASE("train: classifiers that share centres tell classes as well, and are the same on any number of threads") {
  const SampleSet training = toy::three_classes(60, 21);
  const SampleSet test = toy::three_classes(500, 22);
  TrainingOptions options = toy::one_shape();
  const double exact = accuracy(train_one_vs_all(training, options, {}), test);
  options.centres = 42;
  const Model model = train_one_vs_all(training, options, {});
  CHECK(model.support_spectra.rows() == 42);
  CHECK(accuracy(model, test) > exact - 0.01);
  options.threads = 3;
  const Model same = train_one_vs_all(training, options, {});
  CHECK(same.support_spectra == model.support_spectra);
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(same.classifiers[c].coefficients == model.classifiers[c].coefficients);
    CHECK(same.classifiers[c].bias == model.classifiers[c].bias);
    CHECK(same.novelty[c].tail.values == model.novelty[c].tail.values);
  }
}

TEST_CASE("train: classifiers share centres where there are many samples, or where that is asked for") {
  TrainingOptions options;
  CHECK(centre_count(kMostExactSamples, options) == 0);
  CHECK(centre_count(kMostExactSamples + 1, options) == kUsualCentres);
  options.centres = 0;
  CHECK(centre_count(1000000, options) == 0);
  options.centres = 300;
  CHECK(centre_count(1000000, options) == 300);
  CHECK(centre_count(200, options) == 200);
  // A million pixels of 200 bands fit into 8 GiB.
  options.centres.reset();
  options.threads = 2;
  CHECK(training_bytes(1000000, 200, options) < std::int64_t{8} << 30U);
  CHECK(training_bytes(1000000, 200, options) > 2 * 200 * 8 * std::int64_t{1000000});

  options.criterion = CriterionKind::radius_margin;
  CHECK(centre_count(1000000, options) == 0);
  options.centres = 300;
  CHECK_THROWS_WITH_AS(
      check_training_options(options),
      "centres (300) do not go with the criterion radius-margin, whose bound is one of exact classifiers", ConfigError);
}

TEST_CASE("training has as many classes in work as memory allows, and says when it allows none") {
  TrainingOptions options;
  options.criterion = CriterionKind::radius_margin;
  options.threads = 2;
  const std::int64_t two = training_bytes(2000, 50, options);
  CHECK(classes_at_once(2000, 50, 0, options, two) == 2);
  CHECK(classes_at_once(2000, 50, 0, options, two - 1) == 1);
  options.threads = 3;
  CHECK(classes_at_once(2000, 50, 0, options, two) == 2);
  options.threads = 1;
  CHECK(classes_at_once(2000, 50, 0, options, two) == 1);
  options.threads = 2;
  CHECK(classes_at_once(2000, 50, 30, options, two) == 1);
  CHECK(classes_at_once(2000, 50, 30, options, training_bytes(2000, 50, options, 30)) == 2);
  CHECK_THROWS_WITH_AS(classes_at_once(50000, 100, 0, options, std::int64_t{24} << 30U),
                       "training on 50000 pixels takes about 57373 MB of memory, and 24576 MB may be used; use fewer "
                       "with --sampling constant:N",
                       ConfigError);
  CHECK(physical_memory_bytes() > std::int64_t{1} << 28U);
}

TEST_CASE("the choice of a model makes the same model of the same samples again") {
  const SampleSet samples = toy::three_classes(40, 1);
  const TrainingOptions options;
  const Model model = train_one_vs_all(samples, options, {});
  const std::optional<MetricSelection> selection = selection_of(model);
  REQUIRE(selection);
  ClassTrainer trainer(samples, options);
  const Model again = fit_model(design_model(trainer, {}, *selection), trainer, {});
  CHECK(same_model(again, model));
  CHECK(again.scaling_rule == model.scaling_rule);
  TrainingOptions by_bound;
  by_bound.criterion = CriterionKind::radius_margin;
  CHECK_FALSE(selection_of(train_one_vs_all(samples, by_bound, {})));
}

}  // namespace parsimap::test
