// Writes those seeds that no editor can: models, lines of a journal, MATLAB files and GeoPackages. The argument is the
// folder of all seeds, tests/fuzz/corpus.
#include <cpl_conv.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/experiment_json.hpp"

#include "json/model_cbor.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/matlab/matlab_fixture.hpp"
#include "unit/report/toy_run.hpp"

namespace parsimap::fuzz {
namespace {

// The path of a seed, which is not there yet.
std::string seed(const std::string& corpus, const std::string& target, const std::string& name) {
  std::filesystem::create_directories(corpus + "/" + target);
  const std::string path = corpus + "/" + target + "/" + name;
  std::filesystem::remove(path);
  return path;
}

void write_seed(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

void write_models(const std::string& corpus) {
  Model validated = small_model();
  validated.provenance.validation = small_validation();
  write_seed(seed(corpus, "model", "small"), model_to_cbor(small_model()));
  write_seed(seed(corpus, "model", "validated"), model_to_cbor(validated));
  Model usable = small_model();
  usable.scaling = {Vector::Ones(3), Vector::Constant(3, 2)};
  usable.band_table[2].scale = 1;
  write_seed(seed(corpus, "model", "usable"), model_to_cbor(usable));
  write_seed(seed(corpus, "model", "file"), model_bytes(usable));
  Model combined = usable;
  combined.combination = Matrix{{1, -0.25}, {0.5, 2}};
  write_seed(seed(corpus, "model", "combined"), model_to_cbor(combined));
  Model staged = usable;
  const EarlyStage stage{{0, 2}, Matrix{{0.1, -3}, {2, 0.25}, {1, 0}, {0.5, -1}}, Vector{{0.125, 0}}, 0.9};
  staged.early_stages = EarlyStages{Matrix::Constant(3, 1, 0.1), {stage}, 5000};
  write_seed(seed(corpus, "model", "early_stages"), model_to_cbor(staged));
  Model profiled = small_profiled_model();
  profiled.scaling = usable.scaling;
  write_seed(seed(corpus, "model", "profiled"), model_to_cbor(profiled));
}

void write_runs(const std::string& corpus) {
  write_seed(seed(corpus, "journal_line", "run"), run_line(toy_run()));
  ExperimentRun run = toy_run();
  run.classes.clear();
  write_seed(seed(corpus, "journal_line", "no_classes"), run_line(run));
  write_seed(seed(corpus, "journal_line", "description"), description_line({"toy", 2, {400, 500}, 9, {}}));
}

void write_matlab_files(const std::string& corpus) {
  test::MatlabWriter(seed(corpus, "matlab", "cube.mat")).add_cube<double>("scene", 2, 3, 2);
  test::MatlabWriter(seed(corpus, "matlab", "compressed.mat")).add_cube<std::uint16_t>("scene", 2, 3, 4, true);
  test::MatlabWriter several(seed(corpus, "matlab", "several.mat"));
  several.add_cube<std::int16_t>("scene", 3, 2, 2);
  several.add_text("note", "text");
  several.add<std::uint8_t>("labels", {2, 3}, {0, 1, 2, 2, 1, 0});
  several.add_complex_cube("complex", 2, 2, 2);
}

void write_geopackages(const std::string& corpus) {
  initialise_gdal();
  // Small pages make a small file.
  CPLSetConfigOption("OGR_SQLITE_PRAGMA", "page_size=512");
  const RasterGrid grid = {16, 12, std::array<double, 6>{0, 1, 0, 12, 0, -1}, crs_from_epsg(4326)};
  OutputSet outputs(false);
  const auto points = create_features(
      stage_vector(outputs, "points", seed(corpus, "geopackage", "points.gpkg")), grid, PixelGeometry::centre,
      {{"class", FieldKind::text}, {"code", FieldKind::integer}, {"site", FieldKind::text}});
  points->add(17, {std::string("forest"), std::int64_t{1}, std::string("a")});
  points->add(40, {std::string("water"), std::int64_t{2}, std::monostate{}});
  points->close();
  write_polygons(
      stage_vector(outputs, "polygons", seed(corpus, "geopackage", "polygons.gpkg")), grid.crs, "class",
      {{{{1, 1}, {5, 1}, {5, 6}, {1, 1}}, "forest", "train"}, {{{8, 8}, {12, 8}, {9, 11}, {8, 8}}, "water", "test"}});
  outputs.publish();
}

}  // namespace
}  // namespace parsimap::fuzz

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  const std::string corpus = arguments[1];
  parsimap::fuzz::write_models(corpus);
  parsimap::fuzz::write_runs(corpus);
  parsimap::fuzz::write_matlab_files(corpus);
  parsimap::fuzz::write_geopackages(corpus);
  return 0;
}
