#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/kernel/kernel.hpp"

#include "draws.hpp"

namespace parsimap {

namespace {

template <typename Named>
std::optional<Index> index_of(const std::vector<Named>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Named& one) { return one.name == name; });
  return found == list.end() ? std::nullopt : std::optional<Index>(found - list.begin());
}

std::optional<Index> method_index(const ExperimentSpec& spec, const MethodName& name) {
  const auto found = std::find_if(spec.methods.begin(), spec.methods.end(),
                                  [&](const Method& method) { return name_of(method) == name; });
  return found == spec.methods.end() ? std::nullopt : std::optional<Index>(found - spec.methods.begin());
}

// Descriptions come from several processes in any order: they are put into that of the specification, and each data set
// must have exactly one.
std::vector<DataDescription> in_order(const ExperimentSpec& spec, const std::vector<DataDescription>& descriptions) {
  std::vector<DataDescription> ordered;
  for (const DataSpec& data : spec.data) {
    const std::optional<Index> place = index_of(descriptions, data.name);
    if (!place) {
      throw DataError("the description of the data set '" + data.name + "' is missing");
    }
    ordered.push_back(descriptions[static_cast<std::size_t>(*place)]);
  }
  if (ordered.size() != descriptions.size()) {
    throw DataError("there are descriptions of " + std::to_string(descriptions.size()) +
                    " data sets, and the experiment has " + std::to_string(ordered.size()));
  }
  return ordered;
}

std::vector<ExperimentRun> in_order(const ExperimentSpec& spec, const std::vector<ExperimentRun>& runs) {
  // Every run is put at its place in the order data, repeat, method. A place that is taken twice or stays empty, or
  // a run that belongs to no place, is an error of whoever joined the parts.
  std::vector<const ExperimentRun*> places(static_cast<std::size_t>(run_count(spec)), nullptr);
  for (const ExperimentRun& run : runs) {
    const std::optional<Index> place = run_place(spec, run);
    if (!place || places[static_cast<std::size_t>(*place)] != nullptr) {
      throw DataError(run_title(run) + (place ? " is there twice" : " is no run of the experiment"));
    }
    places[static_cast<std::size_t>(*place)] = &run;
  }
  std::vector<ExperimentRun> ordered;
  const ExperimentRun* first = nullptr;
  for (const ExperimentRun* run : places) {
    if (run == nullptr) {
      throw DataError(std::to_string(std::count(places.begin(), places.end(), nullptr)) + " of " +
                      std::to_string(places.size()) + " runs are missing");
    }
    // All runs on a data set must agree with the first of them, or they were made from different data.
    first = first == nullptr || first->data != run->data ? run : first;
    if (!(shape_of(*run) == shape_of(*first))) {
      throw DataError(run_title(*run) + " has other classes or test sets than " + run_title(*first));
    }
    ordered.push_back(*run);
  }
  return ordered;
}

}  // namespace

Index run_count(const ExperimentSpec& spec) {
  return static_cast<Index>(spec.data.size()) * spec.repeats * static_cast<Index>(spec.methods.size());
}

Index first_run_of_data(const ExperimentSpec& spec, std::size_t data) {
  return static_cast<Index>(data) * spec.repeats * static_cast<Index>(spec.methods.size());
}

std::optional<Index> run_place(const ExperimentSpec& spec, const ExperimentRun& run) {
  const std::optional<Index> data = index_of(spec.data, run.data);
  const std::optional<Index> method = method_index(spec, run.method);
  if (!data || !method || run.repeat < 0 || run.repeat >= spec.repeats) {
    return std::nullopt;
  }
  // Data sets vary slowest and methods fastest.
  return (*data * spec.repeats + run.repeat) * static_cast<Index>(spec.methods.size()) + *method;
}

ExperimentRecord joined_record(const ExperimentSpec& spec, const std::string& configuration,
                               const std::vector<DataDescription>& descriptions,
                               const std::vector<ExperimentRun>& runs) {
  ExperimentRecord record;
  record.title = spec.title;
  record.description = spec.description;
  record.configuration = configuration;
  record.version = PARSIMAP_VERSION;
  record.published = spec.published;
  record.data = in_order(spec, descriptions);
  record.runs = in_order(spec, runs);
  record.summary = summarise(record.runs);
  if (spec.kernel_shape) {
    record.kernels = kernel_surfaces(*spec.kernel_shape);
  }
  return record;
}

namespace {

MahalanobisKernel kernel_of(const KernelShapeSpec::Surface& surface, const Matrix& eigenvectors) {
  Vector weights =
      Vector::Map(surface.sigma_squared.data(), static_cast<Index>(surface.sigma_squared.size())).cwiseInverse();
  // The last of the sigmas, if the kernel has a part for everything orthogonal to the directions, gives w_0.
  double rest = 0;
  if (surface.kernel != ExperimentKernel::pca) {
    rest = weights(weights.size() - 1);
    weights.conservativeResize(weights.size() - 1);
  }
  // In the printed kernel the weights of directions add to the weight of the whole plane.
  return MahalanobisKernel({eigenvectors.leftCols(weights.size()), weights.array() + rest, rest});
}

}  // namespace

std::vector<KernelSurface> kernel_surfaces(const KernelShapeSpec& shape) {
  const Eigen::Matrix2d covariance = Eigen::Map<const Eigen::Matrix2d>(shape.covariance.data());
  const Matrix eigenvectors = eigendecomposition(covariance).vectors;

  // The kernel k(x, 0) on a grid of n x n points of the plane. Point y + n x has the coordinates (axis x, axis y), so
  // that the values reshaped to n x n have a row for each y and a column for each x.
  const Index n = shape.points;
  const Vector axis = Vector::LinSpaced(n, -shape.half_width, shape.half_width);
  Matrix plane(n * n, 2);
  plane.col(0) = axis.transpose().replicate(n, 1).reshaped();
  plane.col(1) = axis.replicate(n, 1);

  std::vector<KernelSurface> surfaces;
  for (const KernelShapeSpec::Surface& surface : shape.surfaces) {
    const Matrix values = kernel_of(surface, eigenvectors).block(plane, Matrix::Zero(1, 2));
    surfaces.push_back({surface.title, shape.half_width, values.reshaped(n, n), shape.contour});
  }
  return surfaces;
}

}  // namespace parsimap
