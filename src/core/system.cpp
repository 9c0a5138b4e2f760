#include "parsimap/core/system.hpp"

#include <unistd.h>

#include <atomic>
#include <new>

namespace parsimap {
// The macros state which instructions the compiler was allowed to use for this library, not what the processor offers.
std::string instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
  return "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2";
#elif defined(__SSE2__)
  return "SSE2";
#else
  return "baseline";
#endif
}

namespace {

std::atomic<bool> refused{false};

// operator new calls this function when it gets no memory. The function must make room or throw; it throws what
// operator new would throw without it, after recording the event for check_memory().
void remember_refusal() {
  note_refused_memory();
  throw std::bad_alloc();
}

}  // namespace

void watch_memory() {
  refused = false;
  std::set_new_handler(remember_refusal);
}

void note_refused_memory() { refused = true; }

void check_memory() {
  if (refused) {
    throw std::bad_alloc();
  }
}

std::int64_t physical_memory_bytes() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace parsimap
