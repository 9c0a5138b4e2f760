#include "commands/maps/map_work.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "commands/job_frame.hpp"
#include "support/memory_scene.hpp"
#include "support/memory_segments.hpp"
#include "support/scene_values.hpp"
#include "support/single_output.hpp"
#include "support/small_scene.hpp"
#include "unit/commands/map_codes.hpp"
#include "unit/commands/mask_file.hpp"
#include "unit/commands/region_box.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("a file that is no model is said to be what it is") {
  const SmallScene& small = SmallScene::instance();
  CHECK(load_or_explain(small.model()).classes.size() == 2);
  CHECK_THROWS_AS(load_or_explain(small.scene()), DataError);
}

TEST_CASE("every layer is listed, and the files of a map are those that it is made from and written to") {
  const std::vector<LayerFile> layers = layer_files({{MapLayer::decision_values, "d.tif"}});
  REQUIRE(layers.size() == map_layers().size());
  CHECK(layers[3].name == "decision values");
  CHECK(layers[3].file == "d.tif");
  CHECK_FALSE(layers[0].file);
}

namespace {

// A scene of one pixel with the values 0, 1 and 2, and a model of as many bands without wavelengths and names.
InputScene counted_scene() {
  RasterGrid grid;
  grid.width = 1;
  grid.height = 1;
  Spectra values(1, 3);
  values << 0, 1, 2;
  return {{"s.tif"}, std::make_unique<MemoryScene>("s.tif", grid, BandTable(3), values), {}, {}};
}

Model model_of(const Matrix& support, const std::string& trained, Index width) {
  Model model;
  model.scene_bands = 3;
  model.bands = {0, 1, 2};
  model.band_table = BandTable(3);
  model.support_spectra = support;
  model.scaling = {Vector::Zero(3), Vector::Ones(3)};
  TrainedScene known;
  known.path = trained;
  known.width = width;
  known.height = 1;
  model.provenance.trained = {known};
  return model;
}

}  // namespace

TEST_CASE("a band of a scene in other units than in training is told") {
  const auto warnings = [](double least, double most) {
    InputScene scene = counted_scene();
    RecordingListener listener;
    fit_bands(scene, model_of(Matrix{{0, 0.6, least}, {1, 1.4, most}}, "s.tif", 1), false, listener);
    return listener.warnings;
  };
  CHECK(warnings(1, 3).empty());
  CHECK(warnings(0.01, 0.05).empty());  // 40 times
  REQUIRE(warnings(0.01, 0.03).size() == 1);
  CHECK(contains(warnings(0.01, 0.03)[0],
                 "s.tif: the mean of its bands 3 is over 50 times the largest value of training"));
}

TEST_CASE("that bands are taken by position is not said of a scene of training") {
  const auto is_told = [](const std::string& trained, Index width) {
    InputScene scene = counted_scene();
    const Model model = model_of(Matrix{{0, 0.6, 1}, {1, 1.4, 3}}, trained, width);
    RecordingListener listener;
    fit_bands(scene, model, false, listener);
    CHECK(is_of_training(model, "s.tif", scene.source->grid()) != listener.said("are taken by their position"));
    return listener.said("are taken by their position");
  };
  CHECK_FALSE(is_told("elsewhere/s.tif", 1));
  CHECK(is_told("elsewhere/s.tif", 2));
  CHECK(is_told("t.tif", 1));
}

TEST_CASE("what a source keeps comes off the memory, but never most of it") {
  MapWork work;
  work.options.ram_bytes = 100;  // a quarter of it is for GDAL's cache
  work.scene.description.kept_bytes = 30;
  CHECK(mapping_of(work).ram_bytes == 45);
  work.scene.description.kept_bytes = 90;
  CHECK(mapping_of(work).ram_bytes == 18);
  // A storage block in GDAL's cache likewise, unless the memory does not hold it.
  work.scene.description.kept_bytes = 0;
  work.scene.description.block_bytes = 57;
  CHECK(mapping_of(work).ram_bytes == 18);
  work.scene.description.block_bytes = 58;
  CHECK(mapping_of(work).ram_bytes == 75);
}

TEST_CASE("a map is regularised as its model says, unless the options say otherwise or there are segments") {
  Model model;
  MapOptions options;
  RecordingListener listener;
  const auto method = [&] { return regularisation_of(options, model).method; };
  warn_of_neighbours(options, model, listener);
  CHECK(method() == RegularisationMethod::none);
  CHECK(listener.messages.empty());
  model.spatial = SpatialRecord{"neighbours", {false, true}};
  model.spatial->strongest = 2;
  warn_of_neighbours(options, model, listener);
  CHECK(method() == RegularisationMethod::automatic);
  CHECK(mapping_of({options, InputScene(), model}).strongest == 2);
  CHECK(listener.said("--regularise none leaves them out"));
  CHECK(listener.said("probabilities after 'auto' are not calibrated"));
  options.segments = "segments.tif";
  CHECK(method() == RegularisationMethod::none);
  options.segments = {};
  RecordingListener judged;
  options.regularise = Regularisation{RegularisationMethod::automatic};
  model.spatial->scores.emplace_back();
  warn_of_neighbours(options, model, judged);
  CHECK(judged.said("probabilities after 'auto' are not calibrated"));
  // The rule that was judged has an exponent of its own, also where it is asked for by name.
  RecordingListener silent;
  model.spatial->rule = "gaussian:2";
  model.spatial->exponent = 1.5;
  for (const auto& asked : {std::optional<Regularisation>(), std::optional(parse_regularisation("gaussian:2"))}) {
    options.regularise = asked;
    CHECK(to_string(regularisation_of(options, model)) == "gaussian:2");
    CHECK(mapping_of({options, InputScene(), model}).exponent == 1.5);
    warn_of_neighbours(options, model, silent);
  }
  CHECK_FALSE(silent.said("not calibrated"));
  options.regularise = parse_regularisation("gaussian:1");
  CHECK(mapping_of({options, InputScene(), model}).exponent == 1);
  model.spatial->rule.clear();
  options.regularise = Regularisation{RegularisationMethod::automatic};
  model.spatial->scores.clear();
  warn_of_neighbours(options, model, judged);
  CHECK(judged.said("--regularise auto rests on how alike neighbours are"));
  options.regularise = Regularisation();
  CHECK(method() == RegularisationMethod::none);
}

TEST_CASE("an empty map is warned of") {
  MappingRecord record;
  record.scene = "scene";
  RecordingListener listener;
  warn_of_empty_map(record, listener);
  CHECK(listener.has_warning("no pixel of scene has a value in every band used; the map is empty. A mask "));
  record.classified = 1;
  RecordingListener quiet;
  warn_of_empty_map(record, quiet);
  CHECK(quiet.warnings.empty());
}

namespace {

// A scene of which one date has no value in the left columns: bands 3 and 4.
class Clouded final : public SceneDecorator {
 public:
  Clouded(std::shared_ptr<SceneSource> scene, Index columns) : SceneDecorator(std::move(scene)), columns_(columns) {}
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(window, bands, values);
    for (Index i = 0; i < values.rows(); ++i) {
      for (std::size_t b = 0; b < bands.size(); ++b) {
        if (window.column + i % window.width < columns_ && (bands[b] == 2 || bands[b] == 3)) {
          values(i, static_cast<Index>(b)) = kMissingValue;
        }
      }
    }
  }

 private:
  Index columns_;
};

}  // namespace

TEST_CASE("bands that leave much of a scene without a class are named, and profiles of a scene with holes") {
  const SmallScene& small = SmallScene::instance();
  MapWork work{small.mapping("map.tif"), open_input_scene({small.scene()}), load_or_explain(small.model())};
  work.scene.source = std::make_unique<Clouded>(std::move(work.scene.source), 15);
  MappingRecord record;
  record.scene = small.scene();
  record.pixels = 30 * 24;
  record.classified = 30 * 24;
  RecordingListener silent;
  warn_of_missing_values(work, record, silent);
  CHECK(silent.coded().empty());
  record.classified = 15 * 24;
  RecordingListener listener;
  warn_of_missing_values(work, record, listener);
  REQUIRE(listener.coded().size() == 1);
  CHECK(listener.coded()[0].code == "bands-without-value");
  CHECK(contains(listener.coded()[0].text, "50.0 % of the pixels of"));
  CHECK(contains(listener.coded()[0].text,
                 "bands 3-4 lack a value in 360 of 360 such pixels; training with "
                 "--exclude-bands 3-4 does without them"));
  // A model of profiles sees other surroundings there, unless it was trained on the same scene.
  work.model.profile = ProfileDesign{};
  record.scene = "other.tif";
  RecordingListener profiled;
  warn_of_missing_values(work, record, profiled);
  REQUIRE(profiled.coded().size() == 2);
  CHECK(profiled.coded()[1].code == "surroundings-missing");
}

TEST_CASE("a mask that only one of training and map has is said, once") {
  Model model;
  MapOptions options;
  RecordingListener listener;
  note_mask(options, model, listener);
  CHECK(listener.coded().empty());
  options.scene.mask = "mask.tif";
  note_mask(options, model, listener);
  note_mask(options, model, listener);
  REQUIRE(listener.coded().size() == 1);
  CHECK(contains(listener.coded()[0].text, "the model was trained without one"));
  model.provenance.options = {{"mask", "training.tif"}};
  note_mask(options, model, listener);
  CHECK(listener.coded().size() == 1);
  options.scene.mask.reset();
  note_mask(options, model, listener);
  CHECK(contains(listener.coded()[1].text, "the model was trained with a mask"));
}

TEST_CASE("the files of a map appear together when they are published, and are checked before") {
  const TemporaryFolder folder;
  RasterGrid grid;
  grid.width = 3;
  grid.height = 2;
  const ClassTable classes = {{1, "water", {}}, {2, "forest", {}}};
  MapOptions options;
  options.map = folder.file("map.tif");
  options.layers = {{MapLayer::confidence, folder.file("confidence.tif")}};
  {
    OutputSet set(false);
    MapFiles files(set, options, options.format);
    const MapOutputs outputs = files.create(grid, classes);
    outputs.map->write({0, 0, 3, 2}, {0, 1, 2, 2, 1, 0});
    CHECK_FALSE(std::filesystem::exists(options.map));
    files.close();
    set.publish();
  }
  CHECK(open_class_map(options.map)->classes().at(1).name == "forest");
  CHECK(std::filesystem::exists(folder.file("confidence.tif")));
  OutputSet again(false);
  CHECK_THROWS_AS(MapFiles(again, options, options.format), ConfigError);
}

TEST_CASE("writing has a progress where there is something to tell") {
  std::vector<std::string> stages;
  class Stages final : public Listener {
   public:
    explicit Stages(std::vector<std::string>& all) : all_(all) {}
    Progress progress(const std::string& stage) override {
      all_.push_back(stage);
      return {};
    }

   private:
    std::vector<std::string>& all_;
  } listener(stages);
  OutputOptions format{"COG", {}};
  format.progress = writing_progress(listener);
  CHECK(stages.empty());
  format.progress(0.5);
  CHECK(stages == std::vector<std::string>{"writing"});
  format.progress(1);
  CHECK(stages.size() == 1);
}

TEST_CASE("every segment has a feature with its outline, and a class unless it is rejected") {
  const TemporaryFolder folder;
  RasterGrid grid;
  grid.width = 4;
  grid.height = 2;
  MemorySegments segments(4, {3, 3, 8, 0,  //
                              3, 8, 8, 3});
  const ClassTable classes = {{2, "oak", {}}, {5, "pine", {}}};
  SingleVector single(folder.file("segments.gpkg"));
  write_segment_outlines(
      single.staged, grid, segments, classes,
      {{.number = 3, .pixels = 4, .window = {0, 0, 4, 2}, .label = 1, .confidence = 0.75F},
       {.number = 8, .pixels = 3, .window = {1, 0, 2, 2}, .label = 0, .confidence = 0.5F, .rejected = true}});
  single.outputs.publish();

  const LabelledPixels by_number =
      read_labels(folder.file("segments.gpkg"), {.class_field = "segment", .where = {}}, grid, "scene");
  std::vector<int> labels(8, -1);
  for (const LabelledPixel& pixel : by_number.pixels) {
    labels[static_cast<std::size_t>(pixel.pixel)] = by_number.classes[static_cast<std::size_t>(pixel.label)].code;
  }
  CHECK(labels == std::vector<int>{3, 3, 8, -1, 3, 8, 8, 3});
  const auto count = [&](const std::string& condition) {
    return read_labels(folder.file("segments.gpkg"), {.class_field = "segment", .where = condition}, grid, "scene")
        .pixels.size();
  };
  CHECK(count("segment = 3 AND class = 'pine' AND code = 5 AND confidence = 0.75 AND pixels = 4") == 4);
  CHECK(count("segment = 8 AND class IS NULL AND code IS NULL AND confidence = 0.5 AND pixels = 3") == 3);
}

TEST_CASE("pixels of a region get what they get in the whole scene, and its map covers its window") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const RasterGrid grid = open_scene(small.scene()).source->grid();
  for (const std::string rule : {"none", "neighbours:1", "auto"}) {
    MapOptions options = small.mapping(folder.file("map.tif"));
    options.overwrite = true;
    options.regularise = parse_regularisation(rule);
    options.layers = {{MapLayer::probabilities, folder.file("p.tif")},
                      {MapLayer::novelty, folder.file("n.tif")},
                      {MapLayer::deciding, folder.file("d.tif")}};
    const auto read_layers = [&] {
      return mapped<Spectra>(options.layers, [](const auto& layer) { return values_of(layer.second); });
    };
    map(options);
    const std::vector<std::uint16_t> whole = codes_of(options.map);
    const std::vector<Spectra> layers = read_layers();
    const auto compare = [&](const MapOptions& part) {
      const MappingRecord record = map(part);
      const InputScene scene = open_input_scene(part.scene);
      const Window window = scene.window();
      const std::vector<bool> shown = scene.source->masked()->shown(window);
      const auto source = open_class_map(part.map);
      CHECK(map_point(source->grid(), 0, 0) ==
            map_point(grid, static_cast<double>(window.column), static_cast<double>(window.row)));
      REQUIRE(source->grid().pixels() == window.pixels());
      CHECK(record.pixels == window.pixels());
      CHECK(record.classified == std::ranges::count(shown, true));
      const std::vector<std::uint16_t> codes = codes_of(part.map);
      const std::vector<Spectra> parts = read_layers();
      for (Index i = 0; i < window.pixels(); ++i) {
        const Index pixel = (window.row + i / window.width) * grid.width + window.column + i % window.width;
        const bool inside = shown[static_cast<std::size_t>(i)];
        REQUIRE(codes[static_cast<std::size_t>(i)] == (inside ? whole[static_cast<std::size_t>(pixel)] : 0));
        for (std::size_t k = 0; k < layers.size(); ++k) {
          CHECK((inside ? parts[k].row(i) == layers[k].row(pixel) : parts[k].row(i).array().isNaN().all()));
        }
      }
    };
    options.scene.region = small.polygons();
    compare(options);
    options.scene.region = box_of_window(small.scene(), {7, 9, 12, 11});
    options.scene.mask = write_mask(folder, 30, 10);
    options.report = folder.file("page.html");
    compare(options);
    options.report.reset();
  }
}

TEST_CASE("a region that cannot be mapped leaves no file") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.scene.region = "1e7,1e7,2e7,2e7";
  CHECK(contains(message_of([&] { map(options); }), "holds the centre of no pixel of"));
  options.scene.region = small.polygons();
  options.segments = small.reference();
  CHECK(contains(message_of([&] { map(options); }), "--segments does not go with --region"));
  options.segments.reset();
  options.map = folder.file("region.gpkg");
  options.scene.region = options.map;
  options.overwrite = true;
  std::filesystem::copy_file(small.polygons(), options.map);
  CHECK(contains(message_of([&] { map(options); }), "is the same file as --region"));
  CHECK(folder.names() == std::vector<std::string>{"region.gpkg"});
}

TEST_CASE("prediction sets apply the thresholds of left-out units to the probabilities of single pixels") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.layers = {{MapLayer::sets, folder.file("s.tif")}, {MapLayer::probabilities, folder.file("p.tif")}};
  options.set_level = 0.5;
  options.report = folder.file("page.html");
  const MappingRecord record = map(options);
  const Spectra sets = values_of(folder.file("s.tif"));
  const Spectra probabilities = values_of(folder.file("p.tif"));
  const Index classes = probabilities.cols();
  REQUIRE(sets.cols() == classes + 1);
  REQUIRE(record.sets);
  CHECK(record.sets->level == 0.5);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(classes) + 1, 0);
  for (Index i = 0; i < sets.rows(); ++i) {
    Index size = 0;
    for (Index c = 0; c < classes; ++c) {
      const double threshold = record.sets->classes[static_cast<std::size_t>(c)].threshold;
      const bool within = probabilities(i, c) >= static_cast<float>(threshold);
      REQUIRE(sets(i, c + 1) == (within ? 1 : 0));
      size += within ? 1 : 0;
    }
    REQUIRE(sets(i, 0) == static_cast<float>(size));
    ++sizes[static_cast<std::size_t>(size)];
  }
  CHECK(record.sets->pixels == sizes);
  CHECK(open_scene(folder.file("s.tif")).source->bands()[0].name == "classes");
  CHECK(contains(file_content(folder.file("page.html")), "Prediction sets of 50.0 %"));
  // Two units of each class are left out: too few for 0.9.
  MapOptions other = small.mapping(folder.file("other.tif"));
  other.layers = {{MapLayer::sets, folder.file("o.tif")}};
  other.regularise = parse_regularisation("gaussian:1");
  const MappingRecord all = map(other);
  CHECK(all.sets->pixels.back() == all.pixels);
  CHECK(contains(mapping_text(all), "In every set, for lack of units"));
}

TEST_CASE("prediction sets that cannot be made are refused") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.set_level = 0.8;
  CHECK_THROWS_WITH_AS(map(options), doctest::Contains("--sets needs --sets-out"), ConfigError);
  Model model = load_model(small.model());
  model.own_probabilities.clear();
  write_file(folder.file("earlier"), model_bytes(model));
  options.model = folder.file("earlier");
  options.layers = {{MapLayer::sets, folder.file("s.tif")}};
  CHECK_THROWS_WITH_AS(map(options), doctest::Contains("prediction sets (--sets-out) need the probabilities"),
                       DataError);
  CHECK_FALSE(std::filesystem::exists(options.map));
}

}  // namespace parsimap::test
