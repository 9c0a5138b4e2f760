// Part of the library in the wheel and the archive: what Debian 12's libexpat takes from glibc 2.36, with the means of
// earlier ones.
#include <sys/random.h>

#include <cstddef>
#include <cstdlib>

extern "C" __attribute__((visibility("hidden"))) void arc4random_buf(void* memory, std::size_t size) {
  auto* next = static_cast<unsigned char*>(memory);
  while (size > 0) {
    const ssize_t got = getrandom(next, size, 0);
    if (got < 0) {
      std::abort();  // as glibc does where there are no random numbers
    }
    next += got;
    size -= static_cast<std::size_t>(got);
  }
}
