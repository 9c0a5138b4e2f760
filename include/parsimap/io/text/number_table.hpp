// Text matrices and their labels, as benchmark data sets are published (Madelon, Arcene): one sample per line.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// A matrix with a row per line. Fields are separated by spaces and tabs or by one comma with or without them; lines
// without any field are passed over.
// DataError: the file cannot be read or holds no number, a field is not a finite number (the line and the number of the
// field in it are named, both from 1), or lines of different length.
Matrix read_number_table(const std::string& path);

// The lines of a file without the space around them; empty lines at its end do not count.
// DataError: the file cannot be read or holds no label, or a line between labels is empty.
std::vector<std::string> read_label_lines(const std::string& path);

}  // namespace parsimap
