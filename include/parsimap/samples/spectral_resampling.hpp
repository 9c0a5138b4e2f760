// Spectra of one sensor in the bands of another, by the centres and widths of the bands of both.
//
// A band's response is taken for a Gaussian of its full width at half maximum (FWHM). Between the centres of the
// sensor's bands, in the order of their wavelengths, a spectrum is the straight line. A wanted band of width F at
// wavelength c, where the sensor's own bands are f wide (linear between its bands, too), is the mean of that spectrum
// under a Gaussian about c of the width sqrt(F^2 - f^2): with the width that the values have already, this makes F. The
// Gaussian is cut at four standard deviations, and at the first and last band of the sensor, on both sides alike. So
// every wanted band is a weighted sum of few bands of the sensor, whose weights add up to 1; spectra that are straight
// lines stay as they are; a band as wide as those of the sensor, or narrower, is the straight line at its centre, and
// one at the centre of a band of the sensor is that band.
//
// A band that does not know its width is as wide as the way to the next band of its sensor, 50 nm at most.
#pragma once

#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/samples/band_match.hpp"

namespace parsimap {

struct BandWeight {
  Index band = 0;  // of the sensor, from 0
  double weight = 0;
};

// What a reader must know of a resampling.
struct ResamplingFacts {
  std::string scene;            // what was resampled
  Index scene_bands = 0;        // its bands
  Index used_bands = 0;         // those of them that have a weight
  Index bands = 0;              // those computed
  Index narrower = 0;           // of these, narrower than the scene's there, so that nothing but a line was drawn
  double largest_distance = 0;  // of a band computed from the nearest one of the scene, nanometres
};

// "190 of the 224 bands of b.tif were resampled to 177 by their widths ...", one sentence without a full stop.
std::string resampling_text(const ResamplingFacts& facts);

struct SpectralResampling {
  std::vector<std::vector<BandWeight>> weights;  // of every band wanted, ascending by wavelength
  ResamplingFacts facts;
};

// The bands `usable` (indices) of the scene called `name`, whose bands are `offered`, as the bands wanted. Bands
// without a wavelength are not used.
//
// A band is covered where half of its response, at least, lies at wavelengths that the scene covers: between
// neighbouring bands that touch at half of their maxima, or are not farther apart than three times their width, 50 nm
// at most, or than the wanted band is wide; and a band's width, 5 nm at most, beyond bands where there is no such
// neighbour. Straight lines over more than that would make up absorption bands, or their absence. DataError:
// wavelengths that are not known, two usable bands of the same wavelength (a stack of several dates), bands that are
// not covered (all of them are listed).
SpectralResampling plan_resampling(const WantedBands& wanted, const BandTable& offered, const Indices& usable,
                                   const std::string& name);

}  // namespace parsimap
