#include "parsimap/gdal/raster/settings.hpp"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <cpl_vsi_virtual.h>
#include <dirent.h>
#include <dlfcn.h>
#include <gdal_priv.h>
#include <hdf5.h>
#include <ogr_srs_api.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <regex>
#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/gdal/raster/source_name.hpp"

#include "dataset.hpp"

#ifndef PARSIMAP_DATA_FOLDER
#define PARSIMAP_DATA_FOLDER ""  // GDAL, PROJ and their data are those of the system
#endif

namespace parsimap {
namespace {

// Files as GDAL sees them, with failures noticed.
//
// Several of GDAL's drivers do not look at what a read or a write returns: a raw raster (ENVI, or a VRT over such) has
// zeros where its file could not be read, and a table lacks the rows that could not be written. A failed look at a
// folder or a side file counts as its absence. CheckedFiles is a layer between GDAL and the file system of the computer
// that hands everything on, and reports to the ErrorCollectors of the thread what has failed:
//   - a read that gives less than the file held when it was opened, so also of a file that became shorter meanwhile;
//   - a write, or what writes what is left over: a seek, a flush, a truncation, the close;
//   - opening, looking at, listing and removing, where the system failed. That a file does not exist or may not be read
//     is an answer, not a failure.
// Files that a library opens by itself (HDF5, netCDF, SQLite) do not pass here; those libraries report failures.

// Reasons that say that a file does not exist or may not be used, in contrast to failures of the system.
bool is_answer(int reason) {
  constexpr std::array<int, 13> kAnswers{ENOENT, ENOTDIR, EACCES, EPERM,   EISDIR, ENAMETOOLONG, ELOOP,
                                         EINVAL, EROFS,   EEXIST, ETXTBSY, ENXIO,  ENODEV};
  return std::ranges::find(kAnswers, reason) != kAnswers.end();
}

void note(const std::string& path, const std::string& operation, int reason) {
  ErrorCollector::note_file_failure(operation + " " + path + " failed" +
                                    (reason != 0 ? ": " + std::string(std::strerror(reason)) : ""));
}

// A file that is only read has a size that it is held to; one that is written has none.
struct OpenedAs {
  bool written = false;
  vsi_l_offset size = 0;
};

class CheckedHandle final : public VSIVirtualHandle {
 public:
  CheckedHandle(std::string path, std::unique_ptr<VSIVirtualHandle> file, const OpenedAs& opened)
      : path_(std::move(path)), file_(std::move(file)), opened_(opened) {}

  int Seek(vsi_l_offset offset, int whence) override {
    // What is buffered is written before the file is somewhere else.
    return checked(&VSIVirtualHandle::Seek, offset, whence);
  }
  vsi_l_offset Tell() override { return file_->Tell(); }

  size_t Read(void* buffer, size_t size, size_t count) override {
    if (write_failed_) {
      return 0;
    }
    const size_t got = file_->Read(buffer, size, count);
    if (got < count && (file_->Tell() < opened_.size || file_->Eof() == 0)) {
      note_read(file_->Tell());
    }
    return got;
  }
  bool HasPRead() const override { return file_->HasPRead(); }
  size_t PRead(void* buffer, size_t size, vsi_l_offset offset) const override {
    const size_t got = file_->PRead(buffer, size, offset);
    if (got != size && (got > size || offset + got < opened_.size)) {
      note_read(offset);
    }
    return got;
  }

  size_t Write(const void* buffer, size_t size, size_t count) override {
    errno = 0;
    const size_t put = write_failed_ ? 0 : file_->Write(buffer, size, count);
    if (put != count) {
      note_write(errno);
    }
    return put;
  }
  int Flush() override { return checked(&VSIVirtualHandle::Flush); }
  int Truncate(vsi_l_offset size) override { return checked(&VSIVirtualHandle::Truncate, size); }
  int Close() override { return checked(&VSIVirtualHandle::Close); }
  int Eof() override { return file_->Eof(); }
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 10, 0)
  int Error() override { return write_failed_ ? 1 : file_->Error(); }
  void ClearErr() override { file_->ClearErr(); }
#endif
  void* GetNativeFileDescriptor() override { return file_->GetNativeFileDescriptor(); }
  VSIRangeStatus GetRangeStatus(vsi_l_offset offset, vsi_l_offset length) override {
    return file_->GetRangeStatus(offset, length);
  }

 private:
  // What was lost is missing between what was written before and after: whoever reads the file then, as libtiff does to
  // complete it, may follow a chain of zeros without end. Nothing can be read or written any more.
  void note_write(int reason) {
    note(path_, "writing", reason);
    write_failed_ = true;
  }
  void note_read(vsi_l_offset offset) const { note(path_, "reading byte " + std::to_string(offset) + " of", 0); }

  template <typename... Values>
  int checked(int (VSIVirtualHandle::*operation)(Values...), Values... values) {
    errno = 0;
    const int result = (file_.get()->*operation)(values...);
    if (result != 0 && opened_.written) {
      note_write(errno);
    }
    return result;
  }

  std::string path_;
  std::unique_ptr<VSIVirtualHandle> file_;
  OpenedAs opened_;
  bool write_failed_ = false;
};

class CheckedFiles final : public VSIFilesystemHandler {
 public:
  explicit CheckedFiles(VSIFilesystemHandler* files) : files_(files) {}

  VSIVirtualHandle* Open(const char* path, const char* access, bool set_error, CSLConstList options) override {
    errno = 0;
    std::unique_ptr<VSIVirtualHandle> file(files_->Open(path, access, set_error, options));
    const int reason = errno;
    if (file == nullptr) {
      if (!is_answer(reason)) {
        note(path, "opening", reason);
      }
      errno = reason;
      return nullptr;
    }
    OpenedAs opened;
    opened.written = std::strpbrk(access, "wa+") != nullptr;
    VSIStatBufL status;
    if (!opened.written && Stat(path, &status, VSI_STAT_SIZE_FLAG | VSI_STAT_NATURE_FLAG) == 0) {
      if (VSI_ISDIR(status.st_mode)) {
        return file.release();  // drivers try to read every folder that they are given
      }
      opened.size = VSI_ISREG(status.st_mode) ? static_cast<vsi_l_offset>(status.st_size) : 0;
    }
    return new CheckedHandle(path, std::move(file), opened);
  }

  int Stat(const char* path, VSIStatBufL* status, int flags) override {
    return checked("looking at", &VSIFilesystemHandler::Stat, path, status, flags);
  }
  int Unlink(const char* path) override { return checked("removing", &VSIFilesystemHandler::Unlink, path); }
  char** ReadDirEx(const char* path, int most) override;

  int Mkdir(const char* path, long mode) override { return files_->Mkdir(path, mode); }
  int Rmdir(const char* path) override { return files_->Rmdir(path); }
  int Rename(const char* from, const char* to) override { return files_->Rename(from, to); }
  VSIDIR* OpenDir(const char* path, int depth, const char* const* options) override {
    return files_->OpenDir(path, depth, options);
  }
  int IsCaseSensitive(const char* path) override { return files_->IsCaseSensitive(path); }
  GIntBig GetDiskFreeSpace(const char* path) override { return files_->GetDiskFreeSpace(path); }
  int SupportsSparseFiles(const char* path) override { return files_->SupportsSparseFiles(path); }
  bool IsLocal(const char* path) override { return files_->IsLocal(path); }

 private:
  template <typename... Values>
  int checked(const char* name, int (VSIFilesystemHandler::*operation)(const char*, Values...), const char* path,
              Values... values) {
    errno = 0;
    const int result = (files_.get()->*operation)(path, values...);
    const int reason = errno;
    if (result != 0 && !is_answer(reason)) {
      note(path, name, reason);
    }
    errno = reason;
    return result;
  }

  std::unique_ptr<VSIFilesystemHandler> files_;
};

// GDAL's own function does not distinguish the end of a folder from a failure.
char** CheckedFiles::ReadDirEx(const char* path, int most) {
  const std::string folder_path = *path == '\0' ? "." : path;
  errno = 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(folder_path.c_str()), closedir);
  CPLStringList names;
  if (folder != nullptr) {
    names.Assign(static_cast<char**>(CPLCalloc(1, sizeof(char*))));  // an empty folder has a list
    while (const dirent* entry = readdir(folder.get())) {
      names.AddString(entry->d_name);
      if (most > 0 && names.size() > most) {
        break;
      }
      errno = 0;
    }
  }
  if (errno != 0 && !is_answer(errno)) {
    note(folder_path, "listing", errno);
  }
  return names.StealList();
}

// Puts the layer in place for the whole process.
void install_checked_files() { VSIFileManager::InstallHandler("", new CheckedFiles(VSIFileManager::GetHandler(""))); }

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

// Lets check_memory() know when SQLite gets no memory. GDAL and PROJ, which keep reference systems and GeoPackages in
// it, pass over that in places. To be called before anything uses SQLite; later it has no effect.
void watch_sqlite_memory() {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &own_methods) != SQLITE_OK || own_methods.xMalloc == nullptr ||
      own_methods.xMalloc == allocate) {
    return;
  }
  sqlite3_mem_methods watched = own_methods;
  watched.xMalloc = allocate;
  watched.xRealloc = reallocate;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
}

// GDAL and PROJ that are inside this library have their data beside it, whatever the environment names for others.
void use_own_data() {
  Dl_info library;
  if (!has_own_data() || dladdr(reinterpret_cast<const void*>(&initialise_gdal), &library) == 0) {
    return;
  }
  const std::filesystem::path data = std::filesystem::absolute(library.dli_fname).parent_path() / PARSIMAP_DATA_FOLDER;
  CPLSetConfigOption("GDAL_DATA", (data / "gdal").c_str());
  CPLSetConfigOption("GDAL_DRIVER_PATH", "disable");
  OSRSetPROJSearchPaths(CPLStringList().AddString((data / "proj").c_str()));
}

}  // namespace

bool has_own_data() { return *PARSIMAP_DATA_FOLDER != '\0'; }

std::string ignored_environment(bool own_data) {
  std::string text;
  for (const std::string name : {"GDAL_DATA", "GDAL_DRIVER_PATH", "PROJ_DATA", "PROJ_LIB"}) {
    if (own_data && std::getenv(name.c_str()) != nullptr) {
      text += (text.empty() ? "this program has GDAL and PROJ inside and ignores the environment's " : ", ") + name;
    }
  }
  return text;
}

void initialise_gdal() {
  static std::once_flag done;
  std::call_once(done, [] {
    watch_sqlite_memory();
    install_checked_files();
    use_own_data();
    // HDF5 complains at the end of the program about files that it could not read. Nothing is left to be closed then,
    // and it only listens before it is used for the first time.
    H5dont_atexit();
    // Every command needs these drivers, also where the environment leaves them out.
    for (const char* const key : {"GDAL_SKIP", "OGR_SKIP"}) {
      if (const char* const left_out = CPLGetConfigOption(key, nullptr)) {
        const std::regex needed("\\b(GTiff|MEM|Memory|VRT)\\b", std::regex::icase);
        CPLSetConfigOption(key, std::regex_replace(left_out, needed, "").c_str());
      }
    }
    GDALAllRegister();
    // Set by environments for reading from the web, it hides the side files of local rasters, such as headers of ENVI.
    if (EQUAL(CPLGetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", ""), "EMPTY_DIR")) {
      CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "TRUE");
    }
    // GDAL would write a file with the size of the content beside every .gz that it reads.
    CPLSetConfigOption("CPL_VSIL_GZIP_WRITE_PROPERTIES", "NO");
    // Servers of tiles switch side files off, in which maps have names of classes, and some formats their place.
    CPLSetConfigOption("GDAL_PAM_ENABLED", "YES");
    // Without PAM among its sources of georeferencing, GDAL reads none of the side files of GeoTIFF.
    if (const std::string sources = CPLGetConfigOption("GDAL_GEOREF_SOURCES", ""); !sources.empty()) {
      set_gdal_option("GDAL_GEOREF_SOURCES", sources);
    }
    CPLSetErrorHandler(CPLQuietErrorHandler);
  });
}

void set_gdal_option(const std::string& key, const std::string& value) {
  if (EQUAL(key.c_str(), "GDAL_PAM_ENABLED") && !CPLTestBool(value.c_str())) {
    throw ConfigError(key + "=" + value + " would take the names of the classes from maps; leave it out");
  }
  const bool places = EQUAL(key.c_str(), "GDAL_GEOREF_SOURCES") && CPLString(value).ifind("PAM") == std::string::npos;
  CPLSetConfigOption(key.c_str(), (value + (places ? ",PAM" : "")).c_str());
}

void remove_from_memory(const std::string& folder) { VSIRmdirRecursive(folder.c_str()); }

void set_gdal_cache(std::int64_t bytes) { GDALSetCacheMax64(bytes); }

static bool has_nature(const std::string& path, int nature) {
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         (status.st_mode & S_IFMT) == static_cast<unsigned>(nature);
}

bool exists(const std::string& path) {
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG) == 0;
}

bool is_folder(const std::string& path) { return has_nature(path, S_IFDIR); }
bool is_file(const std::string& path) { return has_nature(path, S_IFREG); }

std::string whole_file(const std::string& path, std::int64_t most) {
  const ErrorCollector errors;
  GByte* content = nullptr;
  vsi_l_offset size = 0;
  const bool read = VSIIngestFile(nullptr, path.c_str(), &content, &size, most) != 0;
  const std::unique_ptr<GByte, decltype(&VSIFree)> owner(content, VSIFree);
  if (!read || errors.file_failed()) {
    throw IoError(path + " cannot be read: " + errors.text());
  }
  return {reinterpret_cast<const char*>(content), static_cast<std::size_t>(size)};
}

std::vector<const CPLXMLNode*> elements_in(const CPLXMLNode* node, const char* name) {
  std::vector<const CPLXMLNode*> found;
  for (const CPLXMLNode* child = node == nullptr ? nullptr : node->psChild; child != nullptr; child = child->psNext) {
    if (child->eType == CXT_Element && (name == nullptr || EQUAL(child->pszValue, name))) {
      found.push_back(child);
    }
  }
  return found;
}

FileKind file_kind(const std::string& path) {
  if (!special_file(path).empty()) {
    return FileKind::unknown;
  }
  initialise_gdal();
  // GDAL tries its drivers one by one; messages of those that do not recognise the file mean nothing.
  const ErrorCollector ignored;
  const DatasetPtr dataset(GDALDataset::Open(
      resolved_source(path).c_str(), GDAL_OF_RASTER | GDAL_OF_VECTOR | GDAL_OF_READONLY, nullptr, kOpenOptions));
  if (dataset == nullptr) {
    return FileKind::unknown;
  }
  // A container of several rasters has no bands of its own, but lists its subdatasets.
  if (dataset->GetRasterCount() > 0 || dataset->GetMetadata("SUBDATASETS") != nullptr) {
    return FileKind::raster;
  }
  return dataset->GetLayerCount() > 0 ? FileKind::vector : FileKind::unknown;
}

constexpr std::size_t kMostFiles = 16;
constexpr vsi_l_offset kSample = 1U << 16U;  // bytes

// Adds the size and three samples of a file. Folders and connections have no bytes of their own, and count by their
// name.
static void add_file(const std::string& path, Sha256& sum) {
  const ErrorCollector errors;
  VSIStatBufL status;
  if (VSIStatL(path.c_str(), &status) != 0 || VSI_ISDIR(status.st_mode)) {
    sum.update(path + ":");
    return;
  }
  const auto size = static_cast<vsi_l_offset>(status.st_size);
  sum.update(std::to_string(size) + ":");
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(path.c_str(), "rb"), VSIFCloseL);
  // Samples from the beginning, the middle and the end. Scenes have many gigabytes: reading them completely would take
  // longer than some commands. A changed file nearly always differs in its size or in one of the samples.
  const vsi_l_offset length = std::min(size, kSample);
  std::string bytes(length, '\0');
  bool read = file != nullptr;
  for (const vsi_l_offset start : {vsi_l_offset{0}, (size - length) / 2, size - length}) {
    read =
        read && VSIFSeekL(file.get(), start, SEEK_SET) == 0 && VSIFReadL(bytes.data(), 1, length, file.get()) == length;
    sum.update(bytes);
  }
  if (!read) {
    throw IoError(path + " cannot be read");
  }
  errors.check_files(path + " cannot be read:");
}

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
  return {std::filesystem::file_size(file, failure), std::filesystem::last_write_time(file, failure)};
}

void FileStamps::check_unchanged() const {
  for (const auto& [file, stamp] : stamps_) {
    if (stamp_of(file) != stamp) {
      throw IoError(file + " changed while it was read; what was read may be a mixture of two versions of it");
    }
  }
}

}  // namespace parsimap
