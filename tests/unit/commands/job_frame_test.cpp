#include "commands/job_frame.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/options/command_line.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("threads are those of --threads, then those that Slurm has allotted, then all processors") {
  const auto threads = [&](const char* slurm, const std::vector<std::string>& words) {
    setenv("SLURM_CPUS_PER_TASK", slurm, 1);
    std::string refusal;
    int number = 0;
    try {
      JobOptions job;
      parse_command_line({.name = "x", .options = job_options(job)}, words);
      number = thread_count(job);
    } catch (const ConfigError& error) {
      refusal = error.what();
    }
    unsetenv("SLURM_CPUS_PER_TASK");
    return std::pair(number, refusal);
  };
  CHECK(thread_count({}) == resolve_threads(0));
  CHECK(threads("3", {}).first == 3);
  CHECK(threads("3", {"--threads", "5"}).first == 5);
  CHECK(threads("3", {"--threads", "0"}).first == resolve_threads(0));
  CHECK(threads("many", {"--threads", "2"}).first == 2);
  for (const char* wrong : {"many", "", "0", "-2", "1025"}) {
    CHECK(threads(wrong, {}).second == "the environment variable SLURM_CPUS_PER_TASK is '" + std::string(wrong) +
                                           "'; it must be a number of threads from 1 to 1024, or --threads be given");
  }
}

TEST_CASE("the inputs of a command are all files that its options name and that it reads") {
  MapOptions options;
  options.scene.path = "scene";
  options.scene.mask = "mask";
  options.model = "model";
  options.map = "map";
  options.colours = "colours";
  options.segments = "segments";
  options.options_file = "options";
  options.layers[MapLayer::novelty] = "novelty";
  std::vector<std::string> paths;
  for (const NamedFile& file : input_files(work_syntax(options))) {
    paths.push_back(file.path);
  }
  CHECK(paths == std::vector<std::string>{"scene", "model", "segments", "colours", "mask", "options"});
}

TEST_CASE("no output replaces an input, whichever option names it") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  write_file(folder.file("rates.csv"), "forest,10\nwater,10\n");
  TrainOptions options = small.training(folder.file("m"));
  options.sampling = parse_sampling_rule("byclass:" + folder.file("rates.csv"));
  options.samples_out = folder.file("rates.csv");
  options.overwrite = true;
  Listener silent;
  CHECK(contains(message_of([&] { train_scene(options, silent); }), "an input cannot be replaced"));
  CHECK(file_content(folder.file("rates.csv")) == "forest,10\nwater,10\n");
}

TEST_CASE("settings are those that have a value, in full precision") {
  MapOptions options;
  options.reject = 0.50000001;
  options.threads = 2;
  const Settings expected = {{"reject", "0.50000001"}};
  CHECK(settings(options, [](const OptionSyntax& option) { return option.effect == Effect::result; }) == expected);
  CHECK(settings(options).size() == 2);
}

}  // namespace parsimap::test
