// Spectral libraries, which are spectra with names and attributes that need no scene, and spectra of one sensor in the
// bands of another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"

namespace parsimap {

// Where the bands of spectra come from that a training has used: the model that is trained from them again is to
// remember the scene as the first one does.
struct BandOrigin {
  Index scene_bands = 0;             // of the scene
  Indices bands;                     // of the scene, one for each band of the library; indices from 0, ascending
  std::vector<DroppedBand> dropped;  // the others, ascending
  bool operator==(const BandOrigin&) const = default;
};

// Row i of the matrix and entry i of `names` and `values` belong to the same spectrum.
struct SpectralLibrary {
  std::string path;                     // of the file or folder it was read from
  std::string format;                   // such as "ENVI spectral library"
  std::string quantity;                 // "reflectance", "radiance" ...; empty where the file does not state it
  std::vector<std::string> names;       // n
  Spectra spectra;                      // n x d; NaN where there is no value
  BandTable bands;                      // d
  std::vector<std::string> attributes;  // names of the columns of `values`
  std::vector<std::vector<std::string>> values;  // n rows with a text for each attribute, empty for none
  std::optional<BandOrigin> origin = {};         // of spectra that a training has written
  std::vector<std::string> notes = {};           // sentences about how the files were read

  [[nodiscard]] Index size() const { return spectra.rows(); }
};

// The column of the attribute, or else of the only one whose name differs in upper and lower case alone, as fields of
// vector files are found; nothing where there is none.
std::optional<std::size_t> attribute_column(const SpectralLibrary& library, const std::string& name);

// True where both tables have as many bands with the same wavelengths, to a hundredth of a nanometre. Where no band of
// either has a wavelength, the numbers of bands decide.
bool same_wavelengths(const BandTable& first, const BandTable& second);

// Adds the spectra of `other`, which have the same bands, behind those of `library`. Attributes that one of them lacks
// are empty there. DataError: the bands differ.
void append(SpectralLibrary& library, const SpectralLibrary& other);

// The spectra at `rows`, in that order, with all else as it is.
SpectralLibrary subset(const SpectralLibrary& library, const Indices& rows);

// Checks a library: every spectrum has a name and a text for each attribute, and every matrix the sizes
// that the lists say. DataError "<path> ..." otherwise, or where there is no spectrum or no band.
void check_library(const SpectralLibrary& library);

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
// wavelengths that are not known, two usable or wanted bands of the same wavelength (a stack of several dates), bands
// that are not covered (all of them are listed).
SpectralResampling plan_resampling(const WantedBands& wanted, const BandTable& offered, const Indices& usable,
                                   const std::string& name);

// The spectra of the library in the bands wanted: its own where match_bands() finds all of them, else computed by
// plan_resampling() from those that the library does not mark as bad. NaN where a band that counts has no value.
// DataError as plan_resampling().
Spectra in_bands(const SpectralLibrary& library, const WantedBands& wanted);

// Adds `other` behind `library` as append() does, in the bands of `library`. DataError as in_bands().
void append_in_bands(SpectralLibrary& library, const SpectralLibrary& other);

}  // namespace parsimap
