// Simulated scenes: what is asked for, the spectra of the classes, where the classes lie, and the scene that follows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// What a simulated scene looks like: plain options. In JSON every field has the same name; absent means the default
// given here, and an optional field that is unset is absent. Only `width`, `height`, `bands` and `classes` are
// required, of a class only `name`. See sample_data/spec.json for an example.

// One class: spectra are normal with a mean spectrum and covariance Q diag(a) Q' + b (I - Q Q'), in reflectance.
struct SimulatedClassSpec {
  std::string name;                // unique
  Index dimension = 5;             // p, 1 <= p < bands
  std::vector<double> variances;   // a_1 .. a_p, each > noise_variance; empty: largest_variance decay^(i-1)
  double largest_variance = 1e-3;  // a_1
  double decay = 0.5;              // a_(i+1) / a_i, in (0, 1]
  double noise_variance = 1e-6;    // b >= 0
  double weight = 1;               // share of the regions, > 0, relative to the other classes
  std::vector<double> mean;        // reflectance by band; empty: a smooth spectrum drawn from the seed
  std::optional<Colour> colour;    // in JSON [red, green, blue]
};

// Where the classes lie. Regions are dealt to the classes in proportion to their weights, each class gets at least one.
struct LayoutSpec {
  std::string kind = "voronoi";    // "voronoi", "stripes", "blocks" or "map"
  Index sites = 40;                // voronoi: number of regions, >= number of classes
  Index stripe_width = 10;         // stripes: vertical, in pixels
  Index block_size = 16;           // blocks: squares of so many pixels
  std::vector<std::uint16_t> map;  // map: width * height codes in row-major order, 0 = no class, else class index + 1
  Index gap = 0;                   // pixels this near to another region (Chebyshev) have no reference label
};

// Linear mixtures x = sum alpha_i s_i as in the paper's section on simulated data, the label the largest alpha.
// alpha = (1 - strength) e_label + strength * u with u uniform on the simplex, its largest entry moved to the label.
struct MixingSpec {
  double fraction = 0;  // of the pixels that are mixed, in [0, 1]
  double strength = 1;  // in [0, 1]; 1 is the paper's
  Index reach = 0;      // mixed with the classes found within so many pixels (none: pure); 0: with all classes
};

// Small polygons for training and test, each inside one region.
struct PolygonSpec {
  Index per_class = 12;          // fewer where no more fit; 0 = none
  double smallest_radius = 1.5;  // in pixels
  double largest_radius = 4;
  double train_fraction = 0.5;  // of a class's polygons that have split "train", the others "test"; in [0, 1]
};

struct SimulationSpec {
  Index width = 0;  // in pixels, >= 1
  Index height = 0;
  Index bands = 0;                                       // d >= 2
  double first_wavelength = 400;                         // nanometres, bands are evenly spaced
  double last_wavelength = 2500;                         // > first_wavelength
  double pixel_size = 1;                                 // in map units, > 0
  std::array<double, 2> origin = {500000.0, 4000000.0};  // x, y of the upper left corner
  int epsg = 32631;                                      // of the map coordinates, 0 = none
  std::uint64_t seed = 1;
  LayoutSpec layout;
  std::vector<SimulatedClassSpec> classes;  // 2 .. 65535; code = position + 1
  double separation = 1;            // factor on the distance of drawn mean spectra from their common average, >= 0
  std::string subspace = "smooth";  // directions Q: "smooth" (low frequencies along the bands) or "random" (any)
  MixingSpec mixing;
  std::optional<double>
      snr;               // > 0; variance of the added white noise = mean square of the class means (by weight) / snr
  double epsilon = 0;    // >= 0, or its standard deviation in reflectance; only one of snr and epsilon
  double scale = 10000;  // > 0; a stored value is round(scale * reflectance), clamped to 0 .. 65535
  PolygonSpec polygons;
};

// Throws ConfigError when a rule above is broken. The text starts with the field's JSON pointer, as in
// "/classes/1/dimension is 40; it must be smaller than bands (30)", so that a reader of a file puts its name before it.
void check_simulation(const SimulationSpec& spec);

// Classes of the HDDA model to draw spectra from (Bouveyron, Girard, Schmid 2007, submodel [a_ij b_i Q_i d_i]).

// Normal with mean m and covariance Q diag(a) Q' + b (I - Q Q').
struct SimulatedClass {
  Vector mean;                // d, reflectance
  Matrix directions;          // Q, d x p, orthonormal columns
  Vector variances;           // a, p
  double noise_variance = 0;  // b

  [[nodiscard]] Vector draw(Random& random) const;
};

// The classes of a specification. Mean spectra and directions are drawn from the seed and the class's position,
// whatever the scene's size or layout. Same on every computer up to rounding.
std::vector<SimulatedClass> simulated_classes(const SimulationSpec& spec);

// Mixing proportions alpha of all `classes`, which sum to 1: alpha = (1 - strength) e_label + strength u, with u
// uniform on the simplex of the label and `others`, its largest entry moved to the label. The label has the largest
// alpha.
Vector mixing_proportions(Index classes, Index label, const Indices& others, double strength, Random& random);

// The independent random streams of one simulation seed.
enum class SimulationStream : std::uint64_t { layout = 1, class_model = 2, row = 3, polygons = 4 };

// The stream of the `index`-th class, row ...
inline std::uint64_t simulation_stream(SimulationStream kind, std::uint64_t index) {
  return (static_cast<std::uint64_t>(kind) << 32U) + index;
}

// Where the classes of a simulated scene lie: regions of one class each.

class SimulatedLayout {
 public:
  explicit SimulatedLayout(const SimulationSpec& spec);

  // Class index of every pixel of the window, row-major; -1 where there is none (layout "map" only).
  void labels(const Window& window, std::vector<int>& labels) const;
  // Codes (class index + 1) of the reference map: as labels(), but 0 in the gap between regions.
  void reference(const Window& window, std::vector<std::uint16_t>& codes) const;

 private:
  void regions(const Window& window, std::vector<int>& regions) const;
  void voronoi_row(Index row, const Window& window, int* regions) const;

  LayoutSpec spec_;
  Index width_;
  Index height_;
  std::vector<int> region_class_;             // class index of every region
  std::vector<std::array<double, 2>> sites_;  // voronoi: column, row
};

// Training and test polygons of a simulated scene.
struct SimulatedPolygon {
  std::vector<std::array<double, 2>> ring;  // map coordinates x, y; first point equals last
  std::string class_name;
  std::string split;  // "train" or "test"
};

// Polygons drawn from the seed, at least two pixels apart; every pixel whose centre lies in one (at least 4 do) has its
// class in the reference map. With a train_fraction inside (0, 1), a class of two or more polygons has both splits.
// `grid` has a geotransform. A class gets fewer than it asks for where many attempts in a row have found no room.
// ConfigError when none fits for a class.
std::vector<SimulatedPolygon> place_polygons(const SimulationSpec& spec, const SimulatedLayout& layout,
                                             const RasterGrid& grid, const Progress& progress = {});

// Simulated scenes of HDDA-distributed classes.
//
// Everything is generated by window, so that a scene may be larger than memory: every row has its own random stream,
// and a pixel's values depend on the specification alone, not on the window. Same on every computer (values are rounded
// to whole numbers; before that they agree up to rounding of double).

class Simulation {
 public:
  // `crs` is the WKT of spec.epsg, which only a library of coordinate systems can write. ConfigError as
  // check_simulation().
  explicit Simulation(const SimulationSpec& spec, const std::string& crs = {});

  [[nodiscard]] const RasterGrid& grid() const { return grid_; }
  [[nodiscard]] const BandTable& bands() const { return bands_; }
  [[nodiscard]] const ClassTable& class_table() const { return class_table_; }
  [[nodiscard]] const std::vector<SimulatedClass>& classes() const { return classes_; }
  // Standard deviation of the added white noise, in reflectance.
  [[nodiscard]] double epsilon() const { return epsilon_; }

  // Stored values, whole numbers in 0 .. 65535, pixels x d in row-major order of the window.
  void spectra(const Window& window, Spectra& values) const;
  // The reflectance that they are stored from, neither rounded nor clamped, pixels x d in row-major order of the
  // window: strong noise takes it below 0, where stored values end.
  [[nodiscard]] Matrix reflectance(const Window& window) const;
  // Codes in row-major order of the window, 0 where there is no label.
  void reference(const Window& window, std::vector<std::uint16_t>& codes) const;
  // As place_polygons().
  [[nodiscard]] std::vector<SimulatedPolygon> polygons(const Progress& progress = {}) const;

 private:
  [[nodiscard]] Matrix row_reflectance(Index row, const Window& window) const;
  [[nodiscard]] Vector pixel_spectrum(int label, const Indices& neighbours, Random& random) const;

  SimulationSpec spec_;
  RasterGrid grid_;
  BandTable bands_;
  ClassTable class_table_;
  std::vector<SimulatedClass> classes_;
  SimulatedLayout layout_;
  double epsilon_ = 0;
};

// A simulation as a scene. The simulation is kept alive by the caller.
class SimulatedScene final : public SceneSource {
 public:
  explicit SimulatedScene(const Simulation& simulation) : simulation_(simulation) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return simulation_.grid(); }
  [[nodiscard]] const BandTable& bands() const override { return simulation_.bands(); }
  // Rows are the unit of generation.
  [[nodiscard]] Index block_width() const override { return simulation_.grid().width; }
  [[nodiscard]] Index block_height() const override { return 1; }
  [[nodiscard]] bool known_empty(const Window&) const override { return false; }
  void read(const Window& window, const Indices& bands, Spectra& values) override;

 private:
  const Simulation& simulation_;
  std::string name_ = "simulated scene";
};

}  // namespace parsimap
