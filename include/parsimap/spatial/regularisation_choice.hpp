// How much the neighbours of a pixel are to be believed, chosen from the scene alone: no label is used.
//
// The noise of a pixel is not that of its neighbours, so a good prior for a pixel is one, made from its neighbours
// without itself, under which its own spectrum is likely: with p_i(c) in proportion to the likelihood of the spectrum
// under class c, the gain of a prior r_i is
//   mean over pixels of log( sum_c p_i(c) r_i(c) / ((1/K) sum_c r_i(c)) )
// (Besag's pseudo-likelihood, against a prior that says nothing). Smoothing over borders, lines and small objects
// makes their pixels unlikely and so costs gain. "none" is the prior that is the mean probability of each class: where
// neighbours tell no more than that, nothing is regularised. Chosen is the weakest rule whose gain is at most 0.01 less
// than the largest: what gains less is not worth the lines and small objects that it may cost.
#pragma once

#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/window_reader.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {

// The candidates beside none, the weakest first: neighbours, strength 1 to `strongest`, for each sigma 0.7 to 3.
std::vector<Regularisation> regularisation_candidates(int strongest = kStrongestNeighbours);

// The valid pixels of a window of the scene that is looked at for the choice, with their probabilities (n x K).
struct SampledWindow {
  ValidPixels pixels;
  Spectra probabilities;
};

// The gain of each of `candidates` (method neighbours), summed over all pixels of the samples. Neighbours outside a
// sampled window are not seen. The same for any number of threads.
Vector summed_gains(const std::vector<SampledWindow>& samples, const std::vector<Regularisation>& candidates,
                    int threads);
// The gain of regularising nothing, summed in the same way.
double summed_gain_of_none(const std::vector<SampledWindow>& samples);
// The rule that the samples speak for, of a strength of at most `strongest`.
Regularisation best_regularisation(const std::vector<SampledWindow>& samples, int threads,
                                   int strongest = kStrongestNeighbours);

// best_regularisation() of the sampled windows of the scene (for_sampled_windows()); none where no pixel has a value.
// `bands` are the scene's bands of the model (match_bands()). Throws IoError from the source.
Regularisation choose_regularisation(SceneSource& scene, const Indices& bands, const Predictor& predictor, int threads,
                                     int strongest = kStrongestNeighbours);

}  // namespace parsimap
