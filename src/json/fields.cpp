#include "fields.hpp"

#include <boost/endian/conversion.hpp>

#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {

namespace {

template <typename Value>
Json array_document(Index rows, Index columns, const Value& value) {
  using Element = decltype(value(Index{0}, Index{0}));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(rows * columns) * sizeof(Element));
  std::uint8_t* target = bytes.data();
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c, target += sizeof(Element)) {
      boost::endian::endian_store<Element, sizeof(Element), boost::endian::order::little>(target, value(r, c));
    }
  }
  return {{"shape", {rows, columns}}, {"data", Json::binary(std::move(bytes))}};
}

}  // namespace

Json array_document(const Eigen::Ref<const Matrix>& matrix) {
  return array_document(matrix.rows(), matrix.cols(), [&](Index r, Index c) -> double { return matrix(r, c); });
}

Json array_document(const Eigen::Ref<const CountMatrix>& counts) {
  return array_document(counts.rows(), counts.cols(), [&](Index r, Index c) -> std::int64_t { return counts(r, c); });
}

Json array_document(const Indices& indices) {
  return array_document(static_cast<Index>(indices.size()), 1,
                        [&](Index r, Index) -> std::int64_t { return indices[static_cast<std::size_t>(r)]; });
}

Node Node::operator[](const std::string& key) const {
  require(value_.is_object(), "a map");
  const auto found = value_.find(key);
  if (found == value_.end()) {
    throw DataError(path_ + "/" + key + " is missing");
  }
  return Node(*found, path_ + "/" + key);
}

std::vector<Node> Node::items() const {
  require(value_.is_array(), "a list");
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < value_.size(); ++i) {
    nodes.emplace_back(value_[i], path_ + "/" + std::to_string(i));
  }
  return nodes;
}

std::vector<Node> Node::items(std::size_t count) const {
  require(value_.is_array() && value_.size() == count, "a list of length " + std::to_string(count));
  return items();
}

std::string Node::text() const {
  require(value_.is_string(), "text");
  return value_.get<std::string>();
}

bool Node::truth() const {
  require(value_.is_boolean(), "true or false");
  return value_.get<bool>();
}

double Node::number() const {
  require(value_.is_number(), "a number");
  return value_.get<double>();
}

std::uint64_t Node::unsigned_integer() const {
  require(value_.is_number_unsigned(), "a whole number that is not negative");
  return value_.get<std::uint64_t>();
}

std::int64_t Node::integer(std::int64_t largest) const {
  const bool fits = value_.is_number_unsigned() && value_.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest);
  require(fits, "a whole number from 0 to " + std::to_string(largest));
  return value_.get<std::int64_t>();
}

Matrix Node::matrix() const {
  const auto [rows, columns, bytes] = array(sizeof(double));
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) {
    matrix(i / columns, i % columns) =
        boost::endian::endian_load<double, sizeof(double), boost::endian::order::little>(bytes + 8 * i);
  }
  return matrix;
}

Vector Node::vector() const {
  const Matrix values = matrix();
  require(values.cols() == 1, "an array of one column");
  return values;
}

Indices Node::indices() const {
  const auto [rows, columns, bytes] = array(sizeof(std::int64_t));
  require(columns == 1, "an array of one column");
  Indices indices;
  for (Index i = 0; i < rows; ++i) {
    indices.push_back(boost::endian::load_little_s64(bytes + 8 * i));
  }
  return indices;
}

CountMatrix Node::counts() const {
  const auto [rows, columns, bytes] = array(sizeof(std::int64_t));
  CountMatrix counts(rows, columns);
  for (Index i = 0; i < counts.size(); ++i) {
    counts(i / columns, i % columns) = boost::endian::load_little_s64(bytes + 8 * i);
  }
  return counts;
}

void Node::require(bool holds, const std::string& wanted) const {
  if (!holds) {
    throw DataError((path_.empty() ? "the document" : path_) + " must be " + wanted);
  }
}

// The shape is believed only when it is exactly that of the bytes that are there.
Node::Array Node::array(std::size_t element) const {
  const std::vector<Node> shape = (*this)["shape"].items(2);
  const Index rows = shape[0].integer();
  const Index columns = shape[1].integer();
  const Node data = (*this)["data"];
  data.require(data.value_.is_binary(), "a byte string");
  const auto& bytes = data.value_.get_binary();
  const auto count = static_cast<Index>(bytes.size() / element);
  const bool fits = bytes.size() % element == 0 &&
                    (rows == 0 || columns == 0 ? count == 0 : count % rows == 0 && count / rows == columns);
  data.require(fits, "as long as its shape " + std::to_string(rows) + " x " + std::to_string(columns) + " asks");
  return {rows, columns, bytes.data()};
}

}  // namespace parsimap
