// Stopping a run on SIGINT or SIGTERM the way an error does, so that everything that cleans up after itself does so.
#pragma once

namespace parsimap {

// Forgets what was remembered. From now on the first SIGINT or SIGTERM is only remembered, the second ends the process
// at once; and a file that grows over the process's limit (SIGXFSZ) is an error of that file.
void watch_signals();

// Throws IoError when a signal was remembered, at every call until watch_signals() is called again. To be called often
// during long work, from any thread.
void check_interruption();

}  // namespace parsimap
