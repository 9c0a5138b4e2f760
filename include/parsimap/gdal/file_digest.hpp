// Whether files are the same ones elsewhere, told without reading all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parsimap {

// The SHA-256 of the sizes and of the beginning, the middle and the end of some of the files: of all where they are
// few, else of the first, the last and others between. Names and times do not count: a copy has the same digest. What
// is no file, such as a connection, counts by its name. A file that was made anew with other values has another one
// unless it is of the same size and equal in all these places. IoError where a file cannot be read.
std::string sampled_digest(const std::vector<std::string>& files);

}  // namespace parsimap
