// How unlike the classes that they were taken for left-out samples are.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/left_out_risk.hpp"

namespace parsimap {

// Notes 1 - P_c(T_c(x)) for the class c that each left-out sample x was taken for, as the layer of applicability has it
// for pixels of a map (docs/method.md, "Novelty"). The Gaussian and the kept samples of class c
// are those of its samples which were not left out together with x, the tail that of `novelty`, which is of all
// samples. Places have the units that were left out. A class that keeps fewer than eight samples has the covariance of
// its novelty, about the mean of those. Where there are many samples, about 20 000 of them are drawn for the Gaussians.
void note_unlikeness(const LabelledSpectra& samples, const std::vector<ClassNovelty>& novelty,
                     const DimensionRule& rule, int threads, std::vector<LeftOutRecord>& left_out);

}  // namespace parsimap
