// A trained model, for people: as text, as the page of `train`, and as a page of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// What a user wants to know first of a trained class: how much it was learnt from, and how well it is separated.
struct ClassSummary {
  std::string name;
  Index pixels = 0;                // trained on
  std::optional<Index> regions;    // that they come from; unset in models without this number
  std::optional<double> accuracy;  // the fraction of its left-out pixels that were right; unset without such pixels
  // The class that most of its other left-out pixels were taken for (the first of equals), and the fraction of all its
  // left-out pixels that were; unset where none was wrong.
  std::optional<std::string> confused_with;
  double confused_share = 0;
};

// Of every class of a model, in their order.
std::vector<ClassSummary> class_summaries(const Model& model);

// Which steps of a classification look at what lies around a pixel, and what they were found to be worth: one sentence
// or two, without a line break.
std::string spatial_text(const SpatialRecord& record);

// What was compared, one row for each trial; without rows where nothing was tested.
Table spatial_table(const SpatialRecord& record);
// Both, as lines.
std::string spatial_steps_text(const SpatialRecord& record);

// What a model contains about its training samples, which it does not hold: the number of the samples of every class
// and their mean spectrum, in the units of the data: the mean that novelty is measured from, whose scaling is undone.
// Deviations, eigenvalues and scree tests are not known and empty. Wavelengths are those of the bands used, or empty
// where one of them is not known. Named "Training".
DataDescription describe_model(const Model& model);

// What a user wants to know of the classes: pixels, regions, how many of the left-out pixels of each were right and
// what most of the others were taken for; the accuracy of left-out training pixels, and the validation if there is one.
std::string classes_text(const Model& model);

// What the solvers have done: one line per class (dimension p, C, support vectors, criterion, evaluations, KKT
// violation, stop reasons of final fit and selection), and the metrics that were compared.
std::string classifiers_text(const Model& model);

// How many support spectra the model has, and where these are fewer than those of exact training, the loss of accuracy.
std::string support_text(const Model& model);

// What the kernel of profiles is, and what it gained on left-out pixels; or that it gained nothing and was left out.
// Empty where the samples had no profiles.
std::string profile_text(const Model& model);

// "40 pixels in 4 units (polygon) are kept for testing, ...": what was kept, and how far from the training pixels.
std::string test_text(const TestRecord& test);

// What `train` did: what was dropped and why, classes_text(), where it is verbose classifiers_text(), and where the
// time went.
std::string training_text(const Model& model, const TrainingRecord& record, bool verbose = false);

// A verdict in sentences: how many left-out pixels were right, and what is confused.
std::vector<std::string> training_verdict(const Model& model);

// ", bands compressed", or nothing.
std::string compression_text(const Model& model);

// "5 classes, 1234 pixels, 40 of 42 bands, hdda kernel, global scaling."
std::string training_lead(const Model& model);

// The sections about the training; the details of the method are folded. `pictures` are images of the scene and of the
// training pixels, none where there is no scene, with a legend of the classes.
std::vector<Section> training_sections(const Model& model, const RasterPictures& pictures);

// The page of `train`: verdict, the classes with their pixels and spectra, details of the method, what was read,
// options and stages.
CommandPage training_page(const Model& model, const TrainingRecord& record, const RasterPictures& pictures,
                          const PageFacts& facts);

// The sections of a training that a model can fill: those of training_sections() without pictures, deviations and scree
// tests.
std::vector<Section> model_sections(const Model& model);

// The files that the model was trained on; no rows where it was trained on none.
Table training_input_table(const Model& model);

// A model alone on a page, without scene, samples and pictures: verdict, classes, mean spectra, details of the method,
// and what it was trained on, with which options. It has no date, which a model does not know either.
CommandPage model_page(const Model& model);

}  // namespace parsimap
