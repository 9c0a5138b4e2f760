#include "parsimap/report/model_description.hpp"

#include <numeric>

namespace parsimap {

DataDescription describe_model(const Model& model) {
  DataDescription description;
  description.name = "Training";
  description.bands = static_cast<Index>(model.bands.size());
  Indices all(model.band_table.size());
  std::iota(all.begin(), all.end(), 0);
  description.wavelengths = wavelengths_of(model.band_table, all);
  description.training_samples = model.provenance.training_pixels;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const Vector mean = model.novelty[c].gaussian.mean.cwiseProduct(model.scaling.scale) + model.scaling.offset;
    ClassDescription entry;
    entry.name = model.classes[c].name;
    entry.samples = model.machines[c].samples;
    entry.mean.assign(mean.begin(), mean.end());
    description.classes.push_back(std::move(entry));
  }
  return description;
}

}  // namespace parsimap
