// The class Model of the module _mathematics.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"

namespace parsimap::python {

// A model, and the tables of its decision function from the first prediction on.
class TrainedModel {
 public:
  explicit TrainedModel(Model model) : model_(std::move(model)) {}

  [[nodiscard]] const Model& model() const { return model_; }
  // May be called from several threads.
  [[nodiscard]] const Predictor& predictor() const;

 private:
  Model model_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Predictor> predictor_;
};

void add_model(pybind11::module_& module);

// train(): a model of the rows of an array.
void add_training(pybind11::module_& module);

// classify(): a map of an array.
void add_mapping(pybind11::module_& module);

}  // namespace parsimap::python
