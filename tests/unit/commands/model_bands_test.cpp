#include "commands/model_bands.hpp"

#include <doctest/doctest.h>

#include "parsimap/commands/inspect.hpp"
#include "parsimap/commands/suggest.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text_file.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/small_scene.hpp"
#include "unit/commands/map_codes.hpp"
#include "unit/commands/stretched_scene.hpp"

namespace parsimap::test {
namespace {

InputScene scene_at(const std::vector<double>& wavelengths, const Indices& bad = {}) {
  BandTable bands;
  Spectra values(1, static_cast<Index>(wavelengths.size()));
  for (std::size_t i = 0; i < wavelengths.size(); ++i) {
    bands.push_back({.wavelength = wavelengths[i], .fwhm = 10});
    values(0, static_cast<Index>(i)) = static_cast<float>(i);
  }
  for (const Index band : bad) {
    bands[static_cast<std::size_t>(band)].bad = true;
  }
  RasterGrid grid;
  grid.width = 1;
  grid.height = 1;
  return {{"s.tif"}, std::make_unique<MemoryScene>("s.tif", grid, bands, values), {}, {}};
}

Model model_at(const std::vector<double>& wavelengths) {
  Model model;
  model.scene_bands = static_cast<Index>(wavelengths.size());
  for (const double wavelength : wavelengths) {
    model.bands.push_back(static_cast<Index>(model.bands.size()));
    model.band_table.push_back({.wavelength = wavelength, .fwhm = 10});
  }
  return model;
}

std::string refusal_of_bands(InputScene scene, const Model& model, bool resample) {
  return message_of([&] { fit_bands(scene, model, resample); });
}

}  // namespace

TEST_CASE("a scene that has the bands of the model stays as it is") {
  InputScene scene = scene_at({500, 510, 520});
  const SceneSource* const source = scene.source.get();
  CHECK_FALSE(fit_bands(scene, model_at({502, 519}), true));
  CHECK(scene.source.get() == source);
}

TEST_CASE("a scene with bands elsewhere gets those of the model, from bands that are not bad") {
  const Model model = model_at({506, 530});
  InputScene scene = scene_at({500, 512, 524, 536, 548}, {1});
  const std::optional<ResamplingFacts> facts = fit_bands(scene, model, true);
  REQUIRE(facts);
  CHECK(facts->scene == "s.tif");
  CHECK(facts->scene_bands == 5);
  CHECK(facts->used_bands == 3);
  CHECK(match_bands(*scene.source, model) == Indices{0, 1});
  Spectra values;
  scene.source->read({0, 0, 1, 1}, {0, 1}, values);
  CHECK(values(0, 0) == doctest::Approx(0.5));
  CHECK(values(0, 1) == doctest::Approx(2.5));
}

TEST_CASE("the refusal names --resample where that would help") {
  const Model model = model_at({508, 526});
  CHECK(refusal_of_bands(scene_at({500, 515, 530}), model, false)
            .ends_with("; --resample computes them from the bands that there are"));
  CHECK(refusal_of_bands(scene_at({500, 505}), model, false).find("--resample") == std::string::npos);
  CHECK(refusal_of_bands(scene_at({500, 505}), model, true)
            .find("s.tif cannot be resampled: it has no bands near enough") == 0);
}

TEST_CASE("maps, suggestions and inspections of a scene with bands elsewhere") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string scene = folder.file("stretched.tif");
  write_stretched_scene(small.scene(), scene);
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.scene.path = scene;
  options.report = folder.file("map.html");
  CHECK(message_of([&] { map(options); }).find("--resample") != std::string::npos);
  options.resample = true;
  const MappingRecord record = map(options);
  REQUIRE(record.resampled);
  CHECK(record.resampled->scene_bands == 12);
  CHECK(record.resampled->bands == 12);
  CHECK(contains(read_text_file(folder.file("map.html")), resampling_text(*record.resampled)));
  const std::vector<std::uint16_t> codes = codes_of(folder.file("map.tif"));
  const std::vector<std::uint16_t> expected = codes_of(small.map());
  std::size_t same = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    same += codes[i] == expected[i] ? 1 : 0;
  }
  CHECK(same > 9 * codes.size() / 10);

  Listener deaf;
  SuggestOptions suggest{};
  suggest.scene = {scene};
  suggest.model = small.model();
  suggest.resample = true;
  suggest.count = 3;
  suggest.places = folder.file("places.gpkg");
  CHECK(suggest_places(suggest, deaf).resampled);
  InspectOptions inspect{{}, small.model(), {scene}, {{small.polygons()}, {"class", {}}}, true};
  CHECK(inspect_scene(inspect, deaf).resampled);
}

}  // namespace parsimap::test
