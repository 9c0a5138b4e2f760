// What becomes of memory that the program gives back.
#pragma once

namespace parsimap {

// Large blocks go back to the system as soon as nobody needs them: --ram counts on it. Of small ones, which come and go
// with every tile of pixels, up to 32 MB stay: otherwise the system would clear their pages for each tile again. All
// threads share them: threads come and go with the windows, and what one has given back another one takes.
void return_large_blocks();

// For commands that train: up to 64 MB of free memory stay with the program, and blocks of a matrix of order 2000 are
// taken from it. Thousands of systems are solved one after the other, and having the system clear their pages every
// time takes as long as solving them, and longer with every further thread.
void keep_free_memory();

}  // namespace parsimap
