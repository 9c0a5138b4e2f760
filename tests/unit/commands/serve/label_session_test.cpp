#include "commands/serve/label_session.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/json/model_file.hpp"

#include "small_session.hpp"

namespace parsimap::test {

TEST_CASE(
    "the saved model of a full training is that of the command with the saved labels, byte by byte, and so is a view") {
  SmallSession small;
  small.label();
  small.session.change_labels({{"remove", {"f"}}, {"set", {small.square("g", 26, 16)}}});
  CHECK_THROWS_AS(small.session.save({{"model", "m.parsimap"}, {"labels", "l.geojson"}}), ConfigError);
  CHECK(small.session.train({{"full", true}})["full"] == true);
  const TemporaryFolder folder;
  const Answer save = {{"model", folder.file("m.parsimap")}, {"labels", folder.file("l.geojson")}};
  small.session.save(save);
  CHECK_THROWS_AS(small.session.save(save), ConfigError);
  TrainOptions options = SmallScene::instance().raster_training(folder.file("command.parsimap"));
  options.labels = {{folder.file("l.geojson")}, {"class", {}}};
  options.threads = 1;
  train(options);
  CHECK(read_text_file(folder.file("m.parsimap")) == read_text_file(folder.file("command.parsimap")));
  MapOptions mapping = SmallScene::instance().mapping(folder.file("map.tif"));
  mapping.model = folder.file("m.parsimap");
  map(mapping);
  std::string frame;
  const Answer answer = small.session.classify(Answer::object(), frame);
  REQUIRE(frame.size() == 2 * 30 * 24);
  std::vector<std::uint16_t> codes;
  open_class_map(folder.file("map.tif"))->read({0, 0, 30, 24}, codes);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CHECK(frame[i] == static_cast<char>(codes[i]));
  }
  CHECK(answer["width"] == 30);
}

TEST_CASE("a view in steps has the pixels of the whole view") {
  SmallSession small;
  small.label();
  CHECK(small.session.train(Answer::object())["pixels"] == 96);
  std::string whole;
  std::string steps;
  small.session.classify(Answer::object(), whole);
  const Answer answer = small.session.classify({{"window", {3, 2, 20, 19}}, {"step", 4}}, steps);
  REQUIRE(answer["width"] == 5);
  REQUIRE(answer["height"] == 5);
  REQUIRE(steps.size() == 50);
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t column = 0; column < 5; ++column) {
      const std::size_t pixel = (2 + 4 * row) * 30 + 3 + 4 * column;
      CHECK(steps[row * 5 + column] == whole[pixel]);
      CHECK(steps[25 + row * 5 + column] == whole[30 * 24 + pixel]);
    }
  }
}

TEST_CASE("a view by a model with neighbours is the part of its map, and so is that of warm models at its settings") {
  // So noisy that neighbours change labels.
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), R"({
    "width": 36, "height": 30, "bands": 8, "seed": 3, "layout": {"kind": "blocks", "block_size": 6}, "separation": 0.03,
    "classes": [{"name": "a", "dimension": 2, "largest_variance": 4e-3, "noise_variance": 1e-3}, {"name": "b", "dimension": 2, "largest_variance": 4e-3, "noise_variance": 1e-3}],
    "polygons": {"per_class": 2, "smallest_radius": 2, "largest_radius": 3}})");
  SessionListener listener;
  simulate_scene({{}, folder.file("spec.json"), folder.file("scene")}, listener);
  const std::string scene = folder.file("scene/scene.tif");
  std::vector<std::uint16_t> reference;
  open_class_map(folder.file("scene/reference.tif"))->read({0, 0, 36, 30}, reference);
  Answer set = Answer::array();
  for (int i = 0; i < 36 * 30; i += 7) {
    const std::uint16_t code = reference[static_cast<std::size_t>(i)];
    set.push_back({{"feature", std::to_string(i)}, {"class", code == 1 ? "a" : "b"}, {"pixels", {{i % 36, i / 36}}}});
  }
  JobOptions job;
  job.threads = 2;
  LabelSession session(job, listener);
  session.open({{"scene", scene}, {"options", {{"spatial", "neighbours"}, {"kernel", "gaussian"}}}});
  session.change_labels({{"set", set}});
  session.train({{"full", true}});
  session.save({{"model", folder.file("m.parsimap")}, {"labels", folder.file("l.geojson")}});
  const auto mapped = [&](const std::string& name, const std::optional<Regularisation>& rule) {
    MapOptions options;
    options.scene.path = scene;
    options.model = folder.file("m.parsimap");
    options.map = folder.file(name);
    options.regularise = rule;
    map(options);
    std::vector<std::uint16_t> codes;
    open_class_map(options.map)->read({0, 0, 36, 30}, codes);
    return codes;
  };
  const std::vector<std::uint16_t> together = mapped("together.tif", {});
  const std::vector<std::uint16_t> alone = mapped("alone.tif", Regularisation());
  REQUIRE(together != alone);
  const auto check_view = [&](const Window& window, Index step, const std::vector<std::uint16_t>& codes) {
    std::string frame;
    session.classify({{"window", {window.column, window.row, window.width, window.height}}, {"step", step}}, frame);
    std::size_t at = 0;
    for (Index row = window.row; row < window.row + window.height; row += step) {
      for (Index column = window.column; column < window.column + window.width; column += step) {
        CHECK(frame[at++] == static_cast<char>(codes[static_cast<std::size_t>(row * 36 + column)]));
      }
    }
    CHECK(2 * at == frame.size());
  };
  for (const bool full : {true, false}) {
    CAPTURE(full);
    if (!full) {
      session.train(Answer::object());
    }
    check_view({0, 0, 36, 30}, 1, together);
    check_view({5, 7, 20, 13}, 1, together);
    check_view({35, 29, 1, 1}, 1, together);
    check_view({0, 0, 36, 30}, 2, alone);
  }
}

TEST_CASE(
    "a large view is decided in stages, also where half of its pixels have no value, and hardly any label differs") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), R"({
    "width": 190, "height": 180, "bands": 40, "seed": 3, "layout": {"kind": "voronoi", "sites": 20, "gap": 8},
    "separation": 0.06,
    "classes": [{"name": "a", "dimension": 2, "largest_variance": 4e-3, "noise_variance": 1e-3},
                {"name": "b", "dimension": 2, "largest_variance": 4e-3, "noise_variance": 1e-3}],
    "polygons": {"per_class": 12, "smallest_radius": 3, "largest_radius": 4, "train_fraction": 1}})");
  SessionListener listener;
  simulate_scene({{}, folder.file("spec.json"), folder.file("scene")}, listener);
  std::vector<std::uint16_t> reference;
  open_class_map(folder.file("scene/reference.tif"))->read({0, 0, 190, 180}, reference);
  Answer set = Answer::array();
  for (int i = 0; i < 190 * 180; i += 17) {
    if (const std::uint16_t code = reference[static_cast<std::size_t>(i)]; code > 0) {
      set.push_back(
          {{"feature", std::to_string(i)}, {"class", std::to_string(code)}, {"pixels", {{i % 190, i / 190}}}});
    }
  }
  const auto valid = reference.size() - static_cast<std::size_t>(std::ranges::count(reference, 0));
  REQUIRE(valid < 4 * reference.size() / 10);
  JobOptions job;
  job.threads = 2;
  LabelSession session(job, listener);
  session.open({{"scene", folder.file("scene/scene.tif")},
                {"options", {{"spatial", "none"}, {"mask", folder.file("scene/reference.tif")}}}});
  session.change_labels({{"set", set}});
  session.train(Answer::object());
  std::string exact;
  std::string exact_confidences;
  for (int row = 0; row < 180; row += 90) {
    std::string part;
    session.classify({{"window", {0, row, 190, 90}}}, part);
    exact += part.substr(0, 190 * 90);
    exact_confidences += part.substr(190 * 90);
  }
  std::string staged;
  session.classify(Answer::object(), staged);
  REQUIRE(staged.size() == 2 * exact.size());
  std::size_t differing = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CHECK((staged[i] == 0) == (reference[i] == 0));
    differing += staged[i] == exact[i] ? 0 : 1;
  }
  CHECK(differing <= valid / 500);
  CHECK(staged.substr(exact.size()) != exact_confidences);
}

TEST_CASE("warm training keeps the settings of the full one, and learns classes that are added and removed") {
  SmallSession small;
  small.label();
  small.session.train({{"full", true}});
  std::string full;
  small.session.classify(Answer::object(), full);
  small.session.train(Answer::object());
  std::string warm;
  small.session.classify(Answer::object(), warm);
  // The same samples at the same settings.
  CHECK(warm.substr(0, 30 * 24) == full.substr(0, 30 * 24));
  small.session.change_labels({{"set", {small.square("s", 7, 7, "soil")}}});
  const Answer three = small.session.train(Answer::object());
  REQUIRE(three["classes"].size() == 3);
  CHECK(three["classes"][1]["name"] == "soil");
  CHECK(three["classes"][1]["pixels"] == 16);
  small.session.change_labels({{"remove", {"s"}}});
  small.session.train(Answer::object());
  std::string again;
  small.session.classify(Answer::object(), again);
  CHECK(again == warm);
}

TEST_CASE("what comes too early, or does not fit, is refused and changes nothing") {
  SmallSession small;
  std::string frame;
  CHECK_THROWS_AS(small.session.train(Answer::object()), ConfigError);
  CHECK_THROWS_AS(small.session.train({{"full", true}}), ConfigError);
  CHECK_THROWS_AS(small.session.classify(Answer::object(), frame), ConfigError);
  CHECK_THROWS_AS(small.session.accuracy(), ConfigError);
  small.session.change_labels({{"set", {small.square("a", 2, 2)}}});
  CHECK_THROWS_AS(small.session.train(Answer::object()), DataError);
  small.label();
  small.session.train(Answer::object());
  CHECK_THROWS_AS(small.session.classify({{"window", {20, 0, 11, 5}}}, frame), ConfigError);
  CHECK_THROWS_AS(small.session.classify({{"window", {0, 0, 0, 5}}}, frame), ConfigError);
  CHECK_THROWS_AS(small.session.change_labels({{"clear", true}, {"remove", {"a"}}}), ConfigError);
  CHECK(small.session.change_labels(Answer::object())["features"] == 6);
  for (const Answer& options : {Answer{{"scene", "x"}}, Answer{{"report", "r.html"}}, Answer{{"samples-out", "s.gpkg"}},
                                Answer{{"test-out", "t.gpkg"}}, Answer{{"library", "l.csv"}}, Answer{{"threads", 1}},
                                Answer{{"config", "A=B"}}, Answer{{"kernel", 5}}}) {
    CAPTURE(options.dump());
    CHECK_THROWS_AS(small.session.open({{"scene", SmallScene::instance().scene()}, {"options", options}}), ConfigError);
  }
  CHECK_THROWS_AS(small.session.open({{"scene", "/nowhere.tif"}}), DataError);
  small.session.classify({{"step", 100}}, frame);
  CHECK(frame.size() == 2);
  // A new scene has no labels.
  small.session.open({{"scene", SmallScene::instance().scene()}});
  CHECK_THROWS_AS(small.session.classify(Answer::object(), frame), ConfigError);
}

}  // namespace parsimap::test
