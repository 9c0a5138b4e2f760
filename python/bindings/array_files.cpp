// Arrays of numpy under the names of files, for commands that take these.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "parsimap/gdal/raster/array_raster.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "arrays.hpp"
#include "commands.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

// Name, wavelength in nanometres, scale and offset.
using BandFacts = std::vector<std::tuple<std::string, std::optional<double>, double, double>>;
using ClassNames = std::vector<std::pair<int, std::string>>;

// An array, and the raster that it is to GDAL until it is closed.
class ArrayFile {
 public:
  ArrayFile(py::array array, const std::string& name, const BandFacts& bands,
            const std::optional<std::array<double, 6>>& geotransform, const std::string& crs,
            const std::optional<double>& nodata, const ClassNames& classes)
      : array_(std::move(array)) {
    const SceneArray values = scene_array(array_, {0, 1, 2}, "the " + name);
    ArrayFacts facts;
    facts.grid = {array_.shape(1), array_.shape(0), geotransform, crs.empty() ? "" : crs_from_wkt(crs)};
    facts.bands.resize(static_cast<std::size_t>(array_.shape(2)));
    for (std::size_t k = 0; k < std::min(bands.size(), facts.bands.size()); ++k) {
      Band& band = facts.bands[k];
      std::tie(band.name, band.wavelength, band.scale, band.offset) = bands[k];
    }
    facts.nodata = nodata;
    for (const auto& [code, class_name] : classes) {
      facts.classes.push_back({code, class_name, std::nullopt});
    }
    raster_ = std::make_unique<ArrayRaster>(name, facts, values);
  }

  [[nodiscard]] const std::string& path() const { return raster_->path(); }
  void close() { raster_.reset(); }

 private:
  py::array array_;  // keeps the values
  std::unique_ptr<ArrayRaster> raster_;
};

}  // namespace

void add_array_files(py::module_& module) {
  py::class_<ArrayFile>(module, "ArrayFile",
                        "An array of rows x columns x bands as a raster in GDAL's memory, without a copy.")
      .def(py::init<py::array, const std::string&, const BandFacts&, const std::optional<std::array<double, 6>>&,
                    const std::string&, const std::optional<double>&, const ClassNames&>(),
           py::arg("array"), py::arg("name"), py::arg("bands"), py::arg("geotransform"), py::arg("crs"),
           py::arg("nodata"), py::arg("classes"))
      .def_property_readonly("path", &ArrayFile::path)
      .def("close", &ArrayFile::close);
}

}  // namespace parsimap::python
