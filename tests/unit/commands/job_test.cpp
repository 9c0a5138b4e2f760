#include "parsimap/commands/job.hpp"

#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/options/command_line.hpp"

#include "commands/job_frame.hpp"
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

TEST_CASE("a job keeps outputs from replacing inputs, counts stages and publishes everything together") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), "{}");
  write_file(folder.file("data"), "1");
  SimulateOptions options;
  options.spec = folder.file("spec.json");
  options.output_folder = folder.file("scene");
  options.overwrite = true;
  Listener silent;
  RunCost record{-1};
  std::string date;
  {
    Job job(options, silent);
    REQUIRE(job.inputs().size() == 1);
    CHECK(job.inputs()[0].path == options.spec);
    job.add_input({"data file", folder.file("data"), {}});
    for (const std::string input : {"spec.json", "data"}) {
      CHECK(contains(message_of([&] { job.outputs().stage("output", folder.file(input)); }), "cannot be replaced"));
    }
    const StagedOutput& output = job.outputs().stage("output", folder.file("text"));
    job.stage_page("--report", std::nullopt);
    CHECK_FALSE(job.has_page());
    job.stage_page("--report", folder.file("page.html"));
    date = job.date();
    CHECK(date.size() == 10);
    write_text(output, "text");
    job.write_page("<body>page</body>");
    job.end_stage(record, "work");
    CHECK_FALSE(std::filesystem::exists(folder.file("text")));
    job.publish(record);
  }
  CHECK(file_content(folder.file("text")) == "text");
  // With the command, for those who want to run it again.
  CHECK(file_content(folder.file("page.html")) ==
        "<body>page<script type=\"application/json\" id=\"command\">{\"date\":\"" + date +
            "\",\"words\":[\"simulate\"" + ",\"--overwrite\",\"" + options.spec + "\",\"" + options.output_folder +
            "\"]}</script>\n</body>");
  REQUIRE(record.stages.size() == 2);
  CHECK(record.stages[0].first + record.stages[1].first == "workwrite");
  CHECK(record.seconds >= record.stages[0].second);
  CHECK(record.peak_memory_bytes > 0);
}

TEST_CASE("settings are those that have a value, in full precision") {
  MapOptions options;
  options.reject = 0.50000001;
  options.threads = 2;
  const Settings expected = {{"reject", "0.50000001"}};
  CHECK(settings(options, [](const OptionSyntax& option) { return option.effect == Effect::result; }) == expected);
  CHECK(settings(options).size() == 2);
}

TEST_CASE("peak memory grows with what is touched") {
  const std::int64_t before = peak_memory_bytes();
  constexpr std::int64_t kBytes = std::int64_t{64} << 20U;
  const std::vector<char> block(static_cast<std::size_t>(kBytes), 1);
  CHECK(block.back() == 1);
  CHECK(peak_memory_bytes() > before / 2 + kBytes / 2);
  CHECK(before > 1 << 20U);
}

#ifndef PARSIMAP_SANITIZED  // which has a heap of its own

namespace {

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// How many pages the system clears for a block of 16 MB that is taken and given back again and again.
long faults_of_blocks() {
  const long before = page_faults();
  for (int i = 0; i < 20; ++i) {
    const std::vector<char> block(std::size_t{16} << 20U, 1);
    CHECK(block.back() == 1);
  }
  return page_faults() - before;
}

}  // namespace

TEST_CASE("heap: large blocks go back to the system, or stay for those who need them again and again") {
  return_large_blocks();
  // Other tests may have left free memory in the heap, from which blocks are taken first: it is filled, until the
  // system gives a block of its own.
  std::vector<std::vector<char>> filled;
  const std::size_t given_by_system = mallinfo2().hblks;
  do {
    filled.emplace_back(std::size_t{16} << 20U, 1);
  } while (mallinfo2().hblks == given_by_system);
  const long returned = faults_of_blocks();
  keep_free_memory();
  const long kept = faults_of_blocks();
  CHECK(kept < returned / 4);
  return_large_blocks();
}

#endif

}  // namespace parsimap::test
