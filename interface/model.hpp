// A model as a handle.
#pragma once

#include <memory>
#include <mutex>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/parsimap.h"

// A model, and the tables of its decision function from the first prediction on.
struct parsimap_model {
 public:
  explicit parsimap_model(parsimap::Model given) : model(std::move(given)) {}

  // May be called from several threads.
  [[nodiscard]] const parsimap::Predictor& predictor() const;

  const parsimap::Model model;

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<parsimap::Predictor> predictor_;
};
