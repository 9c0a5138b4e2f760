#include "parsimap/experiment/experiment_spec.hpp"

#include <algorithm>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

const Names<ExperimentKernel> kKernels = {{ExperimentKernel::hdda, "hdda"},
                                          {ExperimentKernel::pca, "pca"},
                                          {ExperimentKernel::gaussian, "gaussian"},
                                          {ExperimentKernel::mahalanobis, "mahalanobis"},
                                          {ExperimentKernel::diagonal_mahalanobis, "diagonal-mahalanobis"},
                                          {ExperimentKernel::hdda_quadratic, "hdda-polynomial:2"},
                                          {ExperimentKernel::hdda_cubic, "hdda-polynomial:3"},
                                          {ExperimentKernel::hdda_sum, "hdda-sum"}};

const Names<ExperimentCriterion> kCriteria = {{ExperimentCriterion::leave_one_out, "leave-one-out"},
                                              {ExperimentCriterion::radius_margin, "radius-margin"},
                                              {ExperimentCriterion::cross_validation, "cross-validation"}};

// Errors name the place in the document by its JSON pointer, such as /data/0/classes/2.
std::string at(const std::string& list, std::size_t index) { return list + "/" + std::to_string(index); }

// Checks what the schema cannot say: combinations of kernel and criterion that do not exist, and methods that
// stand twice, whose runs would have the same name.
void check_methods(const ExperimentSpec& spec) {
  std::vector<MethodName> names;
  for (const Method& method : spec.methods) {
    const MethodName name = name_of(method);
    if (metric_kernel(method.kernel) && method.criterion != ExperimentCriterion::leave_one_out) {
      throw ConfigError("/methods has the kernel " + name.kernel + " with the criterion " + name.criterion +
                        "; polynomials and sums are chosen by leave-one-out alone");
    }
    if (method.criterion == ExperimentCriterion::cross_validation && !name.dimension.empty()) {
      throw ConfigError("/methods has the kernel " + name.kernel +
                        " with the criterion cross-validation; a grid is searched for kernels without a subspace only");
    }
    if (std::ranges::find(names, name) != names.end()) {
      throw ConfigError("/methods has " + to_string(name) + " twice; methods must differ");
    }
    names.push_back(name);
  }
}

void check_classes(const std::vector<std::string>& classes, const std::string& pointer) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (!seen.insert(classes[i]).second) {
      throw ConfigError(at(pointer, i) + " is '" + classes[i] + "' again; classes must differ");
    }
  }
}

void check_test_names(const DataSpec& data, const std::string& pointer) {
  std::set<std::string> seen;
  for (const std::string& name : test_names(data)) {
    if (!seen.insert(name).second) {
      throw ConfigError(pointer + " has two test sets called '" + name + "'; their names must differ");
    }
  }
}

// Every pixel of a simulated scene has to be a sample with a label.
void check_simulated(const SimulatedData& data, const std::string& pointer) {
  naming<ConfigError>(pointer + "/scene", [&] { check_simulation(data.scene); });
  const Index pixels = data.scene.width * data.scene.height;
  if (data.train + data.test != pixels) {
    throw ConfigError(pointer + " has train " + std::to_string(data.train) + " and test " + std::to_string(data.test) +
                      "; both must be at least 1, and their sum width * height (" + std::to_string(pixels) + ")");
  }
  if (data.scene.layout.gap != 0) {
    throw ConfigError(pointer + "/scene/layout/gap is " + std::to_string(data.scene.layout.gap) +
                      "; it must be 0 here, where every pixel is a sample");
  }
  const std::vector<std::uint16_t>& map = data.scene.layout.map;
  const auto unlabelled = std::ranges::find(map, 0);
  if (data.scene.layout.kind == "map" && unlabelled != map.end()) {
    throw ConfigError(at(pointer + "/scene/layout/map", static_cast<std::size_t>(unlabelled - map.begin())) +
                      " is 0; it must be a class here, where every pixel is a sample");
  }
}

void check_data(const ExperimentSpec& spec) {
  if (spec.data.empty() && !spec.kernel_shape) {
    throw ConfigError("/data is empty; it must have a data set where there is no kernel_shape");
  }
  if (!spec.data.empty() && spec.methods.empty()) {
    throw ConfigError("/methods is empty; it must have a method for the data sets");
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < spec.data.size(); ++i) {
    const DataSpec& data = spec.data[i];
    const std::string pointer = at("/data", i);
    if (!names.insert(data.name).second) {
      throw ConfigError(pointer + "/name is '" + data.name + "' again; names of data sets must differ");
    }
    check_classes(data.classes, pointer + "/classes");
    check_test_names(data, pointer);
    if (const auto* simulated = std::get_if<SimulatedData>(&data.source)) {
      check_simulated(*simulated, pointer + "/simulated");
    }
  }
}

// A kernel in the plane has one or two directional sigmas where it has a subspace, and one for everything
// orthogonal to it unless it is that of the subspace alone.
void check_surface(const KernelShapeSpec::Surface& surface, const std::string& pointer) {
  const bool directional = surface.kernel != ExperimentKernel::gaussian;
  const std::size_t isotropic = surface.kernel == ExperimentKernel::pca ? 0 : 1;
  // In the plane: one or two directions, and one value for everything orthogonal to them.
  const std::size_t least = isotropic + (directional ? 1 : 0);
  const std::size_t most = isotropic + (directional ? 2 : 0);
  const std::size_t count = surface.sigma_squared.size();
  if (count < least || count > most) {
    throw ConfigError(pointer + "/sigma_squared has " + std::to_string(count) + " values; the kernel " +
                      to_string(surface.kernel) + " has " + std::to_string(least) +
                      (most > least ? " or " + std::to_string(most) : "") + " in the plane");
  }
}

void check_kernel_shape(const KernelShapeSpec& shape) {
  // A symmetric 2 x 2 matrix is positive definite if its first element and its determinant are positive.
  const auto& [a, b, c, d] = shape.covariance;
  if (!(a > 0) || b != c || !(a * d > b * c)) {
    throw ConfigError("/kernel_shape/covariance must be symmetric and positive definite");
  }
  for (std::size_t i = 0; i < shape.surfaces.size(); ++i) {
    check_surface(shape.surfaces[i], at("/kernel_shape/surfaces", i));
  }
}

// Every published value must name a data set, a test set, a method and a quantity that the experiment measures, or
// it would never be compared.
void check_published(const ExperimentSpec& spec) {
  for (std::size_t i = 0; i < spec.published.size(); ++i) {
    const PublishedValue& value = spec.published[i];
    const std::string pointer = at("/published", i);
    const auto data = std::ranges::find(spec.data, value.data, &DataSpec::name);
    if (data == spec.data.end()) {
      throw ConfigError(pointer + "/data is '" + value.data + "', which is none of the data sets");
    }
    const std::vector<std::string> tests = test_names(*data);
    if (!value.test.empty() && std::ranges::find(tests, value.test) == tests.end()) {
      throw ConfigError(pointer + "/test is '" + value.test + "'; the data set " + value.data + " has " +
                        listed(tests));
    }
    if (std::ranges::none_of(spec.methods, [&](const Method& method) { return name_of(method) == value.method; })) {
      throw ConfigError(pointer + " is of the method " + to_string(value.method) + ", which is none of the methods");
    }
  }
}

// The names of the test sets that each kind of source brings.
struct SourceTests {
  std::vector<std::string> operator()(const TableData&) const { return {"test"}; }
  std::vector<std::string> operator()(const SceneData& scene) const {
    return mapped<std::string>(scene.tests, &NamedMap::name);
  }
  std::vector<std::string> operator()(const SimulatedData&) const { return {"test"}; }
};

}  // namespace

ExperimentKernel parse_experiment_kernel(const std::string& text) { return parse_name("kernel", text, kKernels); }

std::string to_string(ExperimentKernel kernel) { return name_among(kernel, kKernels); }

ExperimentCriterion parse_experiment_criterion(const std::string& text) {
  return parse_name("criterion", text, kCriteria);
}

std::string to_string(ExperimentCriterion criterion) { return name_among(criterion, kCriteria); }

std::optional<MetricKernel> metric_kernel(ExperimentKernel kernel) {
  switch (kernel) {
    case ExperimentKernel::hdda_quadratic:
      return MetricKernel{MetricKernel::Form::polynomial, 2};
    case ExperimentKernel::hdda_cubic:
      return MetricKernel{MetricKernel::Form::polynomial, 3};
    case ExperimentKernel::hdda_sum:
      return MetricKernel{MetricKernel::Form::sum};
    default:
      return {};
  }
}

MethodName name_of(const Method& method) {
  const bool subspace =
      method.kernel == ExperimentKernel::hdda || method.kernel == ExperimentKernel::pca || metric_kernel(method.kernel);
  return {to_string(method.kernel), to_string(method.criterion), subspace ? to_string(method.dimension) : ""};
}

std::vector<std::string> test_names(const DataSpec& data) {
  std::vector<std::string> names = std::visit(SourceTests{}, data.source);
  // The samples of a random split that are not drawn for training are a test set of their own, which comes first.
  if (data.train_per_class) {
    names.insert(names.begin(), kRestOfTraining);
  }
  return names;
}

void check_experiment(const ExperimentSpec& spec) {
  check_data(spec);
  check_methods(spec);
  if (spec.kernel_shape) {
    check_kernel_shape(*spec.kernel_shape);
  }
  check_published(spec);
}

}  // namespace parsimap
