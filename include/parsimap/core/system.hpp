// The machine that the program runs on: its instructions and its memory.
#pragma once

#include <cstdint>
#include <string>

namespace parsimap {

// Which vector instructions this build of the program uses.

// "AVX-512", "AVX2", "SSE2", or the compiler's baseline ("baseline") on processors that are no x86-64. A portable build
// has one library for each; this is the one of the library that runs.
std::string instruction_set();

// Whether memory was refused while a command worked.
//
// Several libraries go on without what they had no memory for: PROJ leaves out the name of a reference system, for
// instance. The outputs are not what was meant then, and nobody says so.

// Remembers from now on that operator new fails, in the whole process, and forgets what was before.
void watch_memory();

// The same for memory that operator new has nothing to do with.
void note_refused_memory();

// std::bad_alloc when memory was refused since watch_memory().
void check_memory();

// Physical memory of this computer.
std::int64_t physical_memory_bytes();

}  // namespace parsimap
