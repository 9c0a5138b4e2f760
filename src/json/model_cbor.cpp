#include "model_cbor.hpp"

#include <cstdint>
#include <vector>

#include "parsimap/core/error.hpp"

#include "model_fields.hpp"

namespace parsimap {
namespace {

constexpr int payload_depth = 7;  // the deepest list is /provenance/validation/results/0/confusion/shape

struct CborHead {
  unsigned major = 0;
  std::uint64_t argument = 0;
};

// Takes the head of an item from the front of `bytes`; false for indefinite lengths and where bytes are missing.
bool take_head(std::string_view& bytes, CborHead& head) {
  if (bytes.empty()) {
    return false;
  }
  const unsigned first = static_cast<unsigned char>(bytes.front());
  const unsigned info = first & 0x1FU;
  const std::size_t extra = info < 24 ? 0 : std::size_t{1} << (info - 24);
  bytes.remove_prefix(1);
  if (info > 27 || bytes.size() < extra) {
    return false;
  }
  head = {first >> 5U, extra == 0 ? info : 0};
  for (std::size_t i = 0; i < extra; ++i) {
    head.argument = (head.argument << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  bytes.remove_prefix(extra);
  return true;
}

}  // namespace

bool is_plain_cbor(std::string_view bytes, int depth) {
  std::vector<std::uint64_t> open = {1};  // items still to come at each level of nesting
  while (!open.empty()) {
    if (open.back() == 0) {
      open.pop_back();
      continue;
    }
    --open.back();
    CborHead head;
    if (!take_head(bytes, head)) {
      return false;
    }
    const bool is_string = head.major == 2 || head.major == 3;
    const bool is_container = head.major == 4 || head.major == 5;
    // Every item takes a byte at least, which bounds the lengths of lists and maps too.
    if (head.major == 6 || ((is_string || is_container) && head.argument > bytes.size())) {
      return false;
    }
    if (is_string) {
      bytes.remove_prefix(head.argument);
    } else if (is_container) {
      if (static_cast<int>(open.size()) > depth) {
        return false;
      }
      open.push_back(head.argument * (head.major == 5 ? 2 : 1));
    }
  }
  return bytes.empty();
}

std::string model_to_cbor(const Model& model) {
  // Keys are written in the order of the alphabet.
  const nlohmann::json document = document_of<Form::cbor>(model);
  std::string bytes;
  nlohmann::json::to_cbor(document, bytes);
  return bytes;
}

Model model_from_cbor(std::string_view bytes) {
  if (!is_plain_cbor(bytes, payload_depth)) {
    throw DataError("the content is not plain CBOR");
  }
  try {
    const Json document = Json::from_cbor(bytes);
    Model model = value_of<Form::cbor, Model>(Node(document));
    check_model(model);
    return model;
  } catch (const Json::exception& error) {
    throw DataError("the content is not a model: " + std::string(error.what()));
  } catch (const ConfigError& error) {
    throw DataError(error.what());
  }
}

}  // namespace parsimap
