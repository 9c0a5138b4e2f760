#include <doctest/doctest.h>
#include <gdal.h>
#include <nlohmann/json.hpp>

#include "parsimap/commands/command.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/options/command_line.hpp"

#include "unit/cli/product_folder.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

// The class codes of a map, a row after the other.
std::vector<std::uint16_t> codes_of(const std::string& path) {
  const auto map = open_class_map(path);
  std::vector<std::uint16_t> codes;
  map->read({0, 0, kProductWidth, kProductHeight}, codes);
  return codes;
}

}  // namespace

TEST_CASE("usage and help") {
  const Outcome alone = run({});
  CHECK(alone.code == 2);
  CHECK(alone.out.empty());
  const Outcome help = run({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  CHECK(alone.err == help.out);
  const std::string version = std::string("parsimap ") + PARSIMAP_VERSION + "\ninstructions: " + instruction_set() +
                              "\nGDAL: " GDAL_RELEASE_NAME "\n";
  CHECK(run({"-h"}).out == help.out);
  for (const Command& command : commands()) {
    CHECK(contains(help.out, "  " + command.name + " "));
    const CommandCall call = command.call();
    CHECK(run({command.name, "--help"}).out == help_text(call.syntax));
    CHECK(run({command.name, "--version"}).out == version);
  }
  CHECK(run({"--version"}).out == version);
}

TEST_CASE("commands and options that do not exist") {
  const Outcome typo = run({"clasify", "a", "b", "c"});
  CHECK(typo.code == 2);
  CHECK(typo.out.empty());
  CHECK(typo.err.rfind("parsimap: unknown command 'clasify'; did you mean 'classify'?\n\nUsage: ", 0) == 0);
  CHECK(contains(run({"predict"}).err, "parsimap: unknown command 'predict'\n"));
  CHECK(contains(run({"-q", "info"}).err, "option '-q' comes before the command"));
  const Outcome option = run({"info", "x", "--jsn"});
  CHECK(option.code == 2);
  CHECK(option.err == "parsimap: unknown option '--jsn'; did you mean '--json'?\n");
}

TEST_CASE("exit codes follow the kind of error, and errors are not silenced") {
  CHECK(run({"info"}).code == 2);
  const Outcome missing = run({"info", "/no/such/scene.tif", "-q", "--json"});
  CHECK(missing.code == 3);
  CHECK(missing.out.empty());
  CHECK(missing.err.rfind("parsimap: ", 0) == 0);
  CHECK(contains(missing.err, "/no/such/scene.tif"));
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  std::ostringstream err;
  CHECK(run_program({"--help"}, broken, err) == 1);
  CHECK(err.str() == "parsimap: standard output cannot be written\n");
}

TEST_CASE("the whole chain runs, with one JSON document per command") {
  const SmallScene& small = SmallScene::instance();
  const std::vector<std::vector<std::string>> runs = {
      {"simulate", small.file("spec.json"), small.file("again")},
      {"train", "--kernel", "gaussian", small.scene(), small.reference(), small.file("model2"), "--samples-per-class",
       "20"},
      {"classify", small.scene(), small.model(), small.file("map2.tif")},
      {"assess", small.map(), small.reference()},
      {"info", small.scene()},
      {"info", small.model()}};
  for (std::vector<std::string> arguments : runs) {
    CAPTURE(arguments.front());
    arguments.emplace_back("--json");
    arguments.emplace_back("-q");
    const Outcome outcome = run(arguments);
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK(nlohmann::json::accept(outcome.out));
    arguments.resize(arguments.size() - 2);
    arguments.emplace_back("--overwrite");
    const Outcome readable = run(arguments);
    CHECK(readable.code == 0);
    CHECK_FALSE(readable.out.empty());
  }
}

TEST_CASE("progress goes to the error stream when it is asked for, but not with --quiet") {
  const SmallScene& small = SmallScene::instance();
  const std::vector<std::string> map = {"classify", small.scene(), small.model(), small.file("map3.tif"),
                                        "--overwrite"};
  const auto with = [&map](std::vector<std::string> options) {
    options.insert(options.begin(), map.begin(), map.end());
    return run(options);
  };
  CHECK(with({}).err.empty());
  CHECK(contains(run({"train", "--kernel", "gaussian", small.scene(), small.reference(), small.file("model3"),
                      "--progress", "bar"})
                     .err,
                 "training ["));
  const Outcome quiet = with({"--progress", "json", "-q"});
  CHECK(quiet.err.empty());
  CHECK(quiet.out.empty());
  const Outcome outcome = with({"--progress", "json", "--json"});
  CHECK(nlohmann::json::accept(outcome.out));
  std::istringstream lines(outcome.err);
  std::vector<std::string> stages;
  double fraction = 0;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json json = nlohmann::json::parse(line);
    if (stages.empty() || json.at("stage") != stages.back()) {
      stages.push_back(json.at("stage"));
    }
    CHECK(json.at("fraction") >= fraction);
    CHECK(json.at("seconds_left").is_number());
    fraction = json.at("fraction");
  }
  CHECK(stages == std::vector<std::string>{"classifying", "writing"});
  CHECK(fraction == 1);
}

TEST_CASE("with progress for programs every line of the error stream is one object, whatever happens") {
  const SmallScene& small = SmallScene::instance();
  const std::vector<std::vector<std::string>> commands = {
      {"classify", small.scene(), small.model(), small.file("map4.tif"), "--overwrite", "--regularise", "auto"},
      {"classify", small.scene(), small.scene(), small.file("map4.tif")},
      {"classify", small.scene(), small.model(), small.file("map4.tif"), "--rejectt", "1"},
      {"train", small.scene(), small.polygons(), small.file("m4"), "--kernel", "gaussian", "--spatial", "none"},
      {"clasify"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--progress", "json"});
    const Outcome outcome = run(command);
    std::istringstream lines(outcome.err);
    std::string last;
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      REQUIRE(nlohmann::json::accept(line));
      last = line;
    }
    CHECK(nlohmann::json::parse(last).contains("error") == (outcome.code != 0));
  }
}

TEST_CASE("GDAL's own settings are passed on") {
  const SmallScene& small = SmallScene::instance();
  const Outcome plain = run({"info", small.scene()});
  CHECK(plain.code == 0);
  CHECK_FALSE(contains(plain.out, "CRS:            none"));
  const Outcome ignorant =
      run({"info", small.scene(), "--config", "GTIFF_SRS_SOURCE=GEOKEYS", "--config", "GDAL_GEOREF_SOURCES=NONE"});
  CHECK(ignorant.code == 0);
  CHECK(contains(ignorant.out, "CRS:            none"));
  run({"info", small.scene(), "--config", "GDAL_GEOREF_SOURCES=PAM,INTERNAL,TABFILE,WORLDFILE"});
  CHECK(run({"info", small.scene(), "--config", "=NO"}).code == 2);
}

TEST_CASE("a product is trained on, mapped and assessed without its clouds") {
  const ProductFolder files;
  const std::string model = files.file("model");
  const std::string map = files.file("map.tif");
  const Outcome trained = run({"train", "--kernel", "gaussian", files.product(), files.labels(), model, "--class-field",
                               "class", "--report", files.file("t.html")});
  CAPTURE(trained.err);
  REQUIRE(trained.code == 0);
  CHECK(contains(trained.err, files.product() + ": pixels are left out that the product marks as cloud"));
  // The page names every file of the product with its checksum.
  CHECK(contains(file_content(files.file("t.html")), "-QL_QUALITY_CLOUD.TIF"));
  REQUIRE(run({"classify", files.metadata(), model, map, "--report", files.file("c.html")}).code == 0);
  const std::vector<std::uint16_t> codes = codes_of(map);
  for (int pixel = 0; pixel < kProductWidth * kProductHeight; ++pixel) {
    const int expected = pixel / kProductWidth < kCloudRows ? 0 : pixel % kProductWidth < kBorder ? 2 : 1;
    CAPTURE(pixel);
    REQUIRE(codes[static_cast<std::size_t>(pixel)] == expected);
  }
  const Outcome assessed =
      run({"assess", map, files.labels(), "--class-field", "class", "--output-dir", files.file("accuracy"), "--json"});
  REQUIRE(assessed.code == 0);
  CHECK(nlohmann::json::parse(assessed.out).at("overall_accuracy") == 1.0);
  CHECK(run({"inspect", model, files.product(), files.labels(), "--class-field", "class"}).code == 0);
  CHECK(run({"suggest", files.product(), model, files.file("s.gpkg")}).code == 0);
  CHECK(run({"report", model, map, files.file("accuracy/accuracy.json"), "-o", files.file("all.html"), "--scene",
             files.product()})
            .code == 0);
}

TEST_CASE("marked pixels take part where somebody says so, and names that are not there are refused") {
  const ProductFolder files;
  const std::string model = files.file("model");
  REQUIRE(
      run({"train", "--kernel", "gaussian", files.product(), files.labels(), model, "--class-field", "class"}).code ==
      0);
  const Outcome all = run({"classify", files.product(), model, files.file("all.tif"), "--quality", "none"});
  CHECK(all.code == 0);
  CHECK_FALSE(contains(all.err, "left out"));
  CHECK(codes_of(files.file("all.tif"))[0] != 0);
  const Outcome unknown = run({"classify", files.product(), model, files.file("x.tif"), "--quality", "fog"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "has the quality layers cloud, shadow, cirrus, haze, snow, land, water"));
}

TEST_CASE("no output replaces a file of a product") {
  const ProductFolder files;
  for (const std::string& scene : {files.product(), files.metadata(), files.image()}) {
    for (const std::string& output :
         {files.metadata(), files.image(), files.file("product/" + kEnmapStem + "-QL_QUALITY_SNOW.TIF")}) {
      const Outcome result = run(
          {"train", "--kernel", "gaussian", scene, files.labels(), output, "--class-field", "class", "--overwrite"});
      CAPTURE(scene);
      CAPTURE(output);
      CHECK(result.code == 2);
      CHECK(contains(result.err, "is the same file as SCENE"));
    }
  }
}

TEST_CASE("every command that takes a scene says what is wrong with a folder") {
  const ProductFolder files;
  const std::string model = files.file("model");
  const std::string map = files.file("map.tif");
  REQUIRE(
      run({"train", "--kernel", "gaussian", files.product(), files.labels(), model, "--class-field", "class"}).code ==
      0);
  REQUIRE(run({"classify", files.product(), model, map}).code == 0);
  REQUIRE(run({"assess", map, files.labels(), "--class-field", "class", "--output-dir", files.file("a")}).code == 0);
  const std::string empty = files.file("empty");
  std::filesystem::create_directory(empty);
  const std::vector<std::vector<std::string>> commands = {
      {"info", empty},
      {"train", "--kernel", "gaussian", empty, files.labels(), files.file("m"), "--class-field", "class"},
      {"classify", empty, model, files.file("x.tif")},
      {"inspect", model, empty, files.labels(), "--class-field", "class"},
      {"suggest", empty, model, files.file("s.gpkg")},
      {"report", model, map, files.file("a/accuracy.json"), "-o", files.file("all.html"), "--scene", empty}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome result = run(command);
    CAPTURE(command.front());
    CAPTURE(result.err);
    CHECK(result.code == 3);
    CHECK(contains(result.err, "is a folder without a product that can be read: looked for"));
  }
}

}  // namespace parsimap::test
