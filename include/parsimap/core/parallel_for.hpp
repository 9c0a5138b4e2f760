// The one place where work is shared between threads. Only mapping starts a thread of its own beside it, which reads
// the next window while one is computed.
#pragma once

#include <functional>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The number of threads that `requested` stands for: itself when positive, all processors when 0.
int resolve_threads(int requested);

// The number of parts of at most `size` that `count` things make.
constexpr Index part_count(Index count, Index size) { return (count + size - 1) / size; }

// Calls body(i) once for every i in [0, count), on `threads` threads, in any order. Bodies must write to disjoint
// places; reductions are done by the caller afterwards in index order, so that results do not depend on `threads`.
// The first exception (lowest i among those thrown) is rethrown here after all threads have stopped; iterations not
// yet started by then are skipped.
//
// A body may call parallel_for itself. Inner calls start no threads: their indices are shared with those threads of the
// outermost call that find no index of their own any more. So a few large pieces of work, each of which is a loop
// again, keep all threads busy until the last one ends.
void parallel_for(Index count, int threads, const std::function<void(Index)>& body);

// The same with at most `at_once` indices in work at the same time, for bodies that take much memory. The other threads
// take part in the inner loops alone.
void parallel_for(Index count, int threads, int at_once, const std::function<void(Index)>& body);

}  // namespace parsimap
