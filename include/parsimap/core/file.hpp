// Files of the operating system: open ones, their whole content, and their checksums.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace parsimap {

// An open file of the operating system.

// Owns the number of an open file, and closes it at the end. A negative number stands for none.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor() {
    if (is_open()) {
      ::close(number_);
    }
  }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  // Closes the file now; false, with the reason in errno, when what was written has not arrived.
  [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// Appends all that is left of an open file to the text, but stops where that has more than `largest` bytes. False, with
// the reason in errno, where it cannot be read.
bool read_all(int file, std::string& text, std::uintmax_t largest = UINTMAX_MAX);
// Writes the whole text to an open file. False, with the reason in errno, where that fails.
bool write_all(int file, std::string_view text);

// What is at a path, found without an error where nothing is or it cannot be examined.
bool is_plain_file(const std::string& path);
bool is_directory(const std::string& path);
std::optional<std::int64_t> bytes_of_file(const std::string& path);

// Text files as they are read whole: configurations, tables, colours.

// What is at `path` where it is neither a regular file nor a folder: "a named pipe", "a device" or "a socket". Empty
// otherwise, and where there is nothing. Reading such a thing may wait for ever, or never come to an end.
std::string special_file(const std::string& path);

// DataError "<path> is a named pipe; ..." for a special file. For inputs that another library opens: names that are no
// files, as its connection strings, pass.
void refuse_special_file(const std::string& path);

// The largest file that is taken for a configuration: experiments, simulations, options and colours.
inline constexpr std::uintmax_t kLargestConfiguration = std::uintmax_t{64} << 20U;

// The bytes of a regular file. DataError, which begins with `path`: it is none, cannot be read (with the system's
// reason), or has more than `largest` bytes.
std::string read_text_file(const std::string& path, std::uintmax_t largest = UINTMAX_MAX);

// SHA-256 checksums (FIPS 180-4), by which a reader can tell whether a file is the one that was used: they are those
// that `sha256sum` prints.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  // 64 hexadecimal digits of all bytes so far. The next update() begins another sum.
  std::string digits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Of a regular file, in memory that does not grow with it. IoError when it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace parsimap
