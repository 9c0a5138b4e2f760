#include "cli/shared_options.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/io/gdal/settings.hpp"

namespace parsimap {

TEST_CASE("--ram is in megabytes, 64 at least; GDAL's cache takes a quarter of it") {
  const CommandSyntax syntax = {.name = "x", .options = {ram_option("Memory")}};
  const OptionValues unset = parse_command_line(syntax, {});
  CHECK_FALSE(ram_bytes(unset));
  CHECK(share_memory(unset) == 384LL * 1024 * 1024);
  const OptionValues least = parse_command_line(syntax, {"--ram", "64"});
  CHECK(ram_bytes(least) == 64LL * 1024 * 1024);
  CHECK(share_memory(least) == 48LL * 1024 * 1024);
  CHECK_THROWS_AS(parse_command_line(syntax, {"--ram", "63"}), ConfigError);
}

TEST_CASE("threads are those of --threads, then those that Slurm has allotted, then all processors") {
  const CommandSyntax syntax = {.name = "x"};
  const auto threads = [&](const char* slurm, const std::vector<std::string>& words) {
    setenv("SLURM_CPUS_PER_TASK", slurm, 1);
    const OptionValues values = parse_command_line(syntax, words);
    std::string refusal;
    int number = 0;
    try {
      number = thread_count(values);
    } catch (const ConfigError& error) {
      refusal = error.what();
    }
    unsetenv("SLURM_CPUS_PER_TASK");
    return std::pair(number, refusal);
  };
  CHECK(thread_count(parse_command_line(syntax, {})) == resolve_threads(0));
  CHECK(threads("3", {}).first == 3);
  CHECK(threads("3", {"--threads", "5"}).first == 5);
  CHECK(threads("3", {"--threads", "0"}).first == resolve_threads(0));
  CHECK(threads("many", {"--threads", "2"}).first == 2);
  for (const char* wrong : {"many", "", "0", "-2", "1025"}) {
    CHECK(threads(wrong, {}).second == "the environment variable SLURM_CPUS_PER_TASK is '" + std::string(wrong) +
                                           "'; it must be a number of threads from 1 to 1024, or --threads be given");
  }
}

TEST_CASE("what is said about labels and scenes is unset unless given") {
  CommandSyntax syntax = {.name = "x", .arguments = {{"SCENE", "scene"}}, .options = label_option_syntax()};
  syntax.options.push_back(variable_option());
  syntax.options.push_back(mask_option());
  const LabelInput unset = label_input(parse_command_line(syntax, {"s"}), {"a.gpkg"});
  CHECK(unset.files == std::vector<std::string>{"a.gpkg"});
  CHECK_FALSE(unset.options.class_field);
  CHECK_FALSE(unset.options.where);
  CHECK_FALSE(unset.variable);
  const OptionValues given =
      parse_command_line(syntax, {"s", "--class-field", "taxonID", "--where", "split='train'", "--mask", "m.tif"});
  const LabelInput set = label_input(given, {"a.gpkg"});
  CHECK(set.options.class_field == "taxonID");
  CHECK(set.options.where == "split='train'");
  CHECK(scene_input(given).path == "s");
  CHECK(scene_input(given).mask == "m.tif");
  CHECK_FALSE(scene_input(given).variable);
}

TEST_CASE("columns of coordinates go together, and a reference system is an EPSG code") {
  const CommandSyntax syntax = {.name = "x", .arguments = {}, .options = label_option_syntax()};
  const auto input = [&](const std::vector<std::string>& words) {
    return label_input(parse_command_line(syntax, words), {"a.csv"}).options;
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

}  // namespace parsimap
