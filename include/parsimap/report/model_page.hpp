// A model alone on a page: what it holds of its training, without scene, samples and pictures.
#pragma once

#include <vector>

#include "parsimap/report/command_page.hpp"

namespace parsimap {

// The sections of a training that a model can fill: those of training_sections() without pictures, deviations and scree
// tests.
std::vector<PageSection> model_sections(const Model& model);

// The files that the model was trained on; no rows where it was trained on none.
PageTable training_input_table(const Model& model);

// Verdict, classes, mean spectra, details of the method, and what it was trained on, with which options. It has no
// date, which a model does not know either.
CommandPage model_page(const Model& model);

}  // namespace parsimap
