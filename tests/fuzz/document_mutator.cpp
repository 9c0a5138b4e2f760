#include "fuzz/document_mutator.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "json/json_fields.hpp"
#include "json/model_cbor.hpp"

namespace parsimap::fuzz {
namespace {

using Json = nlohmann::ordered_json;

// Writing a document recurses.
constexpr int kDeepest = 100;

class Mutation {
 public:
  Mutation(Json& document, unsigned seed) : random_(seed) { collect(document, 0); }

  [[nodiscard]] bool too_deep() const { return too_deep_; }

  void apply() {
    Json& value = any();
    switch (below(6)) {
      case 0:
        value = scalar();
        break;
      case 1:
        value = Json(any());
        break;
      default:
        change(value);
    }
  }

 private:
  void collect(Json& value, int depth) {
    too_deep_ = too_deep_ || depth > kDeepest;
    if (too_deep_) {
      return;
    }
    values_.push_back(&value);
    if (value.is_structured()) {
      for (auto item = value.begin(); item != value.end(); ++item) {
        if (value.is_object()) {
          keys_.push_back(item.key());
        }
        collect(*item, depth + 1);
      }
    }
  }

  std::size_t below(std::size_t count) { return random_() % count; }
  Json& any() { return *values_[below(values_.size())]; }
  std::string any_key() { return keys_.empty() ? "key" : keys_[below(keys_.size())]; }

  Json scalar() {
    static const std::vector<Json> scalars = {nullptr,
                                              true,
                                              false,
                                              0,
                                              1,
                                              2,
                                              -1,
                                              255,
                                              256,
                                              65535,
                                              65536,
                                              2147483647,
                                              2147483648U,
                                              9223372036854775807,
                                              18446744073709551615U,
                                              0.5,
                                              -0.5,
                                              1e-320,
                                              1e300,
                                              -1e300,
                                              1.5,
                                              "",
                                              "1",
                                              "a",
                                              Json::array(),
                                              Json::object()};
    return scalars[below(scalars.size())];
  }

  void change(Json& value) {
    if (value.is_array()) {
      change_list(value);
    } else if (value.is_object()) {
      change_map(value);
    } else if (value.is_string()) {
      value = changed_bytes(value.get<std::string>());
    } else if (value.is_binary()) {
      const std::string bytes = changed_bytes({value.get_binary().begin(), value.get_binary().end()});
      value = Json::binary({bytes.begin(), bytes.end()});
    } else if (value.is_number_integer()) {
      // In unsigned numbers, which do not overflow.
      const std::uint64_t number = value.get<std::uint64_t>();
      value = below(2) == 0 ? number + below(5) - 2 : number << below(64);
    } else if (value.is_number_float()) {
      value = value.get<double>() * (below(2) == 0 ? -1.0 : 1000.0);
    } else {
      value = scalar();
    }
  }

  void change_list(Json& list) {
    const std::size_t place = below(list.size() + 1);
    if (place < list.size() && below(2) == 0) {
      list.erase(place);
    } else {
      const Json item = list.empty() || below(4) == 0 ? any() : list[below(list.size())];
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), item);
    }
  }

  void change_map(Json& map) {
    if (!map.empty() && below(2) == 0) {
      map.erase(std::next(map.begin(), static_cast<std::ptrdiff_t>(below(map.size()))).key());
    } else {
      const Json value = any();
      map[any_key()] = value;
    }
  }

  std::string changed_bytes(std::string bytes) {
    const std::size_t size = bytes.size();
    bytes.resize(size + 16);
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
    return bytes;
  }

  std::mt19937 random_;
  std::vector<Json*> values_;
  std::vector<std::string> keys_;
  bool too_deep_ = false;
};

// Nothing where the input is no document.
std::optional<Json> read(std::string_view text, Encoding encoding) {
  try {
    return encoding == Encoding::json ? Json::parse(text) : Json::from_cbor(text);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string write(const Json& document, Encoding encoding) {
  if (encoding == Encoding::json) {
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  std::string bytes;
  Json::to_cbor(document, bytes);
  return bytes;
}

// Nothing where it cannot be read, or grows too large.
std::optional<std::string> changed_document(std::string_view text, std::size_t most, unsigned seed, Encoding encoding) {
  // The parser of CBOR recurses into nesting.
  if (encoding == Encoding::cbor && !is_plain_cbor(text, kDeepest)) {
    return std::nullopt;
  }
  std::optional<Json> document = read(text, encoding);
  if (!document) {
    return std::nullopt;
  }
  Mutation mutation(*document, seed);
  if (mutation.too_deep()) {
    return std::nullopt;
  }
  mutation.apply();
  std::string changed = write(*document, encoding);
  return changed.size() <= most ? std::optional(std::move(changed)) : std::nullopt;
}

}  // namespace

std::size_t mutate_document(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, Encoding encoding) {
  if (seed % 2 != 0) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto changed = changed_document(text, most, seed, encoding)) {
      std::copy(changed->begin(), changed->end(), data);
      return changed->size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}

}  // namespace parsimap::fuzz
