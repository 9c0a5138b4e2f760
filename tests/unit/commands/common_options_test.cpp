#include "commands/common_options.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/options/command_line.hpp"

#include "commands/job_frame.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

namespace {

void parse(const std::vector<OptionSyntax>& options, const std::vector<std::string>& words) {
  parse_command_line({.name = "x", .options = options}, words);
}

}  // namespace

TEST_CASE("--ram is in megabytes, 64 at least; GDAL's cache takes a quarter of it") {
  JobOptions job;
  CHECK(work_bytes(job) == 384LL * 1024 * 1024);
  parse({ram_option(job, "Memory")}, {"--ram", "64"});
  CHECK(job.ram_bytes == 64LL * 1024 * 1024);
  CHECK(work_bytes(job) == 48LL * 1024 * 1024);
  CHECK(settings_of({ram_option(job, "Memory")}) == Settings{{"ram", "64"}});
  CHECK_THROWS_AS(parse({ram_option(job, "Memory")}, {"--ram", "63"}), ConfigError);
}

TEST_CASE("a setting of GDAL has a key and a value") {
  JobOptions job;
  CHECK_THROWS_WITH_AS(parse(job_options(job), {"--config", "KEY"}), "--config: 'KEY' must have the form KEY=VALUE",
                       ConfigError);
  parse(job_options(job), {"--config", "A=B"});
  CHECK(job.gdal_settings == std::vector<std::string>{"A=B"});
}

TEST_CASE("what is said about labels and scenes is unset unless given") {
  LabelInput labels;
  SceneInput scene;
  std::vector<OptionSyntax> options = joined(label_options(labels), scene_options(scene));
  parse(options, {});
  CHECK_FALSE(labels.options.class_field);
  CHECK_FALSE(labels.variable);
  CHECK(settings_of(options).empty());
  parse(options,
        {"--class-field", "taxonID", "--where", "split='train'", "--mask", "m.tif", "--quality", "cloud, haze"});
  CHECK(labels.options.class_field == "taxonID");
  CHECK(labels.options.where == "split='train'");
  CHECK(scene.mask == "m.tif");
  CHECK(scene.quality == std::vector<std::string>{"cloud", "haze"});
  CHECK_FALSE(scene.variable);
}

TEST_CASE("the first file of labels is the argument, the others are options") {
  LabelInput labels;
  bool scene = true;
  const auto has_scene = [&] { return scene; };
  const CommandSyntax syntax{.name = "x",
                             .arguments = {labels_argument(labels, has_scene)},
                             .options = {further_labels_option(labels, has_scene, "Further")}};
  parse_command_line(syntax, {"a", "--labels", "b", "--labels", "c"});
  CHECK(labels.files == std::vector<std::string>{"a", "b", "c"});
  CHECK(settings_of(syntax.options) == Settings{{"labels", "b"}, {"labels", "c"}});
  CHECK(named_files(syntax).size() == 3);
  scene = false;
  CHECK(settings_of(syntax.options).size() == 3);
}

TEST_CASE("columns of coordinates go together, and a reference system is an EPSG code") {
  RecordingListener listener;
  const auto input = [&](const std::vector<std::string>& words) {
    LabelInput labels;
    parse(label_options(labels), words);
    complete_label_options(labels, listener);
    return labels.options;
  };
  CHECK(input({"--x", "e", "--y", "n", "--crs", "EPSG:32633"}).epsg == 32633);
  CHECK(input({"--x", "e", "--y", "n"}).y_field == "n");
  CHECK_THROWS_AS(input({"--x", "e"}), ConfigError);
  for (const char* crs : {"32633", "EPSG:", "EPSG:x", "EPSG:0"}) {
    CAPTURE(crs);
    CHECK_THROWS_AS(input({"--crs", crs}), ConfigError);
  }
  CHECK_THROWS_AS(input({"--classes", "/no/such/table.csv"}), DataError);
}

}  // namespace parsimap::test
