// Real scenes of PARSIMAP_DATA with their labelled pixels in regions, for benchmarks that divide them by regions.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

// Labelled pixels with their regions, numbered from 0.
struct LabelledScene {
  SampleSet samples;
  std::vector<int> regions;
  int region_count = 0;
  RasterGrid grid;
  std::set<int> fixed_pool;  // regions of the pool; empty: half of the regions of each class, drawn
};

// The regions of the labels, cut into blocks of this many pixels where that is not 0.
inline LabelledScene labelled_scene(SceneSource& source, const LabelledPixels& labels, Index block) {
  Indices bands;
  for (std::size_t i = 0; i < source.bands().size(); ++i) {
    if (!source.bands()[i].bad) {
      bands.push_back(static_cast<Index>(i));
    }
  }
  LabelledScene scene;
  scene.grid = source.grid();
  scene.samples = extract_samples(source, labels, bands, std::int64_t{1} << 28U, {}).samples;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, int> numbers;
  for (std::size_t i = 0; i < scene.samples.places.size(); ++i) {
    const std::int64_t row = scene.samples.places[i].pixel / scene.grid.width;
    const std::int64_t column = scene.samples.places[i].pixel % scene.grid.width;
    const auto key = block > 0 ? std::tuple(row / block, column / block, std::int64_t{scene.samples.labels[i]})
                               : std::tuple(std::int64_t{0}, std::int64_t{0}, scene.samples.places[i].region);
    scene.regions.push_back(numbers.emplace(key, static_cast<int>(numbers.size())).first->second);
  }
  scene.region_count = static_cast<int>(numbers.size());
  return scene;
}

inline LabelledScene salinas(const std::string& data, Index block) {
  const OpenScene scene = open_scene(data + "/salinasA/salinasA.bil");
  return labelled_scene(*scene.source,
                        read_labels(data + "/salinasA/salinasA_gt.img", {}, scene.source->grid(), "scene"), block);
}

inline LabelledScene osbs(const std::string& data) {
  const OpenScene scene = open_scene(data + "/idtrees_osbs/mosaic.vrt");
  return labelled_scene(*scene.source,
                        read_labels(data + "/idtrees_osbs/crowns_OSBS.gpkg",
                                    {.class_field = "class", .where = "class > 0"}, scene.source->grid(), "scene"),
                        0);
}

inline LabelledScene berlin(const std::string& data, Index block) {
  const OpenScene scene = open_scene(data + "/enmap_berlin/EnMAP_BerlinUrbanGradient.bsq");
  return labelled_scene(
      *scene.source,
      read_labels(data + "/enmap_berlin/LandCov_BerlinUrbanGradient.shp",
                  {.class_field = "Level_2", .where = {}, .separate_parts = true}, scene.source->grid(), "scene"),
      block);
}

// The program of a benchmark whose arguments are pairs of a scene and a number of draws: its exit code.
template <typename Measure>
int measure_scenes(int argc, char** argv, const Measure& measure) {
  try {
    initialise_gdal();
    for (int i = 1; i + 1 < argc; i += 2) {
      measure(argv[i], std::atoi(argv[i + 1]));
    }
  } catch (const std::exception& error) {
    std::cerr << std::filesystem::path(argv[0]).filename().string() << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}

}  // namespace parsimap
