// The module _mathematics: what needs no file but those of models.
#include "errors.hpp"
#include "trained_model.hpp"

PYBIND11_MODULE(_mathematics, module) {
  module.doc() = "Training and prediction on arrays. Use the package parsimap, which this is a part of.";
  module.attr("__version__") = PARSIMAP_VERSION;
  parsimap::python::translate_errors();
  parsimap::python::add_model(module);
  parsimap::python::add_training(module);
  parsimap::python::add_mapping(module);
}
