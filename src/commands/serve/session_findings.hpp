// What a session says of its labels and of pixels, as members of answers.
#pragma once

#include <cstdint>
#include <memory>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/mapping/kept_scene.hpp"
#include "parsimap/mapping/label_places.hpp"
#include "parsimap/scene/raster.hpp"

#include "label_session.hpp"

namespace parsimap {

// Decision values of the samples, each by classifiers that were trained without its feature. DataError: all samples are
// of one feature.
Matrix left_out_values(const TrainedSession& now, std::uint64_t seed, int threads, const Progress& progress);

// Of such values: the share of right labels over all and by class, and where the model knows it, what is expected of
// its map.
Answer accuracy_of(const TrainedSession& now, const Matrix& decisions);

// The features that look like another class, the most suspicious first, `count` at most.
Answer suspects_of(const TrainedSession& now, const Matrix& decisions, const RasterGrid& grid, Index count);

// Places of the window, which may be looked at in steps. `wanted` says how the search is done.
Answer places_in(const TrainedSession& now, const std::shared_ptr<KeptScene>& scene, const Window& window, Index count,
                 const PlaceOptions& wanted, const Progress& progress);

// Of the spectrum of one pixel, as the model takes it (1 x (d + q)).
Answer pixel_of(const TrainedSession& now, const Spectra& spectrum, int threads);

}  // namespace parsimap
