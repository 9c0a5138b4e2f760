// SHA-256 checksums (FIPS 180-4), by which a reader can tell whether a file is the one that was used: they are those
// that `sha256sum` prints.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace parsimap {

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
