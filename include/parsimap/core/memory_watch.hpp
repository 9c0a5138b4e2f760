// Whether memory was refused while a command worked.
//
// Several libraries go on without what they had no memory for: PROJ leaves out the name of a reference system, for
// instance. The outputs are not what was meant then, and nobody says so.
#pragma once

namespace parsimap {

// Remembers from now on that operator new fails, in the whole process, and forgets what was before.
void watch_memory();

// The same for memory that operator new has nothing to do with.
void note_refused_memory();

// std::bad_alloc when memory was refused since watch_memory().
void check_memory();

}  // namespace parsimap
