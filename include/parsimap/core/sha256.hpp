// SHA-256 checksums (FIPS 180-4), by which a reader can tell whether a file is the one that was used: they are those
// that `sha256sum` prints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parsimap {

class Sha256 {
 public:
  void update(std::string_view bytes);
  // 64 hexadecimal digits. To be called once, after the last update().
  std::string digits();

 private:
  void add_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_{};  // bytes that do not fill a block yet
  std::uint64_t length_ = 0;              // bytes so far
};

// Of a regular file, in memory that does not grow with it. IoError when it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace parsimap
