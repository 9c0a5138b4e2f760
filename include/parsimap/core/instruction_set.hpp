// Which vector instructions this build of the program uses.
#pragma once

#include <string>

namespace parsimap {

// "AVX-512", "AVX2", "SSE2", or the compiler's baseline ("baseline") on processors that are no x86-64. A portable build
// has one library for each; this is the one of the library that runs.
std::string instruction_set();

}  // namespace parsimap
