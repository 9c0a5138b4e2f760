// As many values as one register of the processor holds.
#pragma once

#include <cstdint>
#include <cstring>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Wider vectors than the processor's would go through memory at every step.
#if defined(__AVX512F__)
constexpr int kPackBytes = 64;
#elif defined(__AVX__)
constexpr int kPackBytes = 32;
#else
constexpr int kPackBytes = 16;
#endif

template <typename Scalar>
struct PackOf;
template <>
struct PackOf<float> {
  using Type = float __attribute__((vector_size(kPackBytes)));
  using Bits = std::uint32_t __attribute__((vector_size(kPackBytes)));
};
template <>
struct PackOf<double> {
  using Type = double __attribute__((vector_size(kPackBytes)));
};
template <typename Scalar>
using Pack = typename PackOf<Scalar>::Type;

// Values in a pack.
template <typename Scalar>
constexpr Index kPack = kPackBytes / static_cast<Index>(sizeof(Scalar));

template <typename Scalar>
Pack<Scalar> load_pack(const Scalar* values) {
  Pack<Scalar> pack;
  std::memcpy(&pack, values, sizeof pack);
  return pack;
}

template <typename Scalar>
void store_pack(const Pack<Scalar>& pack, Scalar* values) {
  std::memcpy(values, &pack, sizeof pack);
}

}  // namespace parsimap
