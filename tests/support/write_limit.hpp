// What a full disk looks like, without one.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap::test {

// Runs in a child process that may write no file beyond `bytes`. Exit code 0 for an IoError that names the target,
// anything else for another outcome.
inline int with_limit(const std::string& path, rlim_t bytes, const std::function<void()>& write) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write();
    } catch (const IoError& error) {
      _exit(std::string(error.what()).find(path) != std::string::npos ? 0 : 3);
    } catch (...) {
      _exit(2);
    }
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace parsimap::test
