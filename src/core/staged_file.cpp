#include "parsimap/core/staged_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

std::string system_message(int code) { return std::generic_category().message(code); }

fs::path folder_of(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

void refuse_existing(const std::string& target, bool overwrite) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target, ignored);
  // Renaming onto a device or a folder would destroy it or fail after the work is done.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw ConfigError("output file '" + target + "' is not a regular file; name a file that can be replaced");
  }
  if (fs::exists(status) && !overwrite) {
    throw ConfigError("output file '" + target + "' exists; use --overwrite to replace it");
  }
}

// Creates an empty file that did not exist before, beside the target.
std::string create_temporary(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  while (true) {
    std::string name = target + ".part-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
    const int handle = open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (handle >= 0) {
      close(handle);
      return name;
    }
    if (errno != EEXIST) {
      throw IoError("output file '" + target + "' cannot be created: " + system_message(errno));
    }
  }
}

}  // namespace

void check_target(const std::string& target, bool overwrite) {
  const fs::path folder = folder_of(target);
  std::error_code ignored;
  if (target.empty() || !fs::path(target).has_filename()) {
    throw ConfigError("output file '" + target + "' names no file");
  }
  if (!fs::is_directory(folder, ignored)) {
    throw ConfigError("output file '" + target + "' cannot be written: folder '" + folder.string() +
                      "' does not exist");
  }
  refuse_existing(target, overwrite);
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw ConfigError("output file '" + target + "' cannot be written: folder '" + folder.string() +
                      "' is not writable: " + system_message(errno));
  }
}

// A file buffer that remembers the system's reason for its first failure, which the stream's state does not carry.
class StagedFile::Buffer final : public std::filebuf {
 public:
  [[nodiscard]] int failure() const { return failure_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    errno = 0;
    const std::streamsize written = std::filebuf::xsputn(text, count);
    remember(written != count);
    return written;
  }
  int_type overflow(int_type character) override {
    errno = 0;
    const int_type result = std::filebuf::overflow(character);
    remember(traits_type::eq_int_type(result, traits_type::eof()));
    return result;
  }
  int sync() override {
    errno = 0;
    const int result = std::filebuf::sync();
    remember(result != 0);
    return result;
  }

 private:
  void remember(bool failed) {
    if (failed && failure_ == 0) {
      failure_ = errno != 0 ? errno : EIO;
    }
  }

  int failure_ = 0;
};

StagedFile::StagedFile(std::string target, bool overwrite)
    : target_(std::move(target)), overwrite_(overwrite), buffer_(std::make_unique<Buffer>()) {
  check_target(target_, overwrite_);
  temporary_ = create_temporary(target_);
  if (buffer_->open(temporary_, std::ios::out | std::ios::binary | std::ios::trunc) == nullptr) {
    const int reason = errno;
    unlink(temporary_.c_str());
    throw IoError("output file '" + target_ + "' cannot be created: " + system_message(reason));
  }
  stream_ = std::make_unique<std::ostream>(buffer_.get());
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) {
    buffer_->close();
    unlink(temporary_.c_str());
  }
}

std::ostream& StagedFile::stream() { return *stream_; }

void StagedFile::commit() {
  stream_->flush();
  errno = 0;
  const bool closed = buffer_->close() != nullptr;
  if (!*stream_ || !closed) {
    const int reason = buffer_->failure() != 0 ? buffer_->failure() : (errno != 0 ? errno : EIO);
    throw IoError("output file '" + target_ + "' cannot be written: " + system_message(reason));
  }
  refuse_existing(target_, overwrite_);
  std::error_code failure;
  fs::rename(temporary_, target_, failure);
  if (failure) {
    throw IoError("output file '" + target_ + "' cannot be put in place: " + failure.message());
  }
  temporary_.clear();
}

}  // namespace parsimap
