#include "commands/assessment/training_overlap.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/map_output.hpp"

#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("a reference that the model was trained on is said in the headline, with the accuracy of the others") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string model = folder.file("model");
  const std::string map = folder.file("map.tif");
  REQUIRE(train_small(small.polygons(), model, {"--class-field", "class", "--where", "split='train'"}).code == 0);
  REQUIRE(run({"classify", small.scene(), model, map}).code == 0);
  const auto overlap = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"assess", map, small.polygons(), "--class-field", "class", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(outcome.out);
  };
  const auto all = overlap({});
  const auto others = overlap({"--where", "split='test'"});
  const std::int64_t pixels = all.at("pixels");
  CHECK(all.at("training_overlap").at("model") == model);
  CHECK(all.at("training_overlap").at("unknown") == "");
  CHECK(all.at("training_overlap").at("pixels").get<std::int64_t>() + others.at("pixels").get<std::int64_t>() ==
        pixels);
  CHECK(all.at("training_overlap").at("other_pixels") == others.at("pixels"));
  CHECK(all.at("training_overlap").at("other_overall_accuracy") == others.at("overall_accuracy"));
  CHECK(others.at("training_overlap").at("pixels") == 0);
  CHECK(others.at("reference_facts").at("options").dump() == R"([["class-field","class"],["where","split='test'"]])");
  CHECK(others.at("reference_facts").at("sha256") == sha256_of_file(small.polygons()));
  CHECK(others.at("reference_facts").at("features") ==
        others.at("training_overlap").at("regions").get<int>() + others.at("intervals").at("regions").get<int>());
  const std::string page = folder.file("page.html");
  const Outcome text = run({"assess", map, small.polygons(), "--class-field", "class", "--report", page});
  CHECK(contains(text.out, " are training pixels of the model: the accuracy is too high. Without these regions: "));
  CHECK(contains(file_content(page), " are training pixels of the model: the accuracy is too high."));
  // A part of the reference that is too small to matter is no headline.
  CHECK(contains(run({"assess", map, small.reference()}).out, " reference pixels are training pixels of the model"));
  const std::string page_of_model = folder.file("model.html");
  std::filesystem::rename(model, page_of_model);
  CHECK(contains(
      run({"assess", map, small.reference(), "--model", page_of_model, "--report", page_of_model, "--overwrite"}).err,
      "an input cannot be replaced"));
  std::filesystem::rename(page_of_model, model);
  // The model is found beside the map, and not where it is another one or gone.
  std::filesystem::rename(model, folder.file("elsewhere"));
  CHECK(contains(overlap({}).at("training_overlap").at("unknown").get<std::string>(), "is not there (--model)"));
  CHECK(overlap({"--model", folder.file("elsewhere")}).at("training_overlap").at("pixels") ==
        all.at("training_overlap").at("pixels"));
  std::filesystem::copy_file(small.model(), model);
  CHECK(contains(overlap({}).at("training_overlap").at("unknown").get<std::string>(), "by its SHA-256"));
  std::string facts = file_content(map + ".aux.xml");
  facts.replace(facts.find(kModelItem), std::string_view(kModelItem).size(), "PARSIMAP_OTHER");
  write_file(map + ".aux.xml", facts);
  CHECK(contains(overlap({}).at("training_overlap").at("unknown").get<std::string>(), "does not name its model"));
}

}  // namespace parsimap::test
