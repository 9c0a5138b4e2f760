// An inspection made by hand: three regions of two classes, and a class that lies in no region.
#pragma once

#include "parsimap/report/inspection_report.hpp"

namespace parsimap::test {

inline InspectionRecord small_inspection() {
  InspectionRecord record;
  record.model = "m.model";
  record.scene = "scene.tif";
  record.labels = {"labels.gpkg"};
  record.classes = {{1, "oak", {}}, {2, "elm", {}}, {3, "ash", {}}};
  RegionEvidence wrong{7, {2, 3}, {0, 1, -1.25, 0.125, 0.75, true, 1}, 2};
  RegionEvidence alone{5, {4}, {1, 1, 0.5, 0.5, 0.5, false, 2}, 0};
  RegionEvidence right{3, {0, 1}, {0, 0, 2, 0.9, 0.9, true, 3}, 0};
  record.evidence.regions = {wrong, alone, right};
  record.evidence.pixels = {{0, 0, 2.5, 0.9, 0.9, true, 5},
                            {0, 0, 1.5, 0.8, 0.8, true, 4},
                            {0, 1, -1, 0.2, 0.7, true, 2},
                            {0, 1, -1.5, 0.1, 0.8, true, 1},
                            {1, 1, 0.5, 0.5, 0.5, false, 3}};
  record.evidence.confusion = CountMatrix::Zero(3, 3);
  record.evidence.confusion.row(0) << 2, 2, 0;
  record.places = {{{10.5, 20}, 41}, {{1, 2}, 42}, {{3, 4}, std::nullopt}};
  record.repeats = 4;
  record.seconds = 1;
  return record;
}

// Two intervals of bands, of which "elm" needs the second.
inline WavelengthRecord small_wavelengths() {
  const ClassImportance nothing{0, 0, {}, {{}, {}}};
  const ClassImportance elm{10, 5, {0.5, 0.9}, {{{0.5, 0.9}, {2, 0.25}, 0, 0.01}, {{1.5, 0.4}, {0.75, 0.8}, 1, 0.125}}};
  WavelengthRecord record;
  record.importance = {{{0, 1}, {2, 3, 4}}, elm, {nothing, elm, nothing}};
  record.ranges = {{0, 1, {{400, 450}}}, {3, 5, {{500, 620.4}}}};
  record.pairs = {{0, 1, 1, 1.25}, {0, 2, 0.5, 0.75}, {1, 2, 20, 2}};
  return record;
}

}  // namespace parsimap::test
