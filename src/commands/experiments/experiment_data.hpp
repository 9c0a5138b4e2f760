// The data sets of an experiment, read from files in the data folder.
#pragma once

#include <string>
#include <vector>

#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/text/text_tables.hpp"

namespace parsimap {

// Tables: classes are named by their labels and numbered from 1 as the labels sort, by value where all of them are
// numbers, otherwise by bytes; +1 comes before -1, as in the paper's tables. Spectra are the rows of the table.
// Scenes: labelled pixels, read by GDAL, or from MATLAB files where a path ends in .mat. Classes are those of the
// training map, with its names; the pixels of test maps belong to them by their codes. Bands that the
// scene marks as bad, those without a value in any training pixel, and constant ones are left out; so are pixels
// without a value in one of the others.
//
// DataError: a file that is missing (with every path that was looked for, where to get it, and its size), rows and
// labels of different number, tables of different width, test samples of a class that training has not, and the errors
// of the readers, who also tell `warn`. Simulated data sets have no files: this function does not make them.
Dataset load_dataset(const DataSpec& data, const std::string& data_folder, const Warn& warn = {});

// The files in which load_dataset() would find its data; those that are missing are left out. Side files are not named.
std::vector<std::string> experiment_files(const DataSpec& data, const std::string& data_folder);

}  // namespace parsimap
