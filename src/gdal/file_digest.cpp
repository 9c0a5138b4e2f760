#include "parsimap/gdal/file_digest.hpp"

#include <cpl_vsi.h>

#include <algorithm>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/core/sha256.hpp"

#include "dataset.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kMostFiles = 16;
constexpr vsi_l_offset kSample = 1U << 16U;  // bytes

[[noreturn]] void refuse(const std::string& path) { throw IoError(path + " cannot be read"); }

void add_file(const std::string& path, Sha256& sum) {
  const ErrorCollector errors;
  VSIStatBufL status;
  if (VSIStatL(path.c_str(), &status) != 0 || VSI_ISDIR(status.st_mode)) {
    sum.update(path + ":");
    return;
  }
  const auto size = static_cast<vsi_l_offset>(status.st_size);
  sum.update(std::to_string(size) + ":");
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(path.c_str(), "rb"), VSIFCloseL);
  if (file == nullptr) {
    refuse(path);
  }
  const vsi_l_offset length = std::min(size, kSample);
  std::string bytes(length, '\0');
  for (const vsi_l_offset start : {vsi_l_offset{0}, (size - length) / 2, size - length}) {
    if (VSIFSeekL(file.get(), start, SEEK_SET) != 0 || VSIFReadL(bytes.data(), 1, length, file.get()) != length) {
      refuse(path);
    }
    sum.update(bytes);
  }
  errors.check_files(path + " cannot be read:");
}

}  // namespace

std::string sampled_digest(const std::vector<std::string>& files) {
  Sha256 sum;
  sum.update(std::to_string(files.size()) + ":");
  const std::size_t count = std::min(files.size(), kMostFiles);
  for (std::size_t i = 0; i < count; ++i) {
    add_file(files[count == 1 ? 0 : i * (files.size() - 1) / (count - 1)], sum);
  }
  return sum.digits();
}

}  // namespace parsimap
