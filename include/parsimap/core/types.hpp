// Index and matrix aliases shared by every folder.
//
// Convention: rows are samples (pixels), columns are bands, unless a header says otherwise.
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

// Memory that the library allocates may be freed by the program that uses it, and the other way round, so both must
// have the same rule of how Eigen aligns it. It is part of the options that come with the library.
#if EIGEN_MAX_ALIGN_BYTES != 64 || EIGEN_MAX_STATIC_ALIGN_BYTES != 64
#error "Compile with the options of the CMake target parsimap::parsimap, or with those of pkg-config --cflags parsimap."
#endif

namespace parsimap {

using Index = Eigen::Index;
using Indices = std::vector<Index>;

// Column-major, double precision: what the mathematics computes with.
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Numbers of pixels, as of a confusion matrix.
using CountMatrix = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic>;

// Spectra as they are read, pixels x bands, single precision and row-major: the values of one pixel lie next to each
// other, which GDAL calls band interleaved by pixel (BIP).
using Spectra = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Column-major, single precision: what the fast decision function computes with.
using MatrixF = Eigen::MatrixXf;
using VectorF = Eigen::VectorXf;

// What `make` makes of each item of a list, in their order.
template <typename Value, typename List, typename Make>
std::vector<Value> mapped(List&& list, const Make& make) {
  std::vector<Value> values;
  for (auto&& item : list) {
    values.push_back(std::invoke(make, item));
  }
  return values;
}

// The entries of `values` at some indices, in their order.
template <typename Value>
std::vector<Value> values_at(const std::vector<Value>& values, const Indices& indices) {
  return mapped<Value>(indices, [&](Index i) { return values[static_cast<std::size_t>(i)]; });
}

// The items of a list for which holds(item), in their order.
template <typename Value, typename Holds>
std::vector<Value> filtered(const std::vector<Value>& list, const Holds& holds) {
  std::vector<Value> found;
  std::copy_if(list.begin(), list.end(), std::back_inserter(found), holds);
  return found;
}

// Puts the items of another list behind those of a list.
template <typename Value, typename List>
void add_all(std::vector<Value>& list, const List& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// Puts an item behind those of a list that does not have it.
template <typename Value>
void add_new(std::vector<Value>& list, const Value& item) {
  if (std::ranges::find(list, item) == list.end()) {
    list.push_back(item);
  }
}

// The different ones of some values, ascending.
template <typename Value>
std::vector<Value> distinct(std::vector<Value> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// The sum of what `value_of` says of each item of a list, in their order.
template <typename List, typename ValueOf>
auto total(const List& list, const ValueOf& value_of) {
  std::decay_t<std::invoke_result_t<ValueOf, decltype(*std::begin(list))>> sum{};
  for (const auto& item : list) {
    sum += std::invoke(value_of, item);
  }
  return sum;
}

// The largest of what `value_of` says of the items of a list, and `least` at least.
template <typename Value, typename List, typename ValueOf>
Value largest(const List& list, const ValueOf& value_of, Value least = 0) {
  for (const auto& item : list) {
    least = std::max<Value>(least, std::invoke(value_of, item));
  }
  return least;
}

// `count` indices, from `first` on.
inline Indices consecutive(Index count, Index first = 0) {
  Indices indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

// The indices below `count` for which holds(index), ascending.
template <typename Count, typename Holds>
Indices indices_where(Count count, const Holds& holds) {
  Indices found;
  for (Count i = 0; i < count; ++i) {
    if (holds(i)) {
      found.push_back(static_cast<Index>(i));
    }
  }
  return found;
}

}  // namespace parsimap
