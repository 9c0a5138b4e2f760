#include "parsimap/core/sha256.hpp"

#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap {

struct Sha256::State {
  sha256_ctx context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { sha256_init(&state_->context); }
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  sha256_update(&state_->context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::digits() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&state_->context, digest.size(), digest.data());
  std::string text(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(text.data(), digest.size(), digest.data());
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
