// An experiment as plain options: data sets x methods x repeats. In JSON every field has the same name; json reads
// it and config/experiment.schema.json documents it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap {

// The kernels of the paper; the two it discusses as earlier work, with one metric for all classes, the inverse of the
// pooled covariance within the classes, full or its diagonal; and those it names as future work, polynomials in the
// metric of a class and the sum of the kernels of all classes (kernel/kernel.hpp).
enum class ExperimentKernel {
  hdda,
  pca,
  gaussian,
  mahalanobis,
  diagonal_mahalanobis,
  hdda_quadratic,
  hdda_cubic,
  hdda_sum
};

// How hyperparameters are chosen: the two criteria of `selection`, or a cross-validated grid (for Gaussian kernels).
enum class ExperimentCriterion { leave_one_out, radius_margin, cross_validation };

struct Method {
  ExperimentKernel kernel = ExperimentKernel::hdda;
  ExperimentCriterion criterion = ExperimentCriterion::leave_one_out;
  DimensionRule dimension;  // of kernels with a subspace
};

// Files that are looked for below the data folder.
struct DataFile {
  std::vector<std::string> paths;            // the first that exists is used
  std::string origin;                        // where to get it, as a sentence; may be empty
  std::int64_t bytes = 0;                    // its size there, 0 where unknown
  std::optional<std::string> variable = {};  // of a MATLAB file with several arrays of labels
};

// Samples as text: one row of numbers per sample, and one label per row.
struct TableFiles {
  DataFile features;
  DataFile labels;
};

struct TableData {
  TableFiles train;
  TableFiles test;
};

struct NamedMap {
  std::string name;
  DataFile map;
};

// Labelled pixels of a scene. Maps hold class codes, 0 = no class.
struct SceneData {
  DataFile scene;
  DataFile train;
  std::vector<NamedMap> tests;
};

// A simulated scene; every pixel has a label, and every repeat draws a new scene and split. Samples are reflectances as
// Simulation::reflectance() has them.
struct SimulatedData {
  SimulationSpec scene;  // its seed is not used
  Index train = 0;       // samples of all classes together; width * height = train + test
  Index test = 0;
};

struct DataSpec {
  std::string name;
  std::variant<TableData, SceneData, SimulatedData> source;
  // A random split of the training samples: so many of every class stay for training, and the others become the test
  // set "rest", which stands before the test sets of the source. Where it is unset, the split is that of the source.
  std::optional<Index> train_per_class;
  std::vector<std::string> classes;  // those to train against the rest; all where this is empty
};

// The figure of kernel values in a plane: the covariance of a class there, and every kernel to draw with its sigma^2.
struct KernelShapeSpec {
  std::array<double, 4> covariance = {1, 0, 0, 1};  // 2 x 2
  struct Surface {
    std::string title;
    ExperimentKernel kernel = ExperimentKernel::gaussian;
    std::vector<double> sigma_squared;  // directional ones first, then the isotropic one, as the kernel has them
  };
  std::vector<Surface> surfaces;
  double half_width = 1;
  Index points = 81;  // per side
  double contour = 0.75;
};

struct ExperimentSpec {
  std::string title;
  std::string description;
  std::vector<DataSpec> data;
  std::vector<Method> methods;  // one entry per combination of the lists in the JSON
  ScalingRule scaling = ScalingRule::global;
  Index repeats = 1;
  std::uint64_t seed = 1;  // repeat r uses seed + r
  std::optional<KernelShapeSpec> kernel_shape;
  std::vector<PublishedValue> published;
};

// "hdda", "pca", "gaussian", "mahalanobis", "diagonal-mahalanobis", "hdda-polynomial:2", "hdda-polynomial:3",
// "hdda-sum"; "leave-one-out", "radius-margin", "cross-validation"; another text is a ConfigError that lists them.
ExperimentKernel parse_experiment_kernel(const std::string& text);
std::string to_string(ExperimentKernel kernel);
ExperimentCriterion parse_experiment_criterion(const std::string& text);
std::string to_string(ExperimentCriterion criterion);

// The form of the kernels that are not Gaussian ones.
std::optional<MetricKernel> metric_kernel(ExperimentKernel kernel);

// The names of a method; the dimension is empty where the kernel has none.
MethodName name_of(const Method& method);

// What the test set of training samples left over by `train_per_class` is called.
inline constexpr char kRestOfTraining[] = "rest";

// The names of a data set's test sets: those of a scene's maps, otherwise "test"; before them "rest" where there is
// one.
std::vector<std::string> test_names(const DataSpec& data);

// Throws ConfigError when the fields contradict each other: no data and no kernel_shape, data without methods, equal
// names, a cross-validated kernel with a subspace, a kernel that is not Gaussian with another criterion than
// leave-one-out, a published value of an unknown data set, test set or method, a simulated scene with pixels that have
// no label or whose width times height is not train + test, a kernel shape whose covariance or sigmas do not fit the
// plane. That each field lies in its own range, config/experiment.schema.json has seen to. The text starts with the
// field's JSON pointer, as in check_simulation().
void check_experiment(const ExperimentSpec& spec);

}  // namespace parsimap
