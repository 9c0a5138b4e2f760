#include "parsimap/samples/library_bands.hpp"

#include "parsimap/samples/spectral_resampling.hpp"

namespace parsimap {
namespace {

Indices good_bands(const BandTable& bands) {
  Indices good;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    if (!bands[b].bad) {
      good.push_back(static_cast<Index>(b));
    }
  }
  return good;
}

}  // namespace

Spectra in_bands(const SpectralLibrary& library, const WantedBands& wanted) {
  const BandMatch match = match_bands(wanted, library.bands, library.path);
  if (match.complete()) {
    return library.spectra(Eigen::all, match.found);
  }
  const SpectralResampling plan = plan_resampling(wanted, library.bands, good_bands(library.bands), library.path);
  Spectra spectra(library.size(), static_cast<Index>(wanted.bands.size()));
  for (std::size_t b = 0; b < plan.weights.size(); ++b) {
    Vector sum = Vector::Zero(library.size());
    for (const BandWeight& entry : plan.weights[b]) {
      sum += entry.weight * library.spectra.col(entry.band).cast<double>();
    }
    spectra.col(static_cast<Index>(b)) = sum.cast<float>();
  }
  return spectra;
}

void append_in_bands(SpectralLibrary& library, const SpectralLibrary& other) {
  WantedBands wanted{library.bands, {}, static_cast<Index>(library.bands.size()), "of the first library", library.path};
  for (Index band = 0; band < wanted.scene_bands; ++band) {
    wanted.places.push_back(band);
  }
  SpectralLibrary resampled = other;
  resampled.spectra = in_bands(other, wanted);
  resampled.bands = library.bands;
  append(library, resampled);
}

}  // namespace parsimap
