// A trained model, for people: as text and as a page.
#pragma once

#include <string>
#include <vector>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// How many of the pixels that were left out in turn were right, and what was left out together.
std::string left_out_text(const LeftOutScores& left_out, const ClassTable& classes);

// What a user wants to know of the classes: pixels, regions, how many of the left-out pixels of each were right and
// what most of the others were taken for; the accuracy of left-out training pixels, and the validation if there is one.
std::string classes_text(const Model& model);

// What the solvers have done: one line per class (dimension p, C, support vectors, criterion, evaluations, KKT
// violation, stop reasons of final fit and selection), and the metrics that were compared.
std::string machines_text(const Model& model);

// How many support spectra the model has, and where they are fewer than exact machines have, what was lost by that.
std::string support_text(const Model& model);

// What the kernel of profiles is, and what it gained on left-out pixels; or that it gained nothing and was left out.
// Empty where the samples had no profiles.
std::string profile_text(const Model& model);

// What `train` did: what was dropped and why, classes_text(), where it is verbose machines_text(), and where the time
// went.
std::string training_text(const Model& model, const TrainingRecord& record, bool verbose = false);

// Where the training pixels lie, as it was drawn elsewhere.
struct TrainingPictures {
  std::vector<PageImage> images;  // of the scene, and of the training pixels; none where there is no scene
  Index width = 0;                // pixels of each picture
  Index height = 0;
  std::vector<Colour> colours;  // of the classes
  std::string scene_bands;      // what is red, green and blue
  std::string shown;            // what part of the scene is shown, a sentence or nothing
  bool sheet = false;           // the pictures are sheets of places
};

// A verdict in sentences: how many left-out pixels were right, and what is confused.
std::vector<std::string> training_verdict(const Model& model);

// "5 classes, 1234 pixels, 40 of 42 bands, hdda kernel, global scaling."
std::string training_lead(const Model& model);

// The sections that tell what was learnt; the details of the method are folded.
std::vector<PageSection> training_sections(const Model& model, const TrainingPictures& pictures);

// The page of `train`: verdict, the classes with their pixels and spectra, details of the method, what was read,
// options and stages.
CommandPage training_page(const Model& model, const TrainingRecord& record, const TrainingPictures& pictures,
                          const PageFacts& facts);

}  // namespace parsimap
