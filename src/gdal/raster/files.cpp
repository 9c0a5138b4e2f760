#include "parsimap/gdal/raster/files.hpp"

#include <cpl_vsi.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "dataset.hpp"

namespace parsimap {

FileKind file_kind(const std::string& path) {
  if (!special_file(path).empty()) {
    return FileKind::unknown;
  }
  initialise_gdal();
  // GDAL tries its drivers one by one; messages of those that do not recognise the file mean nothing.
  const ErrorCollector ignored;
  const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_VECTOR | GDAL_OF_READONLY));
  if (dataset == nullptr) {
    return FileKind::unknown;
  }
  // A container of several rasters has no bands of its own, but lists its subdatasets.
  if (dataset->GetRasterCount() > 0 || dataset->GetMetadata("SUBDATASETS") != nullptr) {
    return FileKind::raster;
  }
  return dataset->GetLayerCount() > 0 ? FileKind::vector : FileKind::unknown;
}

namespace {

constexpr std::size_t kMostFiles = 16;
constexpr vsi_l_offset kSample = 1U << 16U;  // bytes

[[noreturn]] void refuse(const std::string& path) { throw IoError(path + " cannot be read"); }

// Adds the size and three samples of a file. Folders and connections have no bytes of their own, and count by their
// name.
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
  // Samples from the beginning, the middle and the end. Scenes have many gigabytes: reading them completely would take
  // longer than some commands. A changed file nearly always differs in its size or in one of the samples.
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
  // Of many files (a mosaic of tiles) some are taken at equal distances, the first and the last always.
  const std::size_t count = std::min(files.size(), kMostFiles);
  for (std::size_t i = 0; i < count; ++i) {
    add_file(files[count == 1 ? 0 : i * (files.size() - 1) / (count - 1)], sum);
  }
  return sum.digits();
}

FileStamps::FileStamps(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    // Virtual files of GDAL, in memory, in archives or on servers, have no time stamp in the file system.
    if (!file.starts_with("/vsi")) {
      stamps_.emplace_back(file, stamp_of(file));
    }
  }
}

FileStamps::Stamp FileStamps::stamp_of(const std::string& file) {
  // A file that cannot be examined has a stamp as well, which differs from that of any other.
  std::error_code failure;
  Stamp stamp;
  stamp.bytes = std::filesystem::file_size(file, failure);
  stamp.changed = std::filesystem::last_write_time(file, failure);
  return stamp;
}

void FileStamps::check_unchanged() const {
  for (const auto& [file, stamp] : stamps_) {
    if (stamp_of(file) != stamp) {
      throw IoError(file + " changed while it was read; what was read may be a mixture of two versions of it");
    }
  }
}

}  // namespace parsimap
