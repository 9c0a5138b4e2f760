// Labels on a scene's grid, and the training samples that they make of the scene's spectra.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// Labels on a scene's grid, sparse: only the labelled pixels are held.

struct LabelledPixel {
  std::int64_t pixel = 0;   // row * width + column
  int label = 0;            // index into the class table
  std::int64_t region = 0;  // of what it is a part; 0 where LabelledPixels::has_regions is false
};

struct LabelledPixels {
  ClassTable classes;
  std::vector<LabelledPixel> pixels;  // ascending by pixel, each pixel once
  std::int64_t conflicting = 0;       // pixels claimed by two different classes, dropped
  std::int64_t outside = 0;           // features with no pixel on the grid
  // Regions are known: the features of a vector file by their ids, or their parts from 1 in the order of reading; those
  // of a further file are counted on from the largest of the files before.
  bool has_regions = false;
  // What else than themselves regions are left out with.
  std::map<std::int64_t, SampleUnit> region_units = {};
  std::map<std::int64_t, std::string> group_names = {};  // by number of the group: the value of the field
  bool named_by_text = false;  // classes came from text: codes were given in alphabetical order, names count
  // The feature of the vector file that a region is a part of, where the parts are regions.
  std::map<std::int64_t, std::int64_t> region_features = {};
  // The vector files, by the number that those of their regions are counted on from.
  std::map<std::int64_t, std::string> region_files = {};
  std::vector<std::string> notes = {};  // sentences about names that were read otherwise than they stand in the files
  std::vector<std::string> messages = {};  // sentences about how the files were read
  // Of the features outside that the reader knows one by one: the names of their classes, by the number of the feature.
  std::map<std::int64_t, std::string> outside_features = {};
  // Further text fields of the features: by field and text, the names or codes of the classes that occur with it.
  std::map<std::string, std::map<std::string, std::set<std::string>>> other_texts = {};

  [[nodiscard]] SampleUnit unit_of(std::int64_t region) const {
    const auto found = region_units.find(region);
    return found == region_units.end() ? SampleUnit{region} : found->second;
  }
  // The feature that a region is, or is a part of.
  [[nodiscard]] std::int64_t feature_of(std::int64_t region) const {
    const auto found = region_features.find(region);
    return found == region_features.end() ? region : found->second;
  }
};

// The sentence about `count` pixels or features (`things`) of the code 0 that count as unlabelled. `has_option`: the
// command has the option --zero-class.
std::string zeros_text(const std::string& path, const std::string& things, std::int64_t count, bool has_option = true);

// The largest values of bytes and of 16 bits (255, 65535) often fill a raster of classes that declares no nodata value,
// or another. True for such a value without a name.
bool may_be_fill(const ClassEntry& entry);

// Beside two or more classes such a value is unlabelled where it has more than half of the
// pixels, else it stays a class; both with a message.
void leave_out_fill(LabelledPixels& labels, const std::string& path);

// Gives the pixels of every class its new label, and takes those away whose new label is negative.
void relabel(const std::vector<int>& label_of, LabelledPixels& labels);

// Adds the pixels that are claimed, each once, with the first of its claims; a pixel that two classes claim is dropped
// and counted. `claims` are ascending by pixel.
void settle_claims(const std::vector<LabelledPixel>& claims, LabelledPixels& labels);

// The regions of a label raster, what its polygons would be: gives every pixel the number, from 1, of the connected
// area of its class that it lies in, over edges and not over corners (4 neighbours, as gdal_polygonize does). Numbers
// follow the first pixel of each area. `width` is that of the scene. Time and memory go with the labelled pixels.
void find_regions(LabelledPixels& labels, Index width);

// Merges and renames the classes, and takes the pixels of those away that become unlabelled. `name` names the labels in
// messages. DataError as rename_classes().
void apply_class_rules(LabelledPixels& labels, const ClassRules& rules, const std::string& name);

// A class of too few labelled pixels.
struct SmallClass {
  std::string name;
  Index pixels = 0;
};

// The number of features outside, and of which classes, as in "15 (ash 3, oak 12)".
std::string outside_text(const LabelledPixels& labels);

// The classes of features outside that have no labelled pixel.
std::vector<std::string> classes_outside(const LabelledPixels& labels);

// The class and the place of every labelled pixel.
std::vector<int> class_labels(const LabelledPixels& labels);
std::vector<SamplePlace> places_of(const LabelledPixels& labels);

// The number of labelled pixels of every class, in the order of the class table.
std::vector<Index> class_sizes(const LabelledPixels& labels);

// Takes the classes of fewer than `least` pixels out of the class table, and their pixels; the other classes keep their
// order and entries. `sizes` has the pixels of every class. Returns what was taken, in the order of the class table.
std::vector<SmallClass> drop_small_classes(LabelledPixels& labels, const std::vector<Index>& sizes, Index least);

// The spectra of the labelled pixels, and what was dropped.
struct Extraction {
  SampleSet samples;                // spectra of the bands used, in the order of the labelled pixels
  Indices bands;                    // used, indices from 0, ascending
  Indices constant_bands;           // dropped: a single value over the labelled pixels
  Indices empty_bands;              // dropped: no value in any labelled pixel
  std::int64_t invalid_pixels = 0;  // dropped: no value in a band used
  PartialPixels partial = {};       // of these and the others, in the bands used
};

// DataError: labels that stand alone have fewer than two classes; to those of a library others may be added.
void check_two_classes(const LabelledPixels& labels, const std::string& scene);

// Reads the bands `candidates` (ascending, one at least), and only where labels are: the storage blocks that hold
// labelled pixels, of each the smallest window around these pixels, at most `ram_bytes` of values at a time (one pixel
// at least). Then bands are dropped that are empty, or constant over the labelled pixels that have a value in every
// band left; then pixels without a value in a band used. The result does not depend on the storage blocks or on
// `ram_bytes`. DataError: a class with fewer than `least` usable pixels, fewer than two classes unless `least` is 0, no
// band left.
Extraction extract_samples(SceneSource& scene, const LabelledPixels& labels, const Indices& candidates,
                           std::int64_t ram_bytes, const Progress& progress, Index least = kLeastSamples);

// The same in bands chosen before (of the training samples), for pixels to test on: any number of classes and pixels,
// and no band is dropped.
Extraction extract_samples_of_bands(SceneSource& scene, const LabelledPixels& labels, const Indices& bands,
                                    std::int64_t ram_bytes, const Progress& progress);

}  // namespace parsimap
