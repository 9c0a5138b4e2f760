// The model file, format version 3, or 4 with a kernel of profiles. Everything is little-endian.
//
//   offset  bytes  content
//   0       8      "PARSIMAP"
//   8       4      format version, uint32
//   12      8      size of the payload in bytes, uint64
//   20      4      CRC-32 (ISO-HDLC, as in zlib and PNG) of bytes 0 .. 19 and the payload, uint32
//   24      ...    payload, to the end of the file: one CBOR map (RFC 8949), definite lengths, no tags
//
// Keys of the payload (K classes, d bands used, p directions of a classifier, m support spectra, profiles of q
// features, 0 without a kernel of them):
//   classes          K maps: code, name, colour ([red, green, blue] or null)
//   kernel           "hdda", "pca" or "gaussian"
//   scene_bands      bands of the training scene
//   bands            d x 1 integers, from 0, ascending: the bands used
//   band_table       d maps: name, wavelength (nanometres, or null), bad (as the training scene marked it), scale and
//                    offset (of the training scene's stored numbers)
//   dropped_bands    maps of the training scene's other bands: band (from 0, ascending), reason
//   scaling          rule; offset and scale, d x 1: x -> (x - offset) / scale
//   support_spectra  m x (d + q), scaled spectra followed by their profiles
//   machines         K maps: samples, directions (d x p), weights (p x 1, total weights of the directions), rest_weight
//                    (of everything orthogonal to them), profile (only with such a kernel: features, weight, share),
//                    C, bias, support (integers, rows of support_spectra), coefficients, kkt_violation, solver_stop,
//                    selection (criterion, value, evaluations, stop_reason, trace)
//   novelty          K maps: mean (d x 1), directions (d x p), variances (p x 1), noise_variance of the class's
//                    Gaussian in scaled features; distances (ascending), tail_probabilities (descending) and
//                    tail_exponent (classifier/model.hpp)
//   softmax_slope    a of the probabilities softmax(a f(x))
//   shape            blend, damping and rest (whether it has w_0) of the metric, where all classes share one
//   scan             maps of the metrics compared: shape, width, C, risk, gain, gain_error, samples
//   profile          only with a kernel of profiles: mean (d x 1), directions (d x P), deviations (P x 1), radii (R x
//   1),
//                    metres, steps; q = P (2R + 1)
//   profile_score    only where such kernels were compared: width, C, share, profile_weight, profile_width, risk, gain,
//                    gain_error, accuracy, spectra_accuracy, samples
//   provenance       program_version, options (pairs [name, value]), seed, inputs (maps: path, bytes),
//                    training_pixels, left_out (accuracy, samples, units, by_region: K truths), validation (null, or
//                    folds, repeats, grouping, groups, buffer, buffer_unit, results: maps of repeat and fold (from 0),
//                    training_pixels, buffered_pixels, untested_pixels, confusion (K x K integers, rows are reference))
// An array is the map {shape: [rows, columns], data: byte string}: float64 (or int64 for integers) in row-major order.
//
// Loading runs no code and trusts nothing: the size is compared with the file's before memory is taken, the checksum
// before anything is parsed, and every shape, index and value is checked before a Model is made of it.
#pragma once

#include <string>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/record_fields.hpp"

namespace parsimap {

// The content of a model's file. DataError when the model itself breaks a rule that load_model() checks.
std::string model_bytes(const Model& model);

// The model whose model_bytes() the file at `path` holds, bit by bit. DataError: the file is missing, empty, foreign,
// truncated, damaged, of a newer or older format version, or its content breaks a rule (the text names it).
Model load_model(const std::string& path);

// The model of such bytes, wherever they come from; `name` stands for the file in errors, which are those of
// load_model().
Model model_of_bytes(const std::string& bytes, const std::string& name);

// The fields of what is in other documents as well.
void list_fields(ClassEntry& entry, Fields& field);
void list_fields(Band& band, Fields& field);
void list_fields(InputFile& input, Fields& field);

// True when `path` is a file that begins like a model (it may still be damaged).
bool is_model_file(const std::string& path);

}  // namespace parsimap
