// Arrays in CBOR documents, and reading of documents that checks everything it finds.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The map {shape: [rows, columns], data: byte string} of little-endian float64, or int64, in row-major order.
nlohmann::json array_document(const Eigen::Ref<const Matrix>& matrix);
nlohmann::json count_document(const CountMatrix& counts);
nlohmann::json array_document(const Indices& indices);

// A value of a document and where it is, as in "/machines/0/C". Every access throws a DataError that names the place
// when the value is not what is asked for.
class CborNode {
 public:
  // The document outlives the node.
  CborNode(const nlohmann::json& value, std::string path) : value_(value), path_(std::move(path)) {}

  // Of a map.
  [[nodiscard]] CborNode operator[](const std::string& key) const;
  // Of a list, of any length or of `count`.
  [[nodiscard]] std::vector<CborNode> items() const;
  [[nodiscard]] std::vector<CborNode> items(std::size_t count) const;
  [[nodiscard]] bool is_null() const { return value_.is_null(); }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::uint64_t unsigned_integer() const;
  // In [0, largest].
  [[nodiscard]] std::int64_t integer(std::int64_t largest = std::numeric_limits<std::int64_t>::max()) const;
  // The arrays of array_document(); a vector and indices have one column.
  [[nodiscard]] Matrix matrix() const;
  [[nodiscard]] Vector vector() const;
  [[nodiscard]] Indices indices() const;
  [[nodiscard]] CountMatrix counts() const;

 private:
  struct Array {
    Index rows;
    Index columns;
    const std::uint8_t* bytes;
  };

  void require(bool holds, const std::string& wanted) const;
  [[nodiscard]] Array array(std::size_t element) const;

  const nlohmann::json& value_;
  std::string path_;
};

}  // namespace parsimap
