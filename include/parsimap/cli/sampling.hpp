// Which of the labelled pixels are trained on.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "parsimap/cli/command_line.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

// --sampling and --samples-per-class.
std::vector<OptionSyntax> sampling_option_syntax();

// What they ask for. ConfigError when both are given.
SamplingRule sampling_rule(const OptionValues& values);

// The counts of a byclass table for these classes, which it gives by name or code; empty for other rules. DataError: a
// class that the table lacks, a class of the table that there is not, a number below kLeastSamples.
std::vector<Index> class_table_counts(const SamplingRule& rule, const ClassTable& classes);

// Draws in two steps, so that the spectra of a fully labelled large scene need not be read: candidates by their labels
// alone, samples among those that turned out to have spectra. The sizes of classes that strategies go by are those of
// the pixels with spectra: counted where no candidates were drawn, estimated from the candidates otherwise.
class SampleDraw {
 public:
  SampleDraw(SamplingRule rule, std::uint64_t seed) : rule_(std::move(rule)), seed_(seed) {}

  // Errors as class_table_counts().
  void choose_candidates(LabelledPixels& labelled);
  void draw(SampleSet& samples) const;

 private:
  SamplingRule rule_;
  std::uint64_t seed_;
  std::vector<Index> table_;
  std::vector<Index> labelled_;    // pixels of every class
  std::vector<Index> candidates_;  // of these
};

}  // namespace parsimap
