// Stopping a run on SIGINT, SIGTERM, SIGHUP, SIGPIPE or SIGXCPU the way an error does, so that everything that cleans
// up after itself does so.
#pragma once

namespace parsimap {

// Forgets what was remembered. From now on these signals are only remembered, but a second SIGINT or SIGTERM ends the
// process at once, and a SIGHUP that was ignored stays so. Writing to a pipe that nobody reads (SIGPIPE) and to a file
// that grows over the process's limit (SIGXFSZ) are errors of that stream or file.
void watch_signals();

// Throws IoError when a signal was remembered, at every call until watch_signals() is called again. To be called often
// during long work, from any thread.
void check_interruption();

}  // namespace parsimap
