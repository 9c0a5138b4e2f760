// Fields of an options struct as options see them: what kind of value they hold, how it is stored and read as text.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace parsimap {

enum class OptionKind {
  flag,     // without a value; true or false in an options file
  integer,  // a whole number in [least, most] of the option
  number,   // a real number in the range of the field
  text,
  list  // text, may be repeated; an array in an options file
};

using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

// The shortest text that reads back as the same number.
std::string number_text(double value);
// A value as the texts of which a command line would have one for each.
std::vector<std::string> value_texts(const OptionValue& value);

// The numbers above or from `least` to `most`.
struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;  // `least` itself is not one
  [[nodiscard]] bool contains(double value) const;
  // "a number above 0 and at most 1", "a number of at least 0".
  [[nodiscard]] std::string text() const;
};

// Refers to the field: it must not outlive the options struct.
struct Field {
  OptionKind kind = OptionKind::flag;
  std::function<void(const OptionValue&)> store{};      // of the kind
  std::function<std::optional<OptionValue>()> value{};  // none: unset
  std::function<void(const std::string&)> check{};      // of a text or of each in a list; throws ConfigError
  NumberRange range{};                                  // of a number
  bool optional = true;                                 // it may be unset; otherwise it has a default
};

Field bound(bool& flag);
Field bound(std::string& text);  // empty: unset
Field bound(std::optional<std::string>& text);
Field bound(std::vector<std::string>& list, std::function<void(const std::string&)> check = {});
Field bound(std::optional<double>& number, const NumberRange& range);

template <std::integral T>
Field bound(T& number) {
  return {.kind = OptionKind::integer,
          .store = [&number](const OptionValue& value) { number = static_cast<T>(std::get<std::int64_t>(value)); },
          .value = [&number]() -> std::optional<OptionValue> { return static_cast<std::int64_t>(number); },
          .optional = false};
}

template <std::integral T>
Field bound(std::optional<T>& number) {
  return {.kind = OptionKind::integer,
          .store = [&number](const OptionValue& value) { number = static_cast<T>(std::get<std::int64_t>(value)); },
          .value = [&number]() -> std::optional<OptionValue> {
            return number ? std::optional<OptionValue>(static_cast<std::int64_t>(*number)) : std::nullopt;
          }};
}

// A field whose values have texts: parse(text) gives the value or throws ConfigError, print(value) the text.
template <typename T, typename Parse, typename Print>
Field bound(T& field, Parse parse, Print print) {
  return {.kind = OptionKind::text,
          .store = [&field, parse](const OptionValue& value) { field = parse(std::get<std::string>(value)); },
          .value = [&field, print]() -> std::optional<OptionValue> { return OptionValue(print(field)); },
          .check = [parse](const std::string& text) { parse(text); },
          .optional = false};
}

template <typename T, typename Parse, typename Print>
Field bound(std::optional<T>& field, Parse parse, Print print) {
  return {.kind = OptionKind::text,
          .store = [&field, parse](const OptionValue& value) { field = parse(std::get<std::string>(value)); },
          .value = [&field, print]() -> std::optional<OptionValue> {
            return field ? std::optional<OptionValue>(print(*field)) : std::nullopt;
          },
          .check = [parse](const std::string& text) { parse(text); }};
}

// The same with to_string() of the type.
template <typename T, typename Parse>
requires(!std::same_as<T, std::vector<std::string>>) Field bound(T& field, Parse parse) {
  return bound(field, parse, [](const T& value) { return to_string(value); });
}

template <typename T, typename Parse>
requires(!std::same_as<T, double>) Field bound(std::optional<T>& field, Parse parse) {
  return bound(field, parse, [](const T& value) { return to_string(value); });
}

}  // namespace parsimap
