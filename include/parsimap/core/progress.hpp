// Progress of a long computation, reported to whoever called it.
#pragma once

#include <functional>

namespace parsimap {

// Called with the fraction done, in [0, 1], never decreasing, from one thread at a time. It may throw to stop the
// computation (an interrupt); an empty function means nobody listens.
using Progress = std::function<void(double fraction)>;

}  // namespace parsimap
