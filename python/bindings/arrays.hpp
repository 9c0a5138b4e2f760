// Arrays of numpy as the library sees them, without a copy where their type and order allow it.
#pragma once

#include <pybind11/numpy.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/pixel_rows.hpp"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::python {

// ImportError, where numpy is of a version whose arrays this module cannot read: with the headers of pybind11 before
// 2.12 those of numpy 2 end the interpreter.
void check_numpy();

// Row-major arrays of single and double precision are taken as they are; other real numbers are converted to double
// precision. TypeError with `name`: numbers that are not real, or no numbers. ValueError: not two dimensions.
pybind11::array spectra_array(const pybind11::object& values, const std::string& name);

// The rows of such an array, which the caller keeps, in the columns `used`.
PixelRows pixel_rows(const pybind11::array& spectra, const Indices& used);

// The number of threads that `threads` stands for, 0 for all processors; ConfigError where it is none.
int checked_threads(int threads);

// Name and wavelength in nanometres of every band.
using BandNames = std::vector<std::pair<std::string, std::optional<double>>>;

// The table of `count` bands; without names nothing is known of them. ValueError: another number of names.
BandTable band_table(const BandNames& names, Index count);

// Where the values of an array of three dimensions lie, in any order and with any steps; `order` are the dimensions of
// rows, columns and bands. Types that a SceneArray cannot have, and steps that are no multiples of a value, are
// converted. `array` is replaced then. Errors as spectra_array(); ValueError: `order` is none, or the array has no
// values.
SceneArray scene_array(pybind11::array& array, const std::array<int, 3>& order, const std::string& name = "the scene");

}  // namespace parsimap::python
