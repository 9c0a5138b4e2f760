#include "parsimap/core/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kBlock = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t mixed(std::uint32_t x, int a, int b, int c) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}

std::array<std::uint32_t, 64> schedule(const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      w[t] = w[t] << 8U | block[4 * t + byte];
    }
  }
  for (std::size_t t = 16; t < w.size(); ++t) {
    const std::uint32_t early = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3U;
    const std::uint32_t late = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10U;
    w[t] = late + w[t - 7] + early + w[t - 16];
  }
  return w;
}

}  // namespace

void Sha256::add_block(const unsigned char* block) {
  const std::array<std::uint32_t, 64> w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const std::uint32_t first = h + mixed(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
    const std::uint32_t second = mixed(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> sums = {a, b, c, d, e, f, g, h};
  std::transform(state_.begin(), state_.end(), sums.begin(), state_.begin(), std::plus<>());
}

void Sha256::update(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t held = length_ % kBlock;
    const std::size_t count = std::min(kBlock - held, bytes.size());
    std::memcpy(rest_.data() + held, bytes.data(), count);
    length_ += count;
    bytes.remove_prefix(count);
    if (held + count == kBlock) {
      add_block(rest_.data());
    }
  }
}

std::string Sha256::digits() {
  const std::uint64_t bits = 8 * length_;
  const std::size_t held = length_ % kBlock;
  std::string end((held < 56 ? 56 : 120) - held, '\0');  // to eight bytes before the end of a block
  end[0] = static_cast<char>(0x80);
  for (unsigned byte = 0; byte < 8; ++byte) {
    end += static_cast<char>(bits >> (56U - 8U * byte) & 0xffU);
  }
  update(end);
  std::string text;
  for (const std::uint32_t word : state_) {
    std::array<char, 9> part{};
    std::snprintf(part.data(), part.size(), "%08x", static_cast<unsigned>(word));
    text += part.data();
  }
  return text;
}

std::string sha256_of_file(const std::string& path) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 18U;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  std::vector<char> bytes(kAtOnce);
  Sha256 sum;
  std::size_t count = 0;
  while (file != nullptr && (count = std::fread(bytes.data(), 1, bytes.size(), file.get())) > 0) {
    sum.update({bytes.data(), count});
  }
  if (file == nullptr || std::ferror(file.get()) != 0) {
    throw IoError(path + " cannot be read for its checksum: " + std::strerror(errno));
  }
  return sum.digits();
}

}  // namespace parsimap
