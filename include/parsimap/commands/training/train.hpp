// Training a model on the labelled pixels of scenes and on spectral libraries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/library/labelled_library.hpp"
#include "parsimap/report/dry_run_report.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// What a training does with what lies around the pixels.
enum class SpatialRule {
  none,
  automatic,  // tested on left-out pixels
  profiles,
  neighbours
};

// "none", "auto", "profiles" or "neighbours", and back; another text is a ConfigError that lists them.
SpatialRule parse_spatial_rule(const std::string& text);
std::string to_string(SpatialRule rule);

// The radii of morphological profiles, ascending.
struct ProfileRadii {
  std::vector<double> values = {1, 4, 8};
  bool metres = false;  // else pixels
};

// "2,4,8" or, in metres, "30m,60m"; ConfigError with what is broken: one to eight numbers above 0 that ascend, of one
// unit, and in pixels whole numbers of at most 32.
ProfileRadii parse_profile_radii(const std::string& text);
std::string to_string(const ProfileRadii& radii);

struct SpatialOptions {
  std::optional<SpatialRule> asked = {};   // unset: none with profiles that are always used, else automatic
  bool profiles_always = false;            // they are used whatever left-out pixels say of them
  bool former_name = false;                // the same, by the kernel hdda+emp
  std::optional<ProfileRadii> radii = {};  // unset: the default ones

  [[nodiscard]] bool always() const { return profiles_always || former_name; }
  [[nodiscard]] SpatialRule rule() const {
    return asked.value_or(always() ? SpatialRule::none : SpatialRule::automatic);
  }
  [[nodiscard]] bool automatic() const { return rule() == SpatialRule::automatic; }

  // Whether profiles are computed, to be used or to be tested.
  [[nodiscard]] bool wants_profiles() const { return always() || rule() == SpatialRule::profiles || automatic(); }
};

// Learning a model from the labelled pixels of scenes.

// A scene that is trained on beside the first, with labels of its own.
struct TrainingScene {
  SceneInput scene;
  LabelInput labels;
};

// The folds of a validation.
struct ValidationOptions {
  std::optional<Index> folds = {};         // unset: no validation, and nothing else of this either
  std::optional<std::string> groups = {};  // "regions" or "pixels"; unset: regions, or the groups of the labels
  std::optional<double> buffer = {};       // in metres, or in pixels where the scene has no CRS
  std::optional<Index> repeats = {};
};

// Labelled pixels that are kept apart for testing the map.
struct TestOptions {
  std::optional<double> share = {};     // of the units of every class; unset: none, and nothing else of this either
  std::optional<std::string> by = {};   // the units: "polygon", "field" (the groups of the labels) or "block:SIZE"
  std::optional<std::string> out = {};  // file of these pixels
};

struct TrainOptions : JobOptions {
  SceneInput scene;  // without a path where the libraries are all there is
  LabelInput labels;
  std::vector<TrainingScene> further_scenes = {};
  // Scenes as texts "SCENE,LABELS[,MASK]", and a table of such scenes (read_scene_list()), behind `scene` or instead of
  // it. Those without labels of their own have those of `labels`.
  std::vector<std::string> scene_entries = {};
  std::optional<std::string> scene_table = {};
  bool other_scenes = false;  // the model is for other scenes: whole scenes are left out where something is judged
  LibraryInput library = {};  // spectra that are trained on, too
  bool resample = false;      // compute bands of the first scene that a further one lacks, instead of leaving them out
  BandChoice bands = {};      // of the first scene
  std::optional<std::string> colours = {};      // file of the classes' colours
  std::vector<ColourRule> colour_rules = {};    // those of the file, which are read into it
  std::optional<SamplingRule> sampling = {};    // which of the labelled pixels are trained on; unset: all
  std::optional<Index> samples_per_class = {};  // the same as SamplingStrategy::constant with this number
  std::optional<Index> min_samples = {};  // classes of fewer usable pixels are dropped; unset: one without any is an
                                          // error
  TrainingOptions training = {};          // its threads are not used: those of the job are
  SupportRule support = SupportRule::reduced;
  SpatialOptions spatial = {};  // of several scenes or libraries, neighbours alone
  ValidationOptions validation = {};
  TestOptions test = {};
  std::string model;                            // file to write; empty: none
  std::optional<std::string> samples_out = {};  // the pixels trained on with their spectra
  std::optional<std::string> report = {};       // page of HTML
};

struct TrainResult {
  Model model;
  TrainingRecord record;
};

// Reads the labelled pixels, trains, and writes the model with whatever else is asked for: all files, or none. What is
// lost on the way, such as pixels that two classes claim, is said to the listener.
// ConfigError: options that contradict each other or do not suit the files, outputs that cannot be written or would
// replace an input. DataError: inputs that cannot be read or do not fit together, fewer than two classes with pixels.
// IoError: an output fails while it is written.
TrainResult train_scene(const TrainOptions& options, Listener& listener);

// What train_scene() would read, write and take; everything is checked and nothing written. Labels are read, and of
// scenes nothing else: which pixels and bands hold values is not known yet. Errors as train_scene() before it reads
// spectra.
DryRunRecord preview_training(const TrainOptions& options, Listener& listener);

}  // namespace parsimap
