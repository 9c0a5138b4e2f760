// make_scene --output DIR ...: a simulated scene for the benchmarks, in three ENVI files.
//
// scene.img (uint16, band interleaved by pixel), train.img and test.img (class codes 1 .. K, 0 = none). The classes lie
// as in a label raster, whose unlabelled pixels take the class nearest to them so that the whole scene has spectra, or
// else as Voronoi regions.
#include <boost/program_options.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "parsimap/core/random.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/simulation/simulated_layout.hpp"
#include "parsimap/simulation/simulation.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace {

using namespace parsimap;
namespace options = boost::program_options;
using Codes = std::vector<std::uint16_t>;

struct Request {
  std::string output;
  std::string layout_map, train_map, test_map;  // label rasters, or empty
  Index width = 0, height = 0, classes = 0;     // without layout_map
  Index bands = 0;
  Index train_pixels = 0;  // without train_map: in all, drawn evenly from the classes
  double separation = 0, noise = 0;
  double mixed = 0;  // share of pixels that are mixtures
  std::uint64_t seed = 0;
};

options::options_description description(Request& request) {
  options::options_description all("make_scene");
  auto add = all.add_options();
  add("output", options::value(&request.output)->required());
  add("layout-map", options::value(&request.layout_map));
  add("train-map", options::value(&request.train_map));
  add("test-map", options::value(&request.test_map));
  add("width", options::value(&request.width));
  add("height", options::value(&request.height));
  add("classes", options::value(&request.classes));
  add("bands", options::value(&request.bands)->required());
  add("train-pixels", options::value(&request.train_pixels));
  add("separation", options::value(&request.separation)->required());
  add("noise", options::value(&request.noise)->required());
  add("mixed", options::value(&request.mixed)->required());
  add("seed", options::value(&request.seed)->required());
  return all;
}

Codes read_codes(const std::string& path, RasterGrid& grid) {
  const auto source = open_class_map(path);
  grid = source->grid();
  Codes codes;
  source->read({0, 0, grid.width, grid.height}, codes);
  return codes;
}

// Every pixel takes the code of the labelled pixel nearest to it in steps along rows and columns.
void fill_from_nearest(Codes& codes, Index width) {
  std::vector<Index> front;
  for (Index i = 0; i < static_cast<Index>(codes.size()); ++i) {
    if (codes[static_cast<std::size_t>(i)] > 0) {
      front.push_back(i);
    }
  }
  for (std::size_t next = 0; next < front.size(); ++next) {
    const Index pixel = front[next];
    const auto spread = [&](Index neighbour, bool inside) {
      if (inside && codes[static_cast<std::size_t>(neighbour)] == 0) {
        codes[static_cast<std::size_t>(neighbour)] = codes[static_cast<std::size_t>(pixel)];
        front.push_back(neighbour);
      }
    };
    spread(pixel - width, pixel >= width);
    spread(pixel + width, pixel + width < static_cast<Index>(codes.size()));
    spread(pixel - 1, pixel % width > 0);
    spread(pixel + 1, pixel % width < width - 1);
  }
}

// Codes become 1 .. K in the order of the codes of `layout`.
Index renumber(const Codes& layout, const std::vector<Codes*>& maps) {
  std::map<std::uint16_t, std::uint16_t> position{{0, 0}};
  for (const std::uint16_t code : layout) {
    position.emplace(code, 0);
  }
  std::uint16_t last = 0;
  for (auto& [code, number] : position) {
    number = code == 0 ? 0 : ++last;
  }
  for (Codes* codes : maps) {
    for (std::uint16_t& code : *codes) {
      code = position.at(code);
    }
  }
  return last;
}

// Dimensions and variances differ from class to class, as they do in real scenes.
SimulatedClassSpec class_spec(Index position, Index bands) {
  SimulatedClassSpec spec;
  spec.name = "class " + std::to_string(position + 1);
  spec.dimension = std::min<Index>(3 + 2 * (position % 4), bands / 2);
  spec.largest_variance = 2e-3 * (1 + 0.5 * static_cast<double>(position % 3));
  spec.decay = 0.6;
  return spec;
}

struct Labels {
  Codes layout, train, test;  // of all pixels; layout without 0
};

// Pixels of every class in turn until there are enough; of a class that is exhausted no more.
Codes drawn_training(const Codes& layout, Index classes, Index pixels, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < layout.size(); ++i) {
    members[layout[i] - 1U].push_back(i);
  }
  Random random(seed, 1);
  Codes train(layout.size(), 0);
  Index drawn = 0;
  bool exhausted = false;
  while (drawn < pixels && !exhausted) {
    exhausted = true;
    for (auto& member : members) {
      if (member.empty() || drawn == pixels) {
        continue;
      }
      exhausted = false;
      std::swap(member.back(), member[static_cast<std::size_t>(random.index(static_cast<Index>(member.size())))]);
      train[member.back()] = layout[member.back()];
      member.pop_back();
      ++drawn;
    }
  }
  return train;
}

Labels mapped_labels(const Request& request, SimulationSpec& spec) {
  RasterGrid grid;
  Labels labels;
  labels.layout = read_codes(request.layout_map, grid);
  spec.width = grid.width;
  spec.height = grid.height;
  if (!request.train_map.empty()) {
    labels.train = read_codes(request.train_map, grid);
    for (std::size_t i = 0; i < labels.train.size(); ++i) {
      // The fixed training map of Pavia labels pixels that the reference map leaves out.
      labels.layout[i] = labels.train[i] > 0 ? labels.train[i] : labels.layout[i];
    }
  }
  if (!request.test_map.empty()) {
    labels.test = read_codes(request.test_map, grid);
  }
  const Index classes = renumber(labels.layout, {&labels.layout, &labels.train, &labels.test});
  fill_from_nearest(labels.layout, spec.width);
  spec.classes.resize(static_cast<std::size_t>(classes));
  return labels;
}

Labels voronoi_labels(const Request& request, SimulationSpec& spec) {
  spec.width = request.width;
  spec.height = request.height;
  spec.classes.resize(static_cast<std::size_t>(request.classes));
  SimulationSpec layout = spec;
  layout.layout.sites = 12 * request.classes;
  for (std::size_t c = 0; c < layout.classes.size(); ++c) {
    layout.classes[c] = class_spec(static_cast<Index>(c), request.bands);
  }
  Labels labels;
  SimulatedLayout(layout).reference({0, 0, spec.width, spec.height}, labels.layout);
  return labels;
}

Labels make_labels(const Request& request, SimulationSpec& spec) {
  Labels labels = request.layout_map.empty() ? voronoi_labels(request, spec) : mapped_labels(request, spec);
  if (labels.train.empty()) {
    labels.train =
        drawn_training(labels.layout, static_cast<Index>(spec.classes.size()), request.train_pixels, request.seed);
  }
  if (labels.test.empty()) {
    labels.test = labels.layout;
  }
  for (std::size_t i = 0; i < labels.test.size(); ++i) {
    labels.test[i] = labels.train[i] > 0 ? 0 : labels.test[i];
  }
  return labels;
}

void write_scene(const Simulation& simulation, const std::string& path) {
  const OutputOptions options = {.format = "ENVI", .creation_options = {"INTERLEAVE=BIP"}};
  OutputSet outputs(true);
  const auto sink =
      create_scene(stage_raster(outputs, "scene", path, options), simulation.grid(), simulation.bands(), options);
  constexpr Index kRows = 64;
  Spectra spectra;
  for (Index row = 0; row < simulation.grid().height; row += kRows) {
    const Window window{0, row, simulation.grid().width, std::min(kRows, simulation.grid().height - row)};
    simulation.spectra(window, spectra);
    sink->write(window, spectra);
  }
  sink->close();
  outputs.publish();
}

void write_labels(const Simulation& simulation, const Codes& codes, const std::string& path) {
  const RasterGrid& grid = simulation.grid();
  const OutputOptions options = {.format = "ENVI", .creation_options = {}};
  OutputSet outputs(true);
  const auto sink =
      create_class_map(stage_raster(outputs, "labels", path, options), grid, simulation.class_table(), options);
  sink->write({0, 0, grid.width, grid.height}, codes);
  sink->close();
  outputs.publish();
}

void make_scene(const Request& request) {
  SimulationSpec spec;
  spec.bands = request.bands;
  spec.seed = request.seed;
  spec.separation = request.separation;
  spec.epsilon = request.noise;
  spec.mixing.fraction = request.mixed;
  spec.epsg = 0;
  const Labels labels = make_labels(request, spec);
  for (std::size_t c = 0; c < spec.classes.size(); ++c) {
    spec.classes[c] = class_spec(static_cast<Index>(c), spec.bands);
  }
  spec.layout.kind = "map";
  spec.layout.map = labels.layout;
  const Simulation simulation(spec);
  const std::filesystem::path folder = request.output;
  std::filesystem::create_directories(folder);
  write_labels(simulation, labels.train, folder / "train.img");
  write_labels(simulation, labels.test, folder / "test.img");
  write_scene(simulation, folder / "scene.img");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    initialise_gdal();
    Request request;
    options::variables_map values;
    options::store(options::parse_command_line(argc, argv, description(request)), values);
    options::notify(values);
    make_scene(request);
  } catch (const std::exception& error) {
    std::cerr << "make_scene: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
