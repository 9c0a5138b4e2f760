#include "cli/training_validation.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/io/json/model_file.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

nlohmann::json validation_of(const Outcome& outcome) {
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return nlohmann::json::parse(outcome.out).at("validation");
}

}  // namespace

TEST_CASE("train --validate: polygons stay whole, and the model is the one without it") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Outcome outcome =
      train_small(small.polygons(), folder.file("a"), {"--class-field", "class", "--validate", "folds:2", "--json"});
  const auto validation = validation_of(outcome);
  CHECK(validation.at("folds") == 2);
  CHECK(validation.at("grouping") == "regions");
  CHECK(validation.at("buffer") == 0);
  CHECK(validation.at("results").size() == 2);
  CHECK(validation.at("overall_accuracy") > 0.9);
  const Model plain = load_model(small.model());
  CHECK(validation.at("pixels") == plain.provenance.training_pixels);
  const Model model = load_model(folder.file("a"));
  CHECK(model.support_spectra == plain.support_spectra);
  CHECK(model.softmax_slope == plain.softmax_slope);
  REQUIRE(model.provenance.validation);
  const Outcome info = run({"info", folder.file("a")});
  CHECK(contains(info.out, "Validation by 2 folds of"));
  CHECK(nlohmann::json::parse(run({"info", folder.file("a"), "--json"}).out).at("validation") == validation);
}

TEST_CASE("a validation is the same for any number of threads and any memory") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::vector<std::string> options = {"--class-field", "class", "--validate", "folds:2",
                                            "--repeats",     "2",     "--seed",     "5"};
  std::vector<std::string> one = options;
  one.insert(one.end(), {"--threads", "1", "--ram", "64"});
  std::vector<std::string> two = options;
  two.insert(two.end(), {"--threads", "2"});
  REQUIRE(train_small(small.polygons(), folder.file("a"), one).code == 0);
  REQUIRE(train_small(small.polygons(), folder.file("b"), two).code == 0);
  CHECK(file_content(folder.file("a")) == file_content(folder.file("b")));
}

TEST_CASE("single pixels of polygons leak, which is said; a buffer counts what it leaves out") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Outcome pixels =
      train_small(small.polygons(), folder.file("a"),
                  {"--class-field", "class", "--validate", "folds:3", "--groups", "pixels", "--json"});
  CHECK(validation_of(pixels).at("grouping") == "pixels");
  CHECK(contains(pixels.err, "warning: --groups pixels tests on pixels of regions that it also trains on"));
  // The scene has no finer pixels than this: every neighbour is left out.
  const Outcome buffered = train_small(
      small.polygons(), folder.file("b"),
      {"--class-field", "class", "--validate", "folds:2", "--groups", "pixels", "--buffer", "1.2", "--json"});
  const auto validation = validation_of(buffered);
  for (const auto& fold : validation.at("results")) {
    CHECK(fold.at("buffered_pixels") > 0);
  }
}

TEST_CASE("connected areas of a label raster stay whole") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Outcome outcome = train_small(small.reference(), folder.file("a"),
                                      {"--validate", "folds:2", "--samples-per-class", "20", "--json"});
  CHECK(validation_of(outcome).at("groups") == 4);  // two of each class, which touch at a corner
}

TEST_CASE("a group field keeps features together; a class in one group is named") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Outcome outcome =
      train_small(small.polygons(), folder.file("a"),
                  {"--class-field", "class", "--validate", "folds:2", "--group-field", "split", "--json"});
  const auto validation = validation_of(outcome);
  CHECK(validation.at("grouping") == "field split");
  CHECK(validation.at("groups") == 2);
  // Without --validate the field is an option of the training.
  CHECK(train_small(small.polygons(), folder.file("c"), {"--class-field", "class", "--group-field", "split"}).code ==
        0);
  const Outcome alone = train_small(small.polygons(), folder.file("b"),
                                    {"--class-field", "class", "--validate", "folds:2", "--group-field", "class"});
  CHECK(alone.code == 3);
  CHECK(contains(alone.err,
                 "no fold can train two classes and test one of them: every class needs pixels in two groups"));
  const Outcome many =
      train_small(small.polygons(), folder.file("b"), {"--class-field", "class", "--validate", "folds:500"});
  CHECK(many.code == 3);
  CHECK(contains(many.err, "groups, which cannot make 500 folds"));
  CHECK(folder.names() == std::vector<std::string>{"a", "c"});
}

}  // namespace parsimap::test
