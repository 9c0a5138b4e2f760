// A library to be loaded before all others, in which the FAILING_ALLOCATION-th request for memory of the process fails.
// At the end the number of all requests is written to the file ALLOCATION_COUNT, where that is set.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

extern "C" {

// The C library's own, under the names that it exports for this purpose.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<long> requests{0};

long failing_request() {
  // getenv needs no memory; the variable cannot change meanwhile.
  static const long number = [] {
    const char* text = std::getenv("FAILING_ALLOCATION");
    return text != nullptr ? std::atol(text) : 0;
  }();
  return number;
}

bool fails() {
  if (++requests != failing_request()) {
    return false;
  }
  errno = ENOMEM;
  return true;
}

__attribute__((destructor)) void write_count() {
  const char* path = std::getenv("ALLOCATION_COUNT");
  std::FILE* file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file != nullptr) {
    std::fprintf(file, "%ld\n", requests.load());
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* memory, std::size_t size) { return fails() ? nullptr : __libc_realloc(memory, size); }
void* memalign(std::size_t alignment, std::size_t size) { return fails() ? nullptr : __libc_memalign(alignment, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
