// Assessments small enough to write down what comes of them.
#pragma once

#include <string>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"

namespace parsimap::test {

// Cohen's example of 50 pixels.
inline Assessment small_assessment(const std::vector<std::string>& names) {
  ConfusionMatrix confusion(names);
  confusion.add(0, 0, 20);
  confusion.add(0, 1, 5);
  confusion.add(1, 0, 10);
  confusion.add(1, 1, 15);
  return {
      .map = "map.tif", .reference = "reference.gpkg", .confusion = confusion, .intervals = pixel_intervals(confusion)};
}

// Strata of 300 and 100 pixels of 900 square metres, with the units of Cohen's example.
inline AreaAssessment small_areas() {
  CountMatrix units(2, 2);
  units << 20, 5, 10, 15;
  std::vector<Stratum> strata;
  for (Index h = 0; h < 2; ++h) {
    Stratum stratum{h == 0 ? "yes" : "no", CountVector::Zero(2), CountMatrix::Zero(2, 2)};
    stratum.map_pixels(h) = h == 0 ? 300 : 100;
    stratum.units.col(h) = units.col(h);
    strata.push_back(stratum);
  }
  AreaAssessment record;
  record.design = SamplingDesign::stratified;
  record.estimate = estimate_areas(strata, false);
  record.pixel_area = 900;
  return record;
}

// The same from 50 of 80 points that were planned.
inline AreaAssessment areas_of_sample() {
  AreaAssessment record = small_areas();
  record.sample =
      SampleProgress{.file = "folder/plan.gpkg",
                     .planned = 80,
                     .labelled = 50,
                     .aims = {{"overall:0.05", 0.07, 98}, {"users:yes:0.1", 0.09, 41}, {"area:bog:0.1"}},
                     .overall_accuracy = Interval{0.5, 0.875},
                     .classes = {{Interval{0.25, 0.75}, Interval{0.5, 1}}, {Interval{0.25, 0.75}, std::nullopt}}};
  return record;
}

inline MapComparison small_comparison() {
  MapComparison record;
  record.map = "other.tif";
  record.counts = {30, 8, 2, 10};
  record.test = mcnemar_test(record.counts);
  record.difference = Interval{-0.01, 0.25};
  return record;
}

}  // namespace parsimap::test
