// The system calls that change the names of files, each with a fault on order. The definitions below take the place of
// the C library's in a program that includes this, in one file.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace parsimap::test {

enum class Fault { none, fails_once, fails_from_then_on, kills };

inline Fault ordered = Fault::none;
inline int ordered_number = 0;
inline int counted_calls = 0;

// True when this call is to fail.
inline bool is_faulty() {
  ++counted_calls;
  const bool now = counted_calls == ordered_number;
  if (now && ordered == Fault::kills) {
    _exit(9);
  }
  if ((now && ordered == Fault::fails_once) ||
      (ordered == Fault::fails_from_then_on && counted_calls >= ordered_number)) {
    errno = EIO;
    return true;
  }
  return false;
}

// The fault that the `number`-th call from now on is to have, counted from 1.
inline void order_fault(Fault fault, int number) {
  ordered = fault;
  ordered_number = number;
  counted_calls = 0;
}

// The calls since the last order.
inline int calls_so_far() { return counted_calls; }

}  // namespace parsimap::test

using parsimap::test::is_faulty;

extern "C" {

int rename(const char* from, const char* to) noexcept {
  return is_faulty() ? -1 : static_cast<int>(syscall(SYS_rename, from, to));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  return is_faulty() ? -1 : static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
int link(const char* from, const char* to) noexcept {
  return is_faulty() ? -1 : static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int unlink(const char* path) noexcept {
  return is_faulty() ? -1 : static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int mkdir(const char* path, mode_t mode) noexcept {
  return is_faulty() ? -1 : static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int fsync(int file) { return is_faulty() ? -1 : static_cast<int>(syscall(SYS_fsync, file)); }

}  // extern "C"
