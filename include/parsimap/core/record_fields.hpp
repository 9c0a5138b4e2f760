// One list of the fields of a record, from which all of its documents come, both ways: JSON text, and CBOR of models.
//
// The list of a struct is a function, found by the type of the struct:
//
//   void list_fields(Record& record, Fields& field) { field("pixels", record.pixels); }
//
// It is called to write the struct and to read it; `field.reads()` tells which. A list that is only written takes a
// `const Record&`. Values are booleans, numbers, texts, enumerations with to_string() and parse(), matrices, structs
// with a list, and optional values, pairs, arrays and vectors of these. What a document is made of is behind virtual
// functions: so each list is compiled once, and knows no library of JSON. A struct has one list in the whole program:
// all files share the instances of the templates below, and the linker keeps any of two that differ. A document that
// says something else of the struct names its fields by group() or groups().
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

template <typename Type>
inline constexpr bool is_optional = false;
template <typename Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

class Fields;
template <typename Type>
concept Listed = requires(Type& value, Fields& field) {
  list_fields(value, field);
};
// What is no map in every document has a function list_value(value, field) instead.
template <typename Type>
concept ListedAsValue = requires(Type& value, Fields& field) {
  list_value(value, field);
};

class Fields {
 public:
  Fields() = default;
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;
  virtual ~Fields() = default;

  // Documents are read into the values, which are written otherwise.
  [[nodiscard]] virtual bool reads() const = 0;
  // Whether the map that is read has the member.
  [[nodiscard]] virtual bool has(const std::string& key) const = 0;

  // A member of the map. A value is altered only where documents are read.
  template <typename Member>
  void operator()(const std::string& key, const Member& member) {
    if (enter(key, is_optional<Member>)) {
      value(const_cast<Member&>(member));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      leave();
    }
  }
  // A member that documents lack where it is not used, when it has its default.
  template <typename Member>
  void where(const std::string& key, const Member& member, bool used) {
    if (reads() ? has(key) : used) {
      (*this)(key, member);
    }
  }
  // What make() returns: written for those who read the document, and not read back.
  template <typename Make>
  void derived(const std::string& key, const Make& make) {
    if (!reads()) {
      (*this)(key, make());
    }
  }
  // A map of its own, with the fields that list() names.
  template <typename List>
  void group(const std::string& key, const List& list) {
    if (enter(key, false)) {
      map(list);
      leave();
    }
  }
  // A map of its own with the fields that list(value) names; null where the value is unset.
  template <typename Member, typename List>
  void group(const std::string& key, const std::optional<Member>& member, const List& list) {
    if (enter(key, true)) {
      optional(const_cast<std::optional<Member>&>(member),  // NOLINT(cppcoreguidelines-pro-type-const-cast)
               [&](Member& inner) { map([&] { list(inner); }); });
      leave();
    }
  }
  // A list of `count` maps, with the fields that list(i) names. Where documents are read, it has as many as they have.
  template <typename List>
  void groups(const std::string& key, std::size_t count, const List& list) {
    if (enter(key, false)) {
      items(count, std::nullopt, [&](std::size_t i) { map([&] { list(i); }); });
      leave();
    }
  }
  // An object of names and numbers, such as the seconds of stages; written only.
  void numbers_by_name(const std::string& key, const std::vector<std::pair<std::string, double>>& members) {
    group(key, [&] {
      for (const auto& [name, member] : members) {
        (*this)(name, member);
      }
    });
  }
  // A member that is JSON itself; written only.
  virtual void json(const std::string& key, const std::string& text) = 0;

  // Whether a text stands where the document is read.
  [[nodiscard]] virtual bool holds_text() const = 0;
  // A map with the fields that list() names, and a value, where the document stands.
  template <typename List>
  void map(const List& list) {
    begin_map();
    list();
  }
  template <typename Value>
  void value(Value& value) {
    if constexpr (ListedAsValue<Value>) {
      list_value(value, *this);
    } else if constexpr (Listed<Value>) {
      map([&] { list_fields(value, *this); });
    } else if constexpr (std::is_enum_v<Value>) {
      enumeration(value);
    } else if constexpr (std::is_same_v<Value, bool>) {
      truth(value);
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
      unsigned_integer(value);
    } else if constexpr (std::is_integral_v<Value>) {
      auto wide = static_cast<std::int64_t>(value);
      integer(wide, std::numeric_limits<Value>::max());
      if (reads()) {
        value = static_cast<Value>(wide);
      }
    } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
      numbers(value);
    } else if constexpr (std::is_same_v<Value, Indices>) {
      indices(value);
    } else if constexpr (requires { plain(value); }) {
      plain(value);
    } else {
      container(value);
    }
  }
  template <std::size_t length>
  void value(char (&text)[length]) {
    plain(std::string(text));
  }
  void value(const char*& text) { plain(std::string(text)); }

 protected:
  // Steps into the member of the map; false where the document leaves the member out, and it keeps its value.
  virtual bool enter(const std::string& key, bool may_be_unset) = 0;
  // Steps into item i of the list.
  virtual void enter_item(std::size_t i) = 0;
  virtual void leave() = 0;
  virtual void begin_map() = 0;
  // The number of items: `count` where the list is written; where it is read that of the document, which must be
  // `needed`.
  virtual std::size_t begin_list(std::size_t count, std::optional<std::size_t> needed) = 0;
  // Whether there is a value: `set` where it is written.
  virtual bool is_set(bool set) = 0;

  virtual void truth(bool& value) = 0;
  virtual void integer(std::int64_t& value, std::int64_t largest) = 0;
  virtual void unsigned_integer(std::uint64_t& value) = 0;
  virtual void plain(double& value) = 0;
  virtual void plain(std::string& value) = 0;
  void plain(const std::string& value) {
    std::string text = value;
    plain(text);
  }
  virtual void plain(Matrix& value) = 0;
  virtual void plain(Vector& value) = 0;
  virtual void plain(CountMatrix& value) = 0;
  virtual void numbers(std::vector<double>& value) = 0;
  virtual void indices(Indices& value) = 0;

  template <typename Item>
  void items(std::size_t count, std::optional<std::size_t> needed, const Item& item) {
    count = begin_list(count, needed);
    for (std::size_t i = 0; i < count; ++i) {
      enter_item(i);
      item(i);
      leave();
    }
  }
  template <typename Value>
  void enumeration(Value& value) {
    if (reads()) {
      std::string text;
      plain(text);
      parse(text, value);
    } else {
      plain(to_string(value));
    }
  }
  template <typename Value, typename List>
  void optional(std::optional<Value>& value, const List& list) {
    if (!is_set(value.has_value())) {
      value.reset();
      return;
    }
    list(value ? *value : value.emplace());
  }

  template <typename Item>
  void container(std::vector<Item>& list) {
    const std::size_t count = begin_list(list.size(), std::nullopt);
    if (reads()) {
      list.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      enter_item(i);
      if constexpr (std::is_same_v<Item, bool>) {
        bool item = list[i];
        truth(item);
        if (reads()) {
          list[i] = item;
        }
      } else {
        value(list[i]);
      }
      leave();
    }
  }
  template <typename Item, std::size_t size>
  void container(std::array<Item, size>& list) {
    items(size, size, [&](std::size_t i) { value(list[i]); });
  }
  template <typename First, typename Second>
  void container(std::pair<First, Second>& pair) {
    items(2, 2, [&](std::size_t i) { i == 0 ? value(pair.first) : value(pair.second); });
  }
  template <typename Value>
  void container(std::optional<Value>& wanted) {
    optional(wanted, [&](Value& inner) { value(inner); });
  }
};

// A record or document without a struct of its own.
using FieldList = std::function<void(Fields& field)>;

}  // namespace parsimap
