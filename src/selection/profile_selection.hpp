// The second stage of the choice of a metric: a kernel of morphological profiles beside that of the spectra, where it
// lowers the risk of left-out samples (docs/method.md, "A kernel of profiles").
#pragma once

#include "parsimap/selection/metric_selection.hpp"

#include "left_out_judge.hpp"

namespace parsimap {

struct ProfileSelection {
  LeftOutJudge::Outcome outcome;  // of the lowest risk with a share above 0
  ProfileScore score;             // beside `spectra`
};

// `spectra` is the outcome of the shape chosen without profiles, on `judge`, whose samples have profiles that differ.
// The scan of shares and weights is on the fewer samples of `scanner`; its best point is refined on `judge`.
ProfileSelection select_profile(LeftOutJudge& scanner, LeftOutJudge& judge, const MetricShape& shape,
                                const LeftOutJudge::Outcome& spectra);

// About how many operations that takes, for so many samples of either.
double profile_operations(Index scanned, Index compared, Index bands, std::size_t classes);

}  // namespace parsimap
