#include "arrays.hpp"

#include <cstdint>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

py::array real_array(const py::object& values, const std::string& name) {
  const auto array = py::array::ensure(values);
  if (!array) {
    throw py::error_already_set();
  }
  const char kind = array.dtype().kind();
  if (std::string("biuf").find(kind) == std::string::npos) {
    throw py::type_error(name + " must hold real numbers, and holds " + std::string(py::str(array.dtype())));
  }
  return array;
}

py::array checked_shape(py::array array, py::ssize_t dimensions, const std::string& name) {
  if (array.ndim() != dimensions) {
    throw py::value_error(name + " must have " + std::to_string(dimensions) + " dimensions, and has " +
                          std::to_string(array.ndim()));
  }
  return array;
}

bool is_aligned(const py::array& array) { return (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0; }

template <typename Scalar>
bool is_plain(const py::array& array) {
  return is_aligned(array) && py::isinstance<py::array_t<Scalar, py::array::c_style>>(array);
}

py::array converted(const py::array& array) {
  auto doubles = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!doubles) {
    throw py::error_already_set();
  }
  return is_aligned(doubles) ? py::array(std::move(doubles)) : py::array(doubles.attr("copy")());
}

// Sets the first value of `scene` where the array holds such numbers in the machine's order of bytes.
template <typename Scalar>
bool point_to(const py::array& array, SceneArray& scene) {
  if (!py::isinstance<py::array_t<Scalar, 0>>(array)) {
    return false;
  }
  scene.first = static_cast<const Scalar*>(array.data());
  return true;
}

bool point_to_first(const py::array& array, SceneArray& scene) {
  return point_to<std::int8_t>(array, scene) || point_to<std::uint8_t>(array, scene) ||
         point_to<std::int16_t>(array, scene) || point_to<std::uint16_t>(array, scene) ||
         point_to<std::int32_t>(array, scene) || point_to<std::uint32_t>(array, scene) ||
         point_to<std::int64_t>(array, scene) || point_to<std::uint64_t>(array, scene) ||
         point_to<float>(array, scene) || point_to<double>(array, scene);
}

bool steps_are_whole(const py::array& array) {
  for (py::ssize_t k = 0; k < array.ndim(); ++k) {
    if (array.strides(k) % array.itemsize() != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const auto version = py::str(py::module_::import("numpy").attr("__version__")).cast<std::string>();
  if (!version.starts_with("1.")) {
    throw py::import_error(
        "parsimap was built with pybind11 " PYBIND11_TOSTRING(PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(
            PYBIND11_VERSION_MINOR) ", which goes with numpy 1 only, and numpy " +
        version + " is installed; install numpy<2, or build parsimap with pybind11 2.12 or later");
  }
#endif
}

py::array spectra_array(const py::object& values, const std::string& name) {
  const py::array array = checked_shape(real_array(values, name), 2, name);
  return is_plain<float>(array) || is_plain<double>(array) ? array : converted(array);
}

PixelRows pixel_rows(const py::array& spectra, const Indices& used) {
  const Index rows = spectra.shape(0);
  const Index columns = spectra.shape(1);
  return is_plain<float>(spectra) ? PixelRows(static_cast<const float*>(spectra.data()), rows, columns, used)
                                  : PixelRows(static_cast<const double*>(spectra.data()), rows, columns, used);
}

int checked_threads(int threads) {
  constexpr int kMostThreads = 1024;
  if (threads < 0 || threads > kMostThreads) {
    throw ConfigError("threads is " + std::to_string(threads) + "; it must be from 0 to " +
                      std::to_string(kMostThreads));
  }
  return resolve_threads(threads);
}

BandTable band_table(const BandNames& names, Index count) {
  if (!names.empty() && static_cast<Index>(names.size()) != count) {
    throw py::value_error("bands must be one for each of the " + std::to_string(count) + " bands");
  }
  BandTable bands(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < names.size(); ++k) {
    bands[k].name = names[k].first;
    bands[k].wavelength = names[k].second;
  }
  return bands;
}

SceneArray scene_array(py::array& array, const std::array<int, 3>& order, const std::string& name) {
  array = checked_shape(real_array(array, name), 3, name);
  if (std::set<int>(order.begin(), order.end()) != std::set<int>{0, 1, 2}) {
    throw py::value_error("order must have each of the dimensions 0, 1 and 2");
  }
  if (array.size() == 0) {
    throw py::value_error(name + " has no values");
  }
  SceneArray scene;
  if (!is_aligned(array) || !steps_are_whole(array) || !point_to_first(array, scene)) {
    array = converted(array);
    point_to_first(array, scene);
  }
  scene.row_step = array.strides(order[0]) / array.itemsize();
  scene.column_step = array.strides(order[1]) / array.itemsize();
  scene.band_step = array.strides(order[2]) / array.itemsize();
  return scene;
}

}  // namespace parsimap::python
