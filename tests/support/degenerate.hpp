// Records with as little in them as their document allows: made from the document of a whole one, and so from the lists
// of fields, without naming any.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace parsimap::test {

// Where a document may be changed: every member and every item of a list, as pointers.
inline void add_places(const nlohmann::json& value, const nlohmann::json::json_pointer& at,
                       std::vector<nlohmann::json::json_pointer>& places) {
  places.push_back(at);
  if (value.is_object() && !value.contains("data")) {
    for (const auto& [key, member] : value.items()) {
      add_places(member, at / key, places);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      add_places(value[i], at / i, places);
    }
  }
}

inline nlohmann::json empty_array() {
  return {{"shape", {0, 0}}, {"data", nlohmann::json::binary(std::vector<std::uint8_t>())}};
}

// What a value may shrink to: nothing, an empty list, a list of its first item, zeros, the smallest number or text.
inline std::vector<nlohmann::json> smaller(const nlohmann::json& value) {
  std::vector<nlohmann::json> all = {nullptr};
  if (value.is_object() && value.contains("data") && value.contains("shape")) {
    nlohmann::json zeros = value;
    for (std::uint8_t& byte : zeros["data"].get_binary()) {
      byte = 0;
    }
    all.insert(all.end(), {zeros, empty_array()});
  } else if (value.is_array()) {
    all.push_back(nlohmann::json::array());
    if (value.size() > 1) {
      all.push_back(nlohmann::json::array({value[0]}));
    }
  } else if (value.is_number_integer()) {
    all.push_back(0U);
  } else if (value.is_number()) {
    all.push_back(0.0);
  } else if (value.is_string()) {
    all.push_back("");
  } else if (value.is_boolean()) {
    all.push_back(!value.get<bool>());
  }
  return all;
}

// Every document that differs from `whole` in one place, and those in which all places are changed that may be, one
// after the other, in either order. `accepts(document)` says whether one is read.
template <typename Accepts>
std::vector<nlohmann::json> degenerate_documents(const nlohmann::json& whole, const Accepts& accepts) {
  std::vector<nlohmann::json::json_pointer> places;
  add_places(whole, nlohmann::json::json_pointer(), places);
  std::vector<nlohmann::json> documents;
  nlohmann::json forward = whole;
  nlohmann::json backward = whole;
  const auto shrink = [&](nlohmann::json& all, const nlohmann::json::json_pointer& place) {
    if (!all.contains(place)) {
      return;
    }
    for (const nlohmann::json& value : smaller(all[place])) {
      nlohmann::json changed = all;
      changed[place] = value;
      if (accepts(changed)) {
        all = changed;
        documents.push_back(std::move(changed));
        return;
      }
    }
  };
  for (std::size_t i = 1; i < places.size(); ++i) {
    for (const nlohmann::json& value : smaller(whole[places[i]])) {
      nlohmann::json changed = whole;
      changed[places[i]] = value;
      if (accepts(changed)) {
        documents.push_back(std::move(changed));
      }
    }
    shrink(forward, places[i]);
    shrink(backward, places[places.size() - i]);
  }
  return documents;
}

}  // namespace parsimap::test
