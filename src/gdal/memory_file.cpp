#include "memory_file.hpp"

#include <cpl_vsi.h>

#include <atomic>

namespace parsimap {
namespace {

std::string new_name() {
  static std::atomic<int> made = 0;
  return "/vsimem/parsimap-layer-" + std::to_string(++made);
}

}  // namespace

MemoryFile::MemoryFile() : name_(new_name()) {}

MemoryFile::~MemoryFile() { VSIUnlink(name_.c_str()); }

bool MemoryFile::copy_to(const std::string& path) const {
  vsi_l_offset size = 0;
  const GByte* bytes = VSIGetMemFileBuffer(name_.c_str(), &size, FALSE);
  VSILFILE* file = bytes != nullptr ? VSIFOpenL(path.c_str(), "wb") : nullptr;
  const bool written = file != nullptr && VSIFWriteL(bytes, 1, static_cast<std::size_t>(size), file) == size;
  return file != nullptr && VSIFCloseL(file) == 0 && written;
}

}  // namespace parsimap
