// The choice of places out of candidates: those that say most about all of them.
//
// Candidates j have weights w_j, which say how little is known of each, and coordinates z_j. With D_j the distance from
// j to the nearest point whose class is known, a place i answers for
//   gain(i) = sum_j w_j max(0, D_j - |z_j - z_i|)
// of what is open. Distances are not squared, as they are in k-means: a few odd spectra far from all others, such as
// shadows and glints, would count more than all that is common. The place of the largest gain is taken, it counts as
// known from then on, and so forth. What is covered, sum_j w_j (D_j(before) - D_j), is submodular: the greedy choice
// gets at least 1 - 1/e of what the best choice of as many places would (Nemhauser, Wolsey, Fisher, An analysis of
// approximations for maximizing submodular set functions, 1978), and gains only fall, so that few have to be computed
// anew for each place (Minoux, Accelerated greedy algorithms for maximizing submodular set functions, 1978).
//
// So a place is one of many that are like it (it stands for them), of which little is known (their weights), unlike all
// that is labelled and all other places (D_j).
#pragma once

#include <array>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct PlaceCandidates {
  Matrix spectra;                                // n x d, scaled
  Vector weights;                                // n, >= 0
  std::vector<std::array<double, 2>> positions;  // n, column and row
};

struct ChosenPlace {
  Index candidate = 0;
  double gain = 0;
};

// At most `count` places in the order in which they are chosen; of equal gains the first candidate. Two places are at
// least `least_distance` pixels apart; fewer than `count` where no other candidate is, or where nothing is left to
// gain. `known` are scaled spectra of known classes (m x d, m >= 1). Coordinates are those along the (up to) ten
// directions in which the candidates vary most, each divided by the fourth root of its variance: half way between
// spectra as they are, in which brightness is nearly all, and whitened ones, in which noise counts as much.
std::vector<ChosenPlace> choose_places(const PlaceCandidates& candidates, const Matrix& known, Index count,
                                       double least_distance);

}  // namespace parsimap
