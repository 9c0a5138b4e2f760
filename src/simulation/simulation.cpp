#include "parsimap/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "parsimap/core/random.hpp"

namespace parsimap {
namespace {

const SimulationSpec& checked(const SimulationSpec& spec) {
  check_simulation(spec);
  return spec;
}

RasterGrid make_grid(const SimulationSpec& spec, const std::string& crs) {
  RasterGrid grid;
  grid.width = spec.width;
  grid.height = spec.height;
  // North is up: x grows with the column, and y decreases with the row.
  grid.geotransform = {spec.origin[0], spec.pixel_size, 0, spec.origin[1], 0, -spec.pixel_size};
  grid.crs = crs;
  return grid;
}

BandTable make_bands(const SimulationSpec& spec) {
  BandTable bands;
  // Bands are evenly spaced from the first wavelength to the last.
  const double step = (spec.last_wavelength - spec.first_wavelength) / static_cast<double>(spec.bands - 1);
  for (Index band = 0; band < spec.bands; ++band) {
    const double wavelength = spec.first_wavelength + static_cast<double>(band) * step;
    std::ostringstream name;
    name.precision(1);
    name << std::fixed << wavelength << " nm";
    bands.push_back({name.str(), wavelength});
  }
  return bands;
}

// Codes are 1, 2, .. in the order of the specification.
ClassTable make_class_table(const SimulationSpec& spec) {
  ClassTable table;
  for (const SimulatedClassSpec& entry : spec.classes) {
    table.push_back({static_cast<int>(table.size()) + 1, entry.name, entry.colour});
  }
  return table;
}

double noise_deviation(const SimulationSpec& spec, const std::vector<SimulatedClass>& classes) {
  if (!spec.snr) {
    return spec.epsilon;
  }
  // A signal-to-noise ratio says how many times the mean square of the classes' mean spectra is larger than the
  // variance of the noise.
  double power = 0;
  double weights = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    power += spec.classes[c].weight * classes[c].mean.squaredNorm() / static_cast<double>(spec.bands);
    weights += spec.classes[c].weight;
  }
  return std::sqrt(power / weights / *spec.snr);
}

// The classes other than `own` in columns `first` .. `last` of a window of labels, ascending.
Indices classes_near(const std::vector<int>& labels, Index width, Index first, Index last, int own) {
  Indices found;
  // Row by row of the window, the columns around the pixel.
  for (std::size_t i = 0; i < labels.size(); i += static_cast<std::size_t>(width)) {
    for (Index column = first; column <= last; ++column) {
      const int label = labels[i + static_cast<std::size_t>(column)];
      if (label >= 0 && label != own && std::find(found.begin(), found.end(), label) == found.end()) {
        found.push_back(label);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Indices all_other_classes(Index classes, Index own) {
  Indices others;
  for (Index c = 0; c < classes; ++c) {
    if (c != own) {
      others.push_back(c);
    }
  }
  return others;
}

}  // namespace

Simulation::Simulation(const SimulationSpec& spec, const std::string& crs)
    : spec_(checked(spec)),
      grid_(make_grid(spec, crs)),
      bands_(make_bands(spec)),
      class_table_(make_class_table(spec)),
      classes_(simulated_classes(spec)),
      layout_(spec),
      epsilon_(noise_deviation(spec, classes_)) {}

Vector Simulation::pixel_spectrum(int label, const Indices& neighbours, Random& random) const {
  const auto count = static_cast<Index>(classes_.size());
  Vector spectrum;
  // The number is drawn whether or not the pixel has neighbours to mix with, but the draws that follow depend on the
  // outcome: see row_reflectance().
  const bool mixed = random.uniform() < spec_.mixing.fraction;
  if (label >= 0 && (!mixed || neighbours.empty())) {
    spectrum = classes_[static_cast<std::size_t>(label)].draw(random);
  } else {
    // A pixel without class is an even mixture of all of them.
    const Index largest = label >= 0 ? label : random.index(count);
    const Vector proportions = label >= 0
                                   ? mixing_proportions(count, largest, neighbours, spec_.mixing.strength, random)
                                   : mixing_proportions(count, largest, all_other_classes(count, largest), 1, random);
    spectrum = Vector::Zero(spec_.bands);
    for (Index c = 0; c < count; ++c) {
      if (proportions[c] > 0) {
        spectrum += proportions[c] * classes_[static_cast<std::size_t>(c)].draw(random);
      }
    }
  }
  if (epsilon_ > 0) {
    spectrum += epsilon_ * random.normal_matrix(spec_.bands, 1).col(0);
  }
  return spectrum;
}

// The reflectances of a row in the columns of the window, d x columns.
Matrix Simulation::row_reflectance(Index row, const Window& window) const {
  // Every row has a random stream of its own. A window is computed from the streams of its rows, each followed from the
  // first column, so that a pixel has the same values in every window.
  const Index reach = spec_.mixing.reach;
  const Index end = window.column + window.width;
  const Index top = std::max<Index>(0, row - reach);
  const Index around_width = std::min(grid_.width, end + reach);
  std::vector<int> around;
  layout_.labels({0, top, around_width, std::min(grid_.height, row + reach + 1) - top}, around);
  const int* const labels = around.data() + (row - top) * around_width;
  Random random(spec_.seed, simulation_stream(SimulationStream::row, static_cast<std::uint64_t>(row)));
  Matrix values(spec_.bands, window.width);
  // The row's stream is followed from its start: what a pixel takes from it is not known beforehand.
  for (Index column = 0; column < end; ++column) {
    const int label = labels[column];
    Indices neighbours;
    if (spec_.mixing.fraction > 0) {
      neighbours = reach == 0 ? all_other_classes(static_cast<Index>(classes_.size()), label)
                              : classes_near(around, around_width, std::max<Index>(0, column - reach),
                                             std::min(around_width - 1, column + reach), label);
    }
    const Vector spectrum = pixel_spectrum(label, neighbours, random);
    if (column >= window.column) {
      values.col(column - window.column) = spectrum;
    }
  }
  return values;
}

// Stored values are rounded and cut to the range of 16-bit files, so that reading a file gives the same numbers.
void Simulation::spectra(const Window& window, Spectra& values) const {
  const auto stored = [this](double reflectance) {
    return static_cast<float>(std::clamp(std::round(spec_.scale * reflectance), 0.0, 65535.0));
  };
  values.resize(window.pixels(), spec_.bands);
  for (Index row = 0; row < window.height; ++row) {
    values.middleRows(row * window.width, window.width) =
        row_reflectance(window.row + row, window).transpose().unaryExpr(stored);
  }
}

Matrix Simulation::reflectance(const Window& window) const {
  Matrix values(window.pixels(), spec_.bands);
  for (Index row = 0; row < window.height; ++row) {
    values.middleRows(row * window.width, window.width) = row_reflectance(window.row + row, window).transpose();
  }
  return values;
}

void Simulation::reference(const Window& window, std::vector<std::uint16_t>& codes) const {
  layout_.reference(window, codes);
}

std::vector<SimulatedPolygon> Simulation::polygons(const Progress& progress) const {
  return place_polygons(spec_, layout_, grid_, progress);
}

void SimulatedScene::read(const Window& window, const Indices& bands, Spectra& values) {
  // All bands of a spectrum depend on each other, and are drawn together.
  Spectra all;
  simulation_.spectra(window, all);
  values = all(Eigen::all, bands);
}

}  // namespace parsimap
