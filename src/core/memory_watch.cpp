#include "parsimap/core/memory_watch.hpp"

#include <atomic>
#include <new>

namespace parsimap {
namespace {

std::atomic<bool> refused{false};

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

}  // namespace parsimap
