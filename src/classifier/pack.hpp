// As many values as one register of the processor holds, and powers of 2 of them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <numbers>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The vectors of Eigen, whose width is that of the processor: wider ones would go through memory at every step.
template <typename Scalar>
using EigenPack = typename Eigen::internal::packet_traits<Scalar>::type;
constexpr int kPackBytes = sizeof(EigenPack<float>);

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

template <typename Scalar>
Pack<Scalar> filled_pack(Scalar value) {
  return Eigen::internal::pset1<EigenPack<Scalar>>(value);
}

// factor * other + sum in one operation where the processor has it, which is a fifth of the time of a map by all
// support spectra: the compiler is not to join operations by itself (src/CMakeLists.txt).
template <typename Scalar>
Pack<Scalar> multiply_add(const Pack<Scalar>& factor, const Pack<Scalar>& other, const Pack<Scalar>& sum) {
  return Eigen::internal::pmadd<EigenPack<Scalar>>(factor, other, sum);
}

// x <- 2^min(x, 0) - shift for a shift of 0 or 1. With shift 1 small |x| keep their relative accuracy, as in expm1:
// coefficients of a wide kernel are large and sum to zero, so that only the differences of kernel values from 1 carry
// information. Relative error of either form below 2e-7.
inline void shifted_power(Pack<float>& x, float shift) {
  using Bits = PackOf<float>::Bits;
  constexpr float kLowest = -126.0F;     // the power stays a normal number
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: its sum with x has x, rounded, in the lowest bits
  constexpr std::uint32_t kOne = 0x3F800000;
  constexpr int kExponent = 23;
  // 2^x = 2^n 2^r with n the whole number nearest to x and |r| <= 1/2. Adding 1.5 * 2^23 leaves no bits for fractions,
  // so that n is in the lowest bits of the sum. Moved into the place of the exponent and added to that of 1.0, they are
  // the number 2^n.
  // Where x is NaN, the first argument is taken.
  x = Eigen::internal::pmax<EigenPack<float>>(filled_pack(kLowest),
                                              Eigen::internal::pmin<EigenPack<float>>(Pack<float>{}, x));
  const Pack<float> rounded = x + kRound;
  const Pack<float> r = x - (rounded - kRound);
  // The polynomial of (2^r - 1) / r on |r| <= 1/2 of the Cephes library.
  Pack<float> slope = filled_pack(1.535336188319500e-4F);
  for (const float coefficient : {1.339887440266574e-3F, 9.618437357674640e-3F, 5.550332471162809e-2F,
                                  2.402264791363012e-1F, 6.931472028550421e-1F}) {
    slope = multiply_add<float>(slope, r, filled_pack(coefficient));
  }
  const auto power = std::bit_cast<Pack<float>>((std::bit_cast<Bits>(rounded) << kExponent) + kOne);
  // 2^x - shift = 2^n (2^r - 1) + (2^n - shift). For n = 0 and shift 1 the second term is exactly 0, so that no digits
  // are lost near x = 0.
  x = multiply_add<float>(power, r * slope, power - shift);
}

inline void shifted_power(Pack<double>& x, double shift) {
  Eigen::Array<double, kPack<double>, 1> power;
  store_pack<double>(x, power.data());
  power = (power.min(0.0) * std::numbers::ln2).exp() - shift;
  x = load_pack(power.data());
}

}  // namespace parsimap
