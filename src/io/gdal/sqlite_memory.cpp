#include "sqlite_memory.hpp"

#include <sqlite3.h>

#include "parsimap/core/memory_watch.hpp"

namespace parsimap {
namespace {

// SQLite's own functions, which it keeps by value.
sqlite3_mem_methods own{};

void* noted(void* memory) {
  if (memory == nullptr) {
    note_refused_memory();
  }
  return memory;
}

void* allocate(int size) { return noted(own.xMalloc(size)); }
void* reallocate(void* memory, int size) { return noted(own.xRealloc(memory, size)); }

}  // namespace

void watch_sqlite_memory() {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &own) != SQLITE_OK) {
    return;
  }
  if (own.xMalloc == nullptr || own.xMalloc == allocate) {
    return;
  }
  sqlite3_mem_methods watched = own;
  watched.xMalloc = allocate;
  watched.xRealloc = reallocate;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
}

}  // namespace parsimap
