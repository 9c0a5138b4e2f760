
#include <doctest/doctest.h>

#include "parsimap/classifier/train.hpp"
#include "parsimap/report/training_report.hpp"

#include "support/page_sections.hpp"
#include "support/toy_samples.hpp"
#include "unit/classifier/small_model.hpp"

using namespace parsimap;

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

using parsimap::test::ids_of;

TEST_CASE("the page of a model has what it knows of its training") {
  const Model model = small_model();
  const CommandPage page = model_page(model);
  CHECK(page.title == "Model of 2 classes");
  CHECK(page.verdict == training_verdict(model));
  CHECK(page.lead == "2 classes, 55 pixels, 3 of 5 bands, hdda kernel, standardise scaling.");
  CHECK(page.date.empty());
  CHECK(ids_of(page.sections) ==
        std::vector<std::string>{"classes", "confusion", "spectra", "machines", "metric", "weights", "inputs", "run"});
  for (const PageSection& section : page.sections) {
    CHECK(section.pictures.empty());
  }
  CHECK(page.sections[6].tables[0].rows ==
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
        std::vector<std::string>{"classes", "spectra", "machines", "weights", "criterion"});
}

TEST_CASE("the page of a model has its validation") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  const CommandPage page = model_page(model);
  CHECK(page.sections[1].id == "validation");
  CHECK(page.sections[1].figures == std::vector<std::string>{"confusion"});
}
