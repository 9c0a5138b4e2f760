#include "commands/train_report.hpp"

#include <doctest/doctest.h>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/sha256.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/small_scene.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {

TEST_CASE("bands left out are placed by wavelength where all are known, else by number") {
  const SampleSet samples = toy::three_classes(20, 1);
  Model model = train_one_vs_all(samples, {}, {});
  model.bands.clear();
  BandTable bands;
  for (Index b = 0; b < 11; ++b) {
    bands.push_back({"", 400.0 + 10.0 * static_cast<double>(b)});
    if (b != 4) {
      model.bands.push_back(b);
    }
  }
  model.scene_bands = 11;
  TrainingRecord record;
  record.scene = "/data/scene";
  model.dropped_bands = {{4, "constant"}};
  const auto page_of = [&](const BandTable& table) {
    MemoryScene scene("scene", {100, 1, {}, {}}, table, Spectra::Constant(100, 11, 1));
    const TrainingOptions options;
    return train_report(model, record, {samples, scene, scene.grid(), options, {}, "2026-11-22"});
  };
  const std::string page = page_of(bands);
  CHECK(contains(page, "\"dropped_wavelengths\": [\n    440.0\n  ]"));
  CHECK(contains(page, "<tr><td>5</td><td>constant</td></tr>"));
  CHECK(contains(page, "<h1>Training on scene</h1>"));
  CHECK(contains(page, "<figure id=\"picture-training\">"));
  CHECK(contains(page, ", 2026-11-22</p>"));
  bands[4].wavelength.reset();
  CHECK(contains(page_of(bands), "\"dropped_wavelengths\": []"));
}

TEST_CASE("train writes its report with the model, which is the same as without") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  TrainOptions options = small.training(folder.file("model"));
  options.report = folder.file("model.html");
  CHECK(train(options).record.report == folder.file("model.html"));
  CHECK(file_content(folder.file("model")) == file_content(small.model()));
  const std::string page = file_content(folder.file("model.html"));
  CHECK(contains(page, "Accuracy of left-out"));
  CHECK(contains(page, sha256_of_file(small.polygons())));
  CHECK(contains(page, "data-figure=\"scree\""));
  CHECK(contains(page, "<td>water</td>"));
  options.model = folder.file("other");
  options.report = options.model;
  CHECK(contains(message_of([&] { train(options); }), "is the same file as MODEL"));
}

}  // namespace parsimap::test
