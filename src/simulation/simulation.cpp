#include "parsimap/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <sstream>

#include "parsimap/core/error.hpp"

namespace parsimap {

static RasterGrid make_grid(const SimulationSpec& spec, const std::string& crs) {
  RasterGrid grid;
  grid.width = spec.width;
  grid.height = spec.height;
  // North is up: x grows with the column, and y decreases with the row.
  grid.geotransform = {spec.origin[0], spec.pixel_size, 0, spec.origin[1], 0, -spec.pixel_size};
  grid.crs = crs;
  return grid;
}

static BandTable make_bands(const SimulationSpec& spec) {
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
static ClassTable make_class_table(const SimulationSpec& spec) {
  ClassTable table;
  for (const SimulatedClassSpec& entry : spec.classes) {
    table.push_back({static_cast<int>(table.size()) + 1, entry.name, entry.colour});
  }
  return table;
}

static double noise_deviation(const SimulationSpec& spec, const std::vector<SimulatedClass>& classes) {
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
static Indices classes_near(const std::vector<int>& labels, Index width, Index first, Index last, int own) {
  Indices found;
  // Row by row of the window, the columns around the pixel.
  for (std::size_t i = 0; i < labels.size(); i += static_cast<std::size_t>(width)) {
    for (Index column = first; column <= last; ++column) {
      const int label = labels[i + static_cast<std::size_t>(column)];
      if (label >= 0 && label != own && std::ranges::find(found, label) == found.end()) {
        found.push_back(label);
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

static Indices all_other_classes(Index classes, Index own) {
  return indices_where(classes, [&](Index c) { return c != own; });
}

Simulation::Simulation(const SimulationSpec& spec, const std::string& crs)
    : spec_(spec),
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

// A logistic curve of a sum of bumps and dips along the bands: smooth, and between 0 and 0.6 without clamping.
static Vector smooth_mean(Index bands, Random& random) {
  // The constants are those of docs/method.md (Simulated scenes). Reflectances of vegetation and soil are rarely above
  // 0.6, and a level around -0.5 gives values around 0.2.
  constexpr int kBumps = 6;
  Vector curve = Vector::Constant(bands, -0.5 + 0.8 * random.normal());
  for (int bump = 0; bump < kBumps; ++bump) {
    const double centre = random.uniform();
    const double width = 0.04 + 0.2 * random.uniform();
    const double height = random.normal();
    for (Index band = 0; band < bands; ++band) {
      const double position = (static_cast<double>(band) + 0.5) / static_cast<double>(bands);
      const double z = (position - centre) / width;
      curve[band] += height * std::exp(-0.5 * z * z);
    }
  }
  return curve.unaryExpr([](double value) { return 0.6 / (1 + std::exp(-value)); });
}

// Modified Gram-Schmidt, each column twice, which makes it orthonormal to the precision of double; needs no pivoting,
// so that the directions differ by rounding only from computer to computer.
static void orthonormalise(Matrix& columns) {
  for (Index j = 0; j < columns.cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index i = 0; i < j; ++i) {
        columns.col(j) -= columns.col(i).dot(columns.col(j)) * columns.col(i);
      }
    }
    columns.col(j).normalize();
  }
}

// The orthonormal cosine basis along the bands (DCT-II), its `count` lowest frequencies.
static Matrix cosine_basis(Index bands, Index count) {
  const auto d = static_cast<double>(bands);
  Matrix basis(bands, count);
  for (Index k = 0; k < count; ++k) {
    const double norm = std::sqrt((k == 0 ? 1 : 2) / d);
    for (Index i = 0; i < bands; ++i) {
      basis(i, k) = norm * std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) * static_cast<double>(k) / d);
    }
  }
  return basis;
}

static Matrix random_directions(Index bands, Index dimension, bool smooth, Random& random) {
  // Twice as many frequencies as directions leave the classes different subspaces, and the draw well conditioned.
  const Index frequencies = std::min(bands, 2 * dimension + 2);
  Matrix draw = random.normal_matrix(smooth ? frequencies : bands, dimension);
  orthonormalise(draw);
  return smooth ? Matrix(cosine_basis(bands, frequencies) * draw) : draw;
}

// The variances along the directions of the signal: as given, or falling by the factor `decay` from the largest.
static Vector signal_variances(const SimulatedClassSpec& spec) {
  Vector variances(spec.dimension);
  for (Index i = 0; i < spec.dimension; ++i) {
    variances[i] = spec.variances.empty() ? spec.largest_variance * std::pow(spec.decay, static_cast<double>(i))
                                          : spec.variances[static_cast<std::size_t>(i)];
  }
  return variances;
}

Vector SimulatedClass::draw(Random& random) const {
  // A spectrum is the mean, noise in all directions, and along the directions of the signal what is drawn there in
  // place of the noise.
  // With white noise e of variance b in all directions, Q'e is its part along the directions. Replacing this by a
  // signal s of the variances a gives m + e + Q (s - Q'e), of covariance Q diag(a) Q' + b (I - Q Q').
  const Vector signal = variances.cwiseSqrt().cwiseProduct(random.normal_matrix(variances.size(), 1).col(0));
  const Vector noise = std::sqrt(noise_variance) * random.normal_matrix(mean.size(), 1).col(0);
  return mean + noise + directions * (signal - directions.transpose() * noise);
}

std::vector<SimulatedClass> simulated_classes(const SimulationSpec& spec) {
  std::vector<SimulatedClass> classes;
  Vector common = Vector::Zero(spec.bands);
  double drawn = 0;
  // Every class is drawn from a stream of its own, so that it does not change when others are added.
  for (std::size_t c = 0; c < spec.classes.size(); ++c) {
    const SimulatedClassSpec& entry = spec.classes[c];
    Random random(spec.seed, simulation_stream(SimulationStream::class_model, c));
    SimulatedClass model;
    model.mean = smooth_mean(spec.bands, random);
    model.directions = random_directions(spec.bands, entry.dimension, spec.subspace == "smooth", random);
    model.variances = signal_variances(entry);
    model.noise_variance = entry.noise_variance;
    if (entry.mean.empty()) {
      // Means that are drawn are moved towards their common mean, or away from it, by the factor `separation`; means
      // that are given stay.
      common += model.mean;
      ++drawn;
    } else {
      model.mean = Vector::Map(entry.mean.data(), spec.bands);
    }
    classes.push_back(std::move(model));
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (spec.classes[c].mean.empty()) {
      classes[c].mean = common / drawn + spec.separation * (classes[c].mean - common / drawn);
    }
  }
  return classes;
}

Vector mixing_proportions(Index classes, Index label, const Indices& others, double strength, Random& random) {
  // Proportions that are uniform over the simplex are exponential variables divided by their sum. The class of the
  // pixel has the largest of them, and the share 1 - strength on top of that.
  const auto exponential = [&random] { return -std::log1p(-random.uniform()); };
  Vector proportions = Vector::Zero(classes);
  proportions[label] = exponential();
  for (const Index other : others) {
    proportions[other] = exponential();
  }
  Index largest = 0;
  proportions.maxCoeff(&largest);
  std::swap(proportions[label], proportions[largest]);
  proportions *= strength / proportions.sum();
  proportions[label] += 1 - strength;
  return proportions;
}

// All errors name the place in the document by its JSON pointer, the value, and the rule.
template <typename Value>
[[noreturn]] static void refuse(const std::string& pointer, const Value& value, const std::string& rule) {
  std::ostringstream text;
  text << pointer << " is " << value << "; it must be " << rule;
  throw ConfigError(text.str());
}

static void check_variances(const SimulatedClassSpec& entry, const std::string& pointer) {
  if (entry.variances.empty()) {
    // The variances fall by the factor `decay` from one direction to the next; the last one must still be above the
    // noise, for a direction below it is no signal.
    const double smallest = entry.largest_variance * std::pow(entry.decay, static_cast<double>(entry.dimension - 1));
    if (!(smallest > entry.noise_variance)) {
      refuse(pointer + "/largest_variance", entry.largest_variance,
             "so large that largest_variance * decay^(dimension - 1) is above noise_variance");
    }
    return;
  }
  if (static_cast<Index>(entry.variances.size()) != entry.dimension) {
    refuse(pointer + "/variances", "a list of " + std::to_string(entry.variances.size()),
           "as long as dimension (" + std::to_string(entry.dimension) + ")");
  }
  for (std::size_t i = 0; i < entry.variances.size(); ++i) {
    if (!(entry.variances[i] > entry.noise_variance)) {
      refuse(pointer + "/variances/" + std::to_string(i), entry.variances[i], "larger than noise_variance");
    }
  }
}

// The subspace of a class must leave at least one direction to the noise.
static void check_class(const SimulatedClassSpec& entry, Index bands, const std::string& pointer) {
  if (entry.dimension >= bands) {
    refuse(pointer + "/dimension", entry.dimension, "smaller than bands (" + std::to_string(bands) + ")");
  }
  check_variances(entry, pointer);
  if (!entry.mean.empty() && static_cast<Index>(entry.mean.size()) != bands) {
    refuse(pointer + "/mean", "a list of " + std::to_string(entry.mean.size()),
           "as long as bands (" + std::to_string(bands) + ")");
  }
}

static void check_classes(const SimulationSpec& spec) {
  std::set<std::string> names;
  for (std::size_t c = 0; c < spec.classes.size(); ++c) {
    const std::string pointer = "/classes/" + std::to_string(c);
    check_class(spec.classes[c], spec.bands, pointer);
    if (!names.insert(spec.classes[c].name).second) {
      refuse(pointer + "/name", "\"" + spec.classes[c].name + "\"", "different from the other classes' names");
    }
  }
}

static void check_layout(const SimulationSpec& spec) {
  const LayoutSpec& layout = spec.layout;
  // Every class gets at least one region; in a given map a class may be absent.
  if (layout.kind != "map") {
    if (layout_regions(spec) < static_cast<Index>(spec.classes.size())) {
      refuse("/layout", "of " + std::to_string(layout_regions(spec)) + " regions",
             "of at least as many as classes (" + std::to_string(spec.classes.size()) + ")");
    }
    return;
  }
  if (static_cast<Index>(layout.map.size()) != spec.width * spec.height) {
    refuse("/layout/map", "a list of " + std::to_string(layout.map.size()),
           "as long as width * height (" + std::to_string(spec.width * spec.height) + ")");
  }
  for (std::size_t i = 0; i < layout.map.size(); ++i) {
    if (layout.map[i] > spec.classes.size()) {
      refuse("/layout/map/" + std::to_string(i), layout.map[i],
             "at most the number of classes (" + std::to_string(spec.classes.size()) + ")");
    }
  }
}

void check_simulation(const SimulationSpec& spec) {
  if (!(spec.last_wavelength > spec.first_wavelength)) {
    refuse("/last_wavelength", spec.last_wavelength, "larger than first_wavelength");
  }
  check_classes(spec);
  check_layout(spec);
  if (spec.snr && spec.epsilon > 0) {
    refuse("/epsilon", spec.epsilon, "absent where snr is given");
  }
  if (!(spec.polygons.largest_radius >= spec.polygons.smallest_radius)) {
    refuse("/polygons/largest_radius", spec.polygons.largest_radius, "from smallest_radius to 1000");
  }
}

}  // namespace parsimap
