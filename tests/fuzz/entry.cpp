#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "fuzz/target.hpp"

namespace parsimap::fuzz {
namespace {

const Target* chosen = nullptr;

void choose_target(const std::string& program) {
  const std::string called = program.substr(program.rfind('/') + 1);
  for (const Target& target : targets()) {
    if (called == std::string("fuzz_") + target.name) {
      chosen = &target;
    }
  }
  require(chosen != nullptr, "the program is called by the name of a target");
}

}  // namespace

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

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** arguments) {
  parsimap::fuzz::choose_target(**arguments);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  parsimap::fuzz::chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const auto encoding = parsimap::fuzz::chosen->encoding;
  return encoding ? parsimap::fuzz::mutate_document(data, size, most, seed, *encoding)
                  : LLVMFuzzerMutate(data, size, most);
}
