// Documents of nlohmann's library: parsed text, its values with their places, and what lists of fields (record_fields)
// write and read. Documents keep the order of their keys.
#pragma once

#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/record_fields.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/expected_accuracy.hpp"

namespace parsimap {

using Json = nlohmann::ordered_json;

// ConfigError "not valid JSON: ..." with the line and column; also as check_json_form().
Json parse_json(const std::string& text);

// The text of a document, indented, with a newline at its end; otherwise as line_of().
std::string text_of(const Json& json);

// How documents write what JSON has no word for.
enum class Form {
  record,  // every field is there; it is null where it is unset or not finite, and null reads as unset or NaN
  spec,    // fields that are unset are absent, and fields that are absent keep their defaults
  cbor  // as record, but numbers that are not finite stay, arrays are byte strings as in array_document(), and fields
        // that may be unset are so where they are absent
};

// The map {shape: [rows, columns], data: byte string} of little-endian float64, or int64, in row-major order.
Json array_document(const Eigen::Ref<const Matrix>& matrix);
Json array_document(const Eigen::Ref<const CountMatrix>& counts);
Json array_document(const Indices& indices);

// A value of a document and its place, as in "/machines/0/C". Every access throws a DataError that names the place when
// the value is not what is asked for.
class Node {
 public:
  // The document outlives the node.
  explicit Node(const Json& value, std::string path = "") : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Json& json() const { return *value_; }
  [[nodiscard]] bool has(const std::string& key) const { return value_->contains(key); }
  // Of a map.
  [[nodiscard]] Node operator[](const std::string& key) const;
  // Of a list, of any length or of `count`.
  [[nodiscard]] std::vector<Node> items() const;
  [[nodiscard]] std::vector<Node> items(std::size_t count) const;
  void require_map() const { require(value_->is_object(), "a map"); }
  [[nodiscard]] bool is_null() const { return value_->is_null(); }
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
  void require(bool holds, const std::string& wanted) const;
  // Of numbers that are stored as `Element`.
  template <typename Element>
  [[nodiscard]] Eigen::MatrixX<Element> array() const;

  const Json* value_;
  std::string path_;
};

// Enumerations of documents have such a function, which throws a ConfigError that lists the names.
inline void parse(const std::string& text, KernelFamily& family) { family = parse_kernel_family(text); }
inline void parse(const std::string& text, ScalingRule& rule) { rule = parse_scaling_rule(text); }
inline void parse(const std::string& text, SharesProblem& problem) { problem = parse_shares_problem(text); }
inline void parse(const std::string& text, ClassWeights& weights) { weights = parse_class_weights(text); }

// What a list of fields, or a value, writes.
Json written_fields(const FieldList& list, Form form);
Json written_value(const FieldList& value, Form form);
// Calls a list of fields, or a value, with what the node has.
void read_fields(const Node& node, Form form, const FieldList& list, const ReadRules& rules = {});
void read_value(const Node& node, Form form, const FieldList& value, const ReadRules& rules = {});

// A struct with a list, or any value that lists name.
template <typename Value>
Json document_of(const Value& value, Form form) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): writing alters nothing
  return written_value([&](Fields& field) { field.value(const_cast<Value&>(value)); }, form);
}
template <typename Value>
Value value_of(const Node& node, Form form) {
  Value value{};
  read_value(node, form, [&](Fields& field) { field.value(value); });
  return value;
}

}  // namespace parsimap
