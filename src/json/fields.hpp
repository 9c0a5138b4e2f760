// Structs <-> documents: one list of the fields of a struct drives its writer, its reader and the check of what is
// read.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/sample_set.hpp"

#include "json_document.hpp"

namespace parsimap {

// The list of a struct: fields<Struct>(object, field) calls field(key, member) for every field, in the order of the
// document. `object` is constant when it is written. Beside field(key, member) there are
//   field.group(key, list)      a map of its own, with the fields that list(field) names
//   field.where(key, member, used)   a member that documents do not name where it is not used, when it has its default
//   field.derived(key, value)   what value() returns: written for the reader's sake, and not read back
template <typename Struct>
inline constexpr std::nullptr_t fields = nullptr;

template <typename Type>
concept Described = !std::same_as<decltype(fields<Type>), const std::nullptr_t>;

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
  explicit Node(const Json& value, std::string path = "") : value_(value), path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Json& json() const { return value_; }
  [[nodiscard]] bool has(const std::string& key) const { return value_.contains(key); }
  // Of a map.
  [[nodiscard]] Node operator[](const std::string& key) const;
  // Of a list, of any length or of `count`.
  [[nodiscard]] std::vector<Node> items() const;
  [[nodiscard]] std::vector<Node> items(std::size_t count) const;
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

  const Json& value_;
  std::string path_;
};

// ---- struct -> document ----

// A struct with a list, or anything it is made of. Types that look otherwise in documents specialise this template and
// value_of().
template <Form form, typename Value>
Json document_of(const Value& value);

template <Form form>
class FieldWriter {
 public:
  explicit FieldWriter(Json& object) : object_(object) { object_ = Json::object(); }

  template <typename Field>
  void operator()(const char* key, const Field& field) const {
    Json value = document_of<form>(field);
    if (form != Form::spec || !value.is_null()) {
      object_[key] = std::move(value);
    }
  }
  template <typename List>
  void group(const char* key, const List& list) const {
    list(FieldWriter(object_[key]));
  }
  template <typename Field>
  void where(const char* key, const Field& field, bool used) const {
    if (used) {
      (*this)(key, field);
    }
  }
  template <typename Value>
  void derived(const char* key, const Value& value) const {
    (*this)(key, value());
  }

 private:
  Json& object_;
};

template <typename Type>
inline constexpr bool is_optional = false;
template <typename Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

template <typename Type>
inline constexpr bool is_list = false;
template <typename Item>
inline constexpr bool is_list<std::vector<Item>> = true;

template <Form form, typename Value>
Json document_of(const Value& value) {
  if constexpr (Described<Value>) {
    Json object;
    fields<Value>(value, FieldWriter<form>(object));
    return object;
  } else if constexpr (form == Form::cbor && std::same_as<Value, std::vector<double>>) {
    return array_document(Eigen::Map<const Vector>(value.data(), static_cast<Index>(value.size())));
  } else if constexpr (form == Form::cbor && requires { array_document(value); }) {
    return array_document(value);
  } else if constexpr (requires { value.rows(); }) {
    return rows_document(value);
  } else if constexpr (is_optional<Value>) {
    return value ? document_of<form>(*value) : Json(nullptr);
  } else if constexpr (is_list<Value>) {
    Json list = Json::array();
    for (const auto& item : value) {
      list.push_back(document_of<form>(item));
    }
    return list;
  } else if constexpr (std::is_enum_v<Value>) {
    return to_string(value);
  } else {
    return value;
  }
}

// ---- document -> struct ----

// Enumerations have such a function, which throws a ConfigError that lists the names.
inline void parse(const std::string& text, KernelFamily& family) { family = parse_kernel_family(text); }
inline void parse(const std::string& text, ScalingRule& rule) { rule = parse_scaling_rule(text); }

template <Form form, typename Value>
Value value_of(const Node& node);

template <Form form>
class FieldReader {
 public:
  explicit FieldReader(const Node& node) : node_(node) {}

  template <typename Field>
  void operator()(const char* key, Field& field) const {
    // Earlier versions did not write every field that may be unset.
    constexpr bool needed = form != Form::spec && !(form == Form::cbor && is_optional<Field>);
    if (needed || node_.has(key)) {
      field = value_of<form, Field>(node_[key]);
    }
  }
  template <typename List>
  void group(const char* key, const List& list) const {
    const Node inner = node_[key];
    list(FieldReader(inner));
  }
  template <typename Field>
  void where(const char* key, Field& field, bool) const {
    if (node_.has(key)) {
      field = value_of<form, Field>(node_[key]);
    }
  }
  template <typename Value>
  void derived(const char*, const Value&) const {}

 private:
  const Node& node_;
};

// Values of the standard library. The second argument only tells the type apart, and is null.
template <Form form, typename Item>
std::vector<Item> container_of(const Node& node, const std::vector<Item>*) {
  std::vector<Item> list;
  for (const Node& item : node.items()) {
    list.push_back(value_of<form, Item>(item));
  }
  return list;
}
template <Form form, typename Item, std::size_t size>
std::array<Item, size> container_of(const Node& node, const std::array<Item, size>*) {
  const std::vector<Node> items = node.items(size);
  std::array<Item, size> list{};
  for (std::size_t i = 0; i < size; ++i) {
    list[i] = value_of<form, Item>(items[i]);
  }
  return list;
}
template <Form form, typename First, typename Second>
std::pair<First, Second> container_of(const Node& node, const std::pair<First, Second>*) {
  const std::vector<Node> items = node.items(2);
  return {value_of<form, First>(items[0]), value_of<form, Second>(items[1])};
}
template <Form form, typename Value>
std::optional<Value> container_of(const Node& node, const std::optional<Value>*) {
  return node.is_null() ? std::nullopt : std::optional(value_of<form, Value>(node));
}

template <Form form, typename Number>
Number number_of(const Node& node) {
  if constexpr (std::same_as<Number, bool>) {
    return node.truth();
  } else if constexpr (std::same_as<Number, std::uint64_t>) {
    return node.unsigned_integer();
  } else if constexpr (std::integral<Number>) {
    return static_cast<Number>(node.integer(std::numeric_limits<Number>::max()));
  } else {
    return form == Form::record && node.is_null() ? std::numeric_limits<Number>::quiet_NaN() : node.number();
  }
}

template <Form form, typename Value>
Value value_of(const Node& node) {
  if constexpr (Described<Value>) {
    Value object{};
    fields<Value>(object, FieldReader<form>(node));
    return object;
  } else if constexpr (std::same_as<Value, std::string>) {
    return node.text();
  } else if constexpr (std::is_enum_v<Value>) {
    Value value{};
    parse(node.text(), value);
    return value;
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return number_of<form, Value>(node);
  } else if constexpr (std::same_as<Value, Matrix>) {
    return node.matrix();
  } else if constexpr (std::same_as<Value, Vector>) {
    return node.vector();
  } else if constexpr (std::same_as<Value, CountMatrix>) {
    return node.counts();
  } else if constexpr (form == Form::cbor && std::same_as<Value, Indices>) {
    return node.indices();
  } else if constexpr (form == Form::cbor && std::same_as<Value, std::vector<double>>) {
    const Vector values = node.vector();
    return {values.begin(), values.end()};
  } else {
    return container_of<form>(node, static_cast<const Value*>(nullptr));
  }
}

}  // namespace parsimap
