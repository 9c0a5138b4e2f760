// A model as a handle.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/parsimap.h"

// A model, and the tables of its decision function from the first prediction on.
struct parsimap_model {
 public:
  explicit parsimap_model(parsimap::Model given) : model(std::move(given)) {}

  // May be called from several threads.
  [[nodiscard]] const parsimap::Predictor& predictor() const;
  // That of the library, kept from the first call on.
  [[nodiscard]] double learnt_size() const;

  const parsimap::Model model;

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<parsimap::Predictor> predictor_;
  mutable std::optional<double> learnt_size_;
};

namespace parsimap::interface {

// Warns where spectra are so many times as large as those of training that they may be in another unit. Those of an
// array may be few, and far darker than usual.
void check_ratio(double ratio, parsimap_work& work);

}  // namespace parsimap::interface
