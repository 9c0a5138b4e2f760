// A session of labelling over standard input and output: requests as lines of JSON, and their answers
// (docs/serve.md).
#pragma once

#include <functional>
#include <string>

#include "parsimap/commands/job.hpp"

namespace parsimap {

struct ServeOptions : JobOptions {
  bool stdio = false;  // the only way so far
};

// The number that changes where requests or answers change so that earlier programs would not understand them.
inline constexpr int kSessionProtocol = 1;

// Answers the requests that come from `descriptor`, a pipe or file, by write(bytes), until it has ended and all are
// done; a request that fails is answered with its error. Requests are done one after the other in this thread, and the
// pipe is looked at while one is, for a request to cancel it. ConfigError: not `stdio`. IoError: the pipe fails, and
// what write() and the progress of the listener throw.
void serve_session(const ServeOptions& options, int descriptor, const std::function<void(const std::string&)>& write,
                   Listener& listener);

}  // namespace parsimap
