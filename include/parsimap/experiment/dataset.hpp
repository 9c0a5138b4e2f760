// One draw of a data set: samples to train on and samples to test on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

struct TestSet {
  std::string name;
  SampleSet samples;  // same classes as the training samples
};

struct Dataset {
  SampleSet train;
  std::vector<TestSet> tests;       // at least one
  std::vector<double> wavelengths;  // nanometres, one per band, or empty
};

// The draw of a simulated data set for a seed, which decides the scene and which of its pixels are for training.
Dataset draw_simulation(const SimulatedData& data, std::uint64_t seed);

// `train_per_class` of every class stay in training; the others become the first test set, "rest". DataError when a
// class has no sample left for the test.
Dataset split_training(const Dataset& dataset, Index train_per_class, std::uint64_t seed);

}  // namespace parsimap
