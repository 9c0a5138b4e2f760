#include "parsimap/json/json_text.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/json/colour_file.hpp"
#include "parsimap/json/experiment_results.hpp"
#include "parsimap/json/experiment_spec.hpp"
#include "parsimap/json/simulation_spec.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) {
    text += open;
  }
  text += "1";
  for (std::size_t i = 0; i < depth; ++i) {
    text += close;
  }
  return text;
}

}  // namespace

TEST_CASE("a JSON file that is missing, empty, special or too large is refused with its role and name") {
  const TemporaryFolder folder;
  write_file(folder.file("empty.json"), "");
  write_file(folder.file("full.json"), "{}\n");
  CHECK(read_json_text(folder.file("full.json"), "experiment") == "{}\n");
  const auto refusal = [](const std::string& path) { return message_of([&] { read_json_text(path, "experiment"); }); };
  CHECK(refusal(folder.file("none.json")) ==
        "experiment '" + folder.file("none.json") + "' cannot be read: No such file or directory");
  CHECK(refusal(folder.file("empty.json")) == "experiment '" + folder.file("empty.json") + "' is empty");
  CHECK(refusal("/dev/zero") == "experiment '/dev/zero' is a device; an input must be a regular file");
  std::filesystem::resize_file(folder.file("full.json"), kLargestConfiguration + 1);
  CHECK(refusal(folder.file("full.json")) == "experiment '" + folder.file("full.json") +
                                                 "' has more than 67108864 bytes; that is too much for a file of its "
                                                 "kind");
  CHECK_THROWS_AS(read_json_text("/dev/zero", "experiment"), ConfigError);
}

TEST_CASE("nesting is counted outside of texts") {
  CHECK_NOTHROW(check_json_nesting(nested(100, "[", "]")));
  CHECK_THROWS_AS(check_json_nesting(nested(101, "[", "]")), ConfigError);
  CHECK_THROWS_AS(check_json_nesting(nested(51, "{\"a\":[", "]}")), ConfigError);
  CHECK_NOTHROW(check_json_nesting("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]"));
  std::string siblings = "[";
  for (int i = 0; i < 1000; ++i) {
    siblings += "[],";
  }
  CHECK_NOTHROW(check_json_nesting(siblings + "1]"));
}

TEST_CASE("every reader of JSON refuses what is nested too deep, and names its file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("deep.json");
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
    write_file(path, nested(200'000, open, close));
    const std::string expected =
        path + ": not valid JSON for this program: lists and objects are nested more than 100 deep";
    CHECK(message_of([&] { read_experiment(path); }) == expected);
    CHECK(message_of([&] { read_simulation_spec(path); }) == expected);
    CHECK(message_of([&] { read_colour_file(path); }) == expected);
    CHECK_THROWS_AS(run_from_line(nested(200'000, open, close)), DataError);
  }
}

TEST_CASE("a number that is too large for any type is told with its file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("large.json");
  write_file(path, "{\"seed\": 1e999}");
  const std::string expected = path + ": not valid JSON: number overflow parsing '1e999'";
  CHECK(message_of([&] { read_experiment(path); }) == expected);
  CHECK(message_of([&] { read_simulation_spec(path); }) == expected);
  CHECK(message_of([&] { read_colour_file(path); }) == expected);
}

}  // namespace parsimap::test
