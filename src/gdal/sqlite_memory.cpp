#include "sqlite_memory.hpp"

#include <sqlite3.h>

#include "parsimap/core/memory_watch.hpp"

namespace parsimap {
namespace {

// SQLite's own functions, which it keeps by value.
sqlite3_mem_methods own_methods{};

void* noted(void* memory) {
  if (memory == nullptr) {
    note_refused_memory();
  }
  return memory;
}

void* allocate(int size) { return noted(own_methods.xMalloc(size)); }
void* reallocate(void* memory, int size) { return noted(own_methods.xRealloc(memory, size)); }

}  // namespace

void watch_sqlite_memory() {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &own_methods) != SQLITE_OK) {
    return;
  }
  if (own_methods.xMalloc == nullptr || own_methods.xMalloc == allocate) {
    return;
  }
  sqlite3_mem_methods watched = own_methods;
  watched.xMalloc = allocate;
  watched.xRealloc = reallocate;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
}

}  // namespace parsimap
