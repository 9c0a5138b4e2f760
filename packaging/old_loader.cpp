// Part of the program in the wheel and the archive. The dynamic loader chooses the library for the processor at hand
// from the folders glibc-hwcaps since glibc 2.33. With an older one, the program starts itself again with a path of
// libraries that names the folder.
#include <gnu/libc-version.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace {

std::string best_level() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) {
    return "x86-64-v4";
  }
  return __builtin_cpu_supports("x86-64-v3") ? "x86-64-v3" : "";
}

// glibc hands the arguments of the program to constructors.
__attribute__((constructor)) void choose_library(int, char** arguments, char**) {
  const std::string version = gnu_get_libc_version();
  if (version.rfind("2.", 0) != 0 || std::atoi(version.c_str() + 2) >= 33) {
    return;
  }
  std::array<char, 4096> link{};
  const ssize_t length = readlink("/proc/self/exe", link.data(), link.size());
  const std::string level = best_level();
  if (length <= 0 || level.empty()) {
    return;
  }
  const std::string program(link.data(), static_cast<size_t>(length));
  const std::string folder = program.substr(0, program.rfind('/')) + "/../lib/parsimap/glibc-hwcaps/" + level;
  const char* set_before = std::getenv("LD_LIBRARY_PATH");
  const std::string before = set_before == nullptr ? "" : set_before;
  if (before.rfind(folder, 0) == 0 || access(folder.c_str(), X_OK) != 0) {
    return;  // it has been chosen, or there is none to choose
  }
  setenv("LD_LIBRARY_PATH", (before.empty() ? folder : folder + ":" + before).c_str(), 1);
  execv(program.c_str(), arguments);
}

}  // namespace
