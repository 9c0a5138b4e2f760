#include "parsimap/classifier/model.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/validation/combination.hpp"

#include "support/toy_model.hpp"
#include "support/toy_regions.hpp"
#include "support/toy_samples.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
TEST_CASE("steps are named as they are asked for") {
  CHECK(to_string(SpatialSteps{false, false}) == "none");
  CHECK(to_string(SpatialSteps{true, false}) == "profiles");
  CHECK(to_string(SpatialSteps{false, true}) == "neighbours");
  CHECK(to_string(SpatialSteps{true, true}) == "profiles and neighbours");
}

TEST_CASE("sample columns: profiles follow the spectra where classifiers have a kernel of them, and are not scaled") {
  SampleSet samples = toy::three_classes(5, 1);
  samples.profiles = Random(2).normal_matrix(15, 4).cast<float>().cast<double>();
  Model model = toy::random_model(3, 10, 20, 1);
  CHECK(profile_features(model) == 0);
  CHECK(raw_columns(model, samples) == Spectra(samples.spectra.cast<float>()));
  CHECK(scaled_columns(model, samples) == model.scaling.apply(samples.spectra));
  toy::add_profiles(model, 4, 0.5, 0.5, 3);
  CHECK(profile_features(model) == 4);
  const Spectra raw = raw_columns(model, samples);
  CHECK(raw.leftCols(10) == Spectra(samples.spectra.cast<float>()));
  CHECK(raw.rightCols(4).cast<double>() == samples.profiles);
  CHECK(scaled_columns(model, samples) == joined_columns(model.scaling.apply(samples.spectra), samples.profiles));
  samples.profiles.resize(15, 0);
  CHECK_THROWS_WITH_AS(raw_columns(model, samples), "the samples have profiles of 0 features; the model wants 4",
                       DataError);
  CHECK_THROWS_AS(scaled_columns(model, samples), DataError);
}

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

std::string broken(const std::function<void(Model&)>& change) {
  Model model = small_model();
  change(model);
  return message_of([&] { check_model(model); });
}

std::string broken_classifier(const std::function<void(BinaryClassifier&)>& change) {
  return broken([&](Model& model) { change(model.classifiers[0]); });
}

std::string broken_novelty(const std::function<void(ClassNovelty&)>& change) {
  return broken([&](Model& model) { change(model.novelty[0]); });
}

}  // namespace

TEST_CASE("the small model obeys the rules") { CHECK_NOTHROW(check_model(small_model())); }

TEST_CASE("class tables") {
  CHECK(broken([](Model& m) { m.classes.resize(1); }) == "classes has 1 entries; it must have 2 or more");
  CHECK(broken([](Model& m) { m.classes[0].code = 0; }) ==
        "class code 0 follows 0; codes must ascend from 1 to at most 65535");
  CHECK(broken([](Model& m) { m.classes[1].code = 3; }) ==
        "class code 3 follows 3; codes must ascend from 1 to at most 65535");
  CHECK(broken([](Model& m) { m.classes[1].code = 65536; }).starts_with("class code 65536"));
  CHECK(broken([](Model& m) { m.classes[1].name = "Brocoli"; }) == "class name 'Brocoli' occurs twice");
  CHECK(broken([](Model& m) { m.classes[1].name = "caf\xe9"; }).ends_with(" is not UTF-8"));
}

TEST_CASE("probabilities of left-out pixels") {
  const OwnProbabilities own{Vector{{0.9, 0.4}}, {1, 0}};
  const auto broken_own = [&](const std::function<void(OwnProbabilities&)>& change) {
    return broken([&](Model& m) {
      m.own_probabilities = {own, own};
      change(m.own_probabilities[1]);
    });
  };
  CHECK_NOTHROW(([&] {
    Model model = small_model();
    model.own_probabilities = {own, own};
    check_model(model);
  }()));
  CHECK(broken([&](Model& m) { m.own_probabilities = {own}; }) ==
        "own_probabilities must have an entry for each class");
  CHECK(broken_own([](OwnProbabilities& o) { o.units.resize(1); }) ==
        "own_probabilities has lists of different lengths");
  const std::string rule = "own_probabilities must descend, of units with numbers below the number of samples";
  CHECK(broken_own([](OwnProbabilities& o) { o.probabilities(1) = 0.95; }) == rule);
  CHECK(broken_own([](OwnProbabilities& o) { o.units[0] = 2; }) == rule);
  CHECK(broken_own([](OwnProbabilities& o) { o.probabilities(0) = not_a_number; }) == rule);
}

TEST_CASE("counts of left-out pixels") {
  CHECK_NOTHROW([] {
    Model model = small_model();
    model.provenance.left_out.confusion.reset();
    check_model(model);
  }());
  CHECK(broken([](Model& m) { m.provenance.left_out.confusion = CountMatrix::Zero(2, 3); }) ==
        "left_out confusion is 2 x 3; it must be 2 x 2");
  CHECK(broken([](Model& m) { (*m.provenance.left_out.confusion)(0, 1) = -1; }) ==
        "left_out confusion holds a number that is no count of pixels");
}

TEST_CASE("validations") {
  const auto broken_validation = [](const std::function<void(Validation&)>& change) {
    return broken([&](Model& m) {
      m.provenance.validation = small_validation();
      change(*m.provenance.validation);
    });
  };
  Model validated = small_model();
  validated.provenance.validation = small_validation();
  CHECK_NOTHROW(check_model(validated));
  CHECK(broken_validation([](Validation& v) { v.results.clear(); }) == "validation results is empty");
  CHECK(broken_validation([](Validation& v) { v.results[1].confusion = CountMatrix::Zero(2, 3); }) ==
        "confusion of validation result 2 is 2 x 3; it must be 2 x 2");
  CHECK(broken_validation([](Validation& v) { v.results[0].confusion(0, 1) = -1; }) ==
        "confusion of validation result 1 holds a number that is no count of pixels");
}

TEST_CASE("bands and scaling") {
  CHECK(broken([](Model& m) { m.bands.clear(); }) == "bands is empty");
  CHECK(broken([](Model& m) { m.bands[2] = 5; }) ==
        "band index 5 follows 2; indices must ascend and be below scene_bands (5)");
  CHECK(broken([](Model& m) { m.bands[0] = -1; }).starts_with("band index -1"));
  CHECK(broken([](Model& m) { m.bands[1] = 0; }).starts_with("band index 0 follows 0"));
  CHECK(broken([](Model& m) { m.band_table.pop_back(); }) == "band_table is 2 x 1; it must be 3 x 1");
  CHECK(broken([](Model& m) { m.band_table[0].wavelength = not_a_number; }) ==
        "wavelength of band 'blue' is nan; it must be finite");
  CHECK(broken([](Model& m) { m.band_table[0].scale = infinite; }) == "scale of band 'blue' is inf; it must be finite");
  CHECK(broken([](Model& m) { m.band_table[0].offset = not_a_number; }) ==
        "offset of band 'blue' is nan; it must be finite");
  const std::string rule = "; indices must ascend, be below scene_bands (5) and not be those of bands used";
  CHECK(broken([](Model& m) { m.dropped_bands[1].band = 1; }) == "dropped band index 1 follows 1" + rule);
  CHECK(broken([](Model& m) { m.dropped_bands[1].band = 4; }) == "dropped band index 4 follows 1" + rule);
  CHECK(broken([](Model& m) { m.dropped_bands[1].band = 5; }) == "dropped band index 5 follows 1" + rule);
  CHECK(broken([](Model& m) { m.dropped_bands.pop_back(); }) ==
        "bands and dropped_bands are 4 together; they must be the scene's 5");
  CHECK(broken([](Model& m) { m.scaling.offset.resize(2); }) == "scaling offset is 2 x 1; it must be 3 x 1");
  CHECK(broken([](Model& m) { m.scaling.scale.resize(4); }) == "scaling scale is 4 x 1; it must be 3 x 1");
  CHECK(broken([](Model& m) { m.scaling.offset(1) = infinite; }) == "scaling offset holds a value that is not finite");
  CHECK(broken([](Model& m) { m.scaling.scale(1) = -1; }) == "scaling scale holds a value that is not positive");
  CHECK(broken([](Model& m) { m.scaling.scale(1) = not_a_number; }) ==
        "scaling scale holds a value that is not finite");
}

TEST_CASE("support spectra, classifiers and slope") {
  CHECK(broken([](Model& m) { m.support_spectra.conservativeResize(4, 2); }) ==
        "support_spectra is 4 x 2; it must be 4 x 3");
  CHECK(broken([](Model& m) { m.support_spectra(3, 2) = not_a_number; }) ==
        "support_spectra holds a value that is not finite");
  CHECK(broken([](Model& m) { m.classifiers.pop_back(); }) == "machines is 1 x 1; it must be 2 x 1");
  CHECK(broken([](Model& m) { m.combination = Matrix::Identity(2, 3); }) == "combination is 2 x 3; it must be 2 x 2");
  CHECK(broken([](Model& m) { m.combination = Matrix::Constant(2, 2, infinite); }) ==
        "combination holds a value that is not finite");
  CHECK(broken([](Model& m) { m.softmax_slope = 0; }).starts_with("softmax_slope is 0.0"));
  CHECK(broken([](Model& m) { m.softmax_slope = infinite; }).starts_with("softmax_slope is inf"));
}

TEST_CASE("early stages") {
  const auto broken_stages = [](void (*change)(EarlyStages&)) {
    return broken([&](Model& m) {
      m.early_stages = EarlyStages{Matrix::Ones(3, 1), {{{0, 2}, Matrix::Ones(4, 2), Vector::Ones(2), 0.9}}, 5000};
      change(*m.early_stages);
    });
  };
  CHECK(broken_stages([](EarlyStages& s) { s.directions.resize(3, 0); }) == "early_stages directions has no columns");
  CHECK(broken_stages([](EarlyStages& s) { s.stages.clear(); }) == "early_stages has no stages");
  CHECK(broken_stages([](EarlyStages& s) { s.directions.resize(2, 1); }) ==
        "early_stages directions is 2 x 1; it must be 3 x 1");
  CHECK(broken_stages([](EarlyStages& s) { s.directions(0, 0) = infinite; }) ==
        "early_stages directions holds a value that is not finite");
  CHECK(broken_stages([](EarlyStages& s) {
          s.stages[0].support = {2, 2};
        }).starts_with("early_stages support index 2 follows 2; indices must ascend"));
  CHECK(broken_stages([](EarlyStages& s) {
          s.stages[0].support = {0, 4};
        }).starts_with("early_stages support index 4"));
  CHECK(broken_stages([](EarlyStages& s) { s.stages[0].coefficients.resize(2, 2); }) ==
        "early_stages coefficients is 2 x 2; it must be 4 x 2");
  CHECK(broken_stages([](EarlyStages& s) { s.stages[0].coefficients(1, 1) = infinite; }) ==
        "early_stages coefficients holds a value that is not finite");
  CHECK(broken_stages([](EarlyStages& s) { s.stages[0].leads.resize(3); }) ==
        "early_stages leads is 3 x 1; it must be 2 x 1");
  CHECK(broken_stages([](EarlyStages& s) { s.stages[0].leads(0) = not_a_number; }) ==
        "early_stages leads holds a value that is not finite");
  CHECK(broken_stages([](EarlyStages& s) { s.stages[0].leads(0) = -1; }) ==
        "early_stages leads holds a negative value");
}

TEST_CASE("origins of support spectra") {
  const auto broken_origins = [](void (*change)(SupportOrigins&)) {
    return broken([&](Model& m) {
      m.origins =
          SupportOrigins{{"a.gpkg"}, {0, 0}, {7, 9}, {1, 1}, {0, 1}, {0, 1, 2, 2, 3}, {0, 0, 0, 1, 1}, Vector::Ones(5)};
      m.origins->share.segment(2, 2) << 0.25, 0.75;
      change(*m.origins);
    });
  };
  CHECK(broken_origins([](SupportOrigins&) {}) == "nothing was thrown");
  CHECK(broken_origins([](SupportOrigins& o) { o.label.pop_back(); }) ==
        "origins has lists of different lengths, or no feature");
  const std::string range = "origins has an index that is out of range";
  CHECK(broken_origins([](SupportOrigins& o) { o.origin[1] = 2; }) == range);
  CHECK(broken_origins([](SupportOrigins& o) { o.support[4] = 4; }) == range);
  CHECK(broken_origins([](SupportOrigins& o) { o.file[0] = 1; }) == range);
  CHECK(broken_origins([](SupportOrigins& o) { o.label[0] = 2; }) == range);
  const std::string shares = "origins must have shares above 0, whose sum is 1 for each support spectrum";
  CHECK(broken_origins([](SupportOrigins& o) { o.share(2) = 0.5; }) == shares);
  CHECK(broken_origins([](SupportOrigins& o) { o.share(0) = not_a_number; }) == shares);
  CHECK(broken_origins([](SupportOrigins& o) { std::swap(o.support[0], o.support[1]); }) == shares);
}

TEST_CASE("one classifier") {
  const std::string name = "classifier 'Brocoli': ";
  CHECK(broken_classifier([](BinaryClassifier& m) { m.samples = -1; }) == name + "samples is negative");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.metric.weights.resize(1); }) ==
        name + "directions is 3 x 2; it must be 3 x 1");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.metric.directions.conservativeResize(2, 2); }) ==
        name + "directions is 2 x 2; it must be 3 x 2");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.metric.directions(0, 0) = not_a_number; }) ==
        name + "directions holds a value that is not finite");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.metric.weights(1) = 0; }) ==
        name + "weights holds a value that is not positive");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.metric.weights(1) = not_a_number; }) ==
        name + "weights holds a value that is not finite");
  CHECK(broken_classifier([](BinaryClassifier& m) {
          m.metric.rest_weight = -1;
        }).starts_with(name + "rest_weight is -1"));
  CHECK(broken_classifier([](BinaryClassifier& m) {
          m.metric.rest_weight = not_a_number;
        }).starts_with(name + "rest_weight is"));
  CHECK(broken_classifier([](BinaryClassifier& m) { m.C = 0; }).starts_with(name + "C is 0"));
  CHECK(broken_classifier([](BinaryClassifier& m) { m.bias = not_a_number; }) ==
        name + "bias is nan; it must be finite");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.coefficients.resize(2); }) ==
        name + "coefficients is 2 x 1; it must be 3 x 1");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.coefficients(0) = infinite; }) ==
        name + "coefficients holds a value that is not finite");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.support[2] = 4; }) ==
        name + "support index 4 follows 1; indices must ascend and be below the number of support spectra (4)");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.support[0] = -1; }).starts_with(name + "support index -1"));
  CHECK(
      broken_classifier([](BinaryClassifier& m) { m.support[1] = 0; }).starts_with(name + "support index 0 follows 0"));
}

TEST_CASE("a kernel of profiles") {
  CHECK_NOTHROW(check_model(small_profiled_model()));
  const auto refusal = [](auto change) -> std::string {
    Model model = small_profiled_model();
    change(model);
    try {
      check_model(model);
    } catch (const DataError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  const std::string name = "classifier 'Brocoli': profile ";
  CHECK(refusal([](Model& m) { m.profile.reset(); }) == "support_spectra is 4 x 13; it must be 4 x 3");
  CHECK(refusal([](Model& m) { m.profile->radii.pop_back(); }) == "support_spectra is 4 x 13; it must be 4 x 9");
  CHECK(refusal([](Model& m) { m.profile->mean.resize(2); }).starts_with("profile: "));
  CHECK(refusal([](Model& m) { m.classifiers[0].metric.profile = {}; }) == name + "has 0 features; it must have 10");
  CHECK(refusal([](Model& m) { m.classifiers[0].metric.profile.weight = 0; }).starts_with(name + "weight is 0"));
  CHECK(refusal([](Model& m) { m.classifiers[0].metric.profile.share = not_a_number; }).starts_with(name + "share is"));
  CHECK(refusal([](Model& m) { m.classifiers[0].metric.profile.share = 1.5; }).starts_with(name + "share is 1.5"));
  CHECK(refusal([](Model& m) { m.classifiers[1].metric.profile.weight *= 2; }).ends_with("all must have the same"));
  CHECK(refusal([](Model& m) { m.profile_score->gain = not_a_number; }) ==
        "profile_score holds a value that is not finite");
  // What was compared and not kept.
  CHECK(broken([](Model& m) { m.profile_score = ProfileScore{}; }) == "nothing was thrown");
  CHECK(broken([](Model& m) { m.classifiers[0].metric.profile.features = 1; }) ==
        name + "has 1 features; it must have 0");
}

TEST_CASE("the novelty of one class") {
  const std::string name = "novelty of 'Brocoli': ";
  CHECK(broken([](Model& m) { m.novelty.pop_back(); }) == "novelty is 1 x 1; it must be 2 x 1");
  CHECK(broken_novelty([](ClassNovelty& n) { n.gaussian.mean.resize(2); }) == name + "mean is 2 x 1; it must be 3 x 1");
  CHECK(broken_novelty([](ClassNovelty& n) { n.gaussian.mean(0) = infinite; }) ==
        name + "mean holds a value that is not finite");
  CHECK(broken_novelty([](ClassNovelty& n) { n.gaussian.subspace.variances.resize(1); }) ==
        name + "directions is 3 x 2; it must be 3 x 1");
  CHECK(broken_novelty([](ClassNovelty& n) { n.gaussian.subspace.directions(2, 1) = not_a_number; }) ==
        name + "directions holds a value that is not finite");
  CHECK(broken_novelty([](ClassNovelty& n) { n.gaussian.subspace.variances(0) = not_a_number; }) ==
        name + "variances holds a value that is not finite");
  CHECK(broken_novelty([](ClassNovelty& n) { n.gaussian.subspace.variances(0) = 0; }) ==
        name + "variances holds a value that is not positive");
  CHECK(broken_novelty([](ClassNovelty& n) {
          n.gaussian.subspace.noise_variance = 0;
        }).starts_with(name + "noise_variance is 0"));
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail = {}; }) == name + "distances is empty");
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail.values(1) = 0.5; }) ==
        name + "distances must be finite and ascend from above 0");
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail.values(2) = infinite; }) ==
        name + "distances must be finite and ascend from above 0");
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail.probabilities.conservativeResize(2); }) ==
        name + "tail_probabilities is 2 x 1; it must be 3 x 1");
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail.probabilities(2) = 0.5; }) ==
        name + "tail_probabilities must descend from below 1 to above 0");
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail.probabilities(0) = 1; }) ==
        name + "tail_probabilities must descend from below 1 to above 0");
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail.probabilities(2) = not_a_number; }) ==
        name + "tail_probabilities must descend from below 1 to above 0");
  CHECK(broken_novelty([](ClassNovelty& n) { n.samples = Matrix::Ones(4, 2); }) ==
        name + "samples is 4 x 2; it must be 4 x 3");
  CHECK(broken_novelty([](ClassNovelty& n) {
          n.samples = Matrix::Constant(4, 3, infinite);
        }).starts_with(name + "samples"));
  CHECK(broken_novelty([](ClassNovelty& n) {
          n.samples = Matrix::Ones(4, 3);
          n.radius = -1;
        }) == name + "radius must be finite and not below 0");
  CHECK(broken_novelty([](ClassNovelty& n) { n.tail.exponent = -1; }).starts_with(name + "tail_exponent is -1"));
}

TEST_CASE("values that only report may be anything") {
  CHECK(broken_classifier([](BinaryClassifier& m) { m.selection.value = infinite; }) == "nothing was thrown");
  CHECK(broken_classifier([](BinaryClassifier& m) { m.kkt_violation = not_a_number; }) == "nothing was thrown");
}

// Decision values of the model's own classifiers, combined as by the model.
static Matrix own_decisions(const Model& model, const Matrix& spectra) {
  Matrix values(spectra.rows(), static_cast<Index>(model.classifiers.size()));
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    values.col(static_cast<Index>(c)) = decision_values(model.classifiers[c], model.support_spectra, spectra);
  }
  return combined(model.combination, values);
}

TEST_CASE("classifiers that are trained anew on the samples of their model are those of the model") {
  const SampleSet samples = toy::labelled_regions(6, 3);
  TrainingOptions shared;
  TrainingOptions balanced;
  balanced.class_weights = ClassWeights::balanced;
  TrainingOptions descents;
  descents.criterion = CriterionKind::radius_margin;
  for (const TrainingOptions& options : {shared, balanced, descents}) {
    const Model model = train_one_vs_all(samples, options, {});
    const Matrix spectra = model.scaling.apply(samples.spectra);
    Index classifiers = 0;
    const RefittedClassifiers refitted(design_of(model), spectra, samples.labels, [&] { ++classifiers; });
    CHECK(classifiers == 4);
    CHECK((refitted.decisions(spectra) - own_decisions(model, spectra)).cwiseAbs().maxCoeff() < 1e-6);
  }
}

TEST_CASE("classifiers with a kernel of profiles that are trained anew are those of the model") {
  const SampleSet samples = toy::four_classes(30, 4, 4, 1);
  const Model model = train_one_vs_all(samples, {}, {});
  REQUIRE(profile_features(model) == 6);
  const Matrix columns = scaled_columns(model, samples);
  const RefittedClassifiers refitted(design_of(model), columns, samples.labels, {});
  CHECK((refitted.decisions(columns) - own_decisions(model, columns)).cwiseAbs().maxCoeff() < 1e-6);
}

}  // namespace parsimap::test
