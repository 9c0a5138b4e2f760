#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "fuzz/target.hpp"

namespace parsimap::fuzz {

void require(bool holds, const char* rule) {
  if (!holds) {
    std::cerr << "broken: " << rule << std::endl;
    std::abort();
  }
}

MemoryFile::MemoryFile()
    : descriptor_(memfd_create("input", 0)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  require(descriptor_ >= 0, "a file can be made in memory");
}

MemoryFile::~MemoryFile() { close(descriptor_); }

const std::string& MemoryFile::hold(std::string_view content) {
  const bool held = ftruncate(descriptor_, 0) == 0 &&
                    pwrite(descriptor_, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size());
  require(held, "a file in memory can be written");
  return path_;
}

}  // namespace parsimap::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  parsimap::fuzz::run_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
