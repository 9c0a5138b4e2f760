#include "cli/samples_file.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/io/json/model_file.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
TEST_CASE("training on the samples of a training gives the same machines") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Outcome first = train_small(small.reference(), folder.file("first"),
                                    {"--sampling", "total:60", "--samples-out", folder.file("first.gpkg"), "--json"});
  CAPTURE(first.err);
  REQUIRE(first.code == 0);
  CHECK(nlohmann::json::parse(first.out).at("samples_out") == folder.file("first.gpkg"));
  REQUIRE(train_small(folder.file("first.gpkg"), folder.file("second"), {"--class-field", "code"}).code == 0);
  const Model a = load_model(folder.file("first"));
  const Model b = load_model(folder.file("second"));
  CHECK(a.provenance.training_pixels == 60);
  CHECK(a.support_spectra == b.support_spectra);
  REQUIRE(a.machines.size() == b.machines.size());
  for (std::size_t c = 0; c < a.machines.size(); ++c) {
    CHECK(a.machines[c].coefficients == b.machines[c].coefficients);
  }
  CHECK(folder.names() == std::vector<std::string>{"first", "first.gpkg", "second"});
}

TEST_CASE("samples come with the model or not at all") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string samples = folder.file("s.gpkg");
  CHECK(train_small(small.reference(), folder.file("no/model"), {"--samples-out", samples}).code == 2);
  CHECK(train_small(small.polygons(), folder.file("m"), {"--samples-out", samples}).code == 2);
  CHECK(contains(train_small(small.reference(), samples, {"--samples-out", samples}).err, "is the same file as MODEL"));
  CHECK(contains(train_small(small.reference(), folder.file("m"), {"--samples-out", folder.file("s.txt5")}).err,
                 "no vector format"));
  CHECK(contains(train_small(small.polygons(), folder.file("m"),
                             {"--class-field", "class", "--samples-out", small.polygons(), "--overwrite"})
                     .err,
                 "is the same file as LABELS"));
  CHECK(folder.names().empty());
  // A model that cannot be put in place takes the samples with it.
  const Model model = load_model(small.model());
  SampleSet one;
  one.classes = model.classes;
  one.spectra = Matrix::Zero(1, 1);
  one.labels = {0};
  one.pixels = {0};
  one.regions = {1};
  one.groups = {1};
  CHECK_THROWS(save_model_and_samples(model, folder.file("no/model"), one, {2, 2, {}, ""}, samples, false));
  CHECK(folder.names().empty());
}

}  // namespace parsimap::test
