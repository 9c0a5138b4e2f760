// A model as CBOR (RFC 8949) and back: the payload of a model file, laid out in model_file.hpp.
#pragma once

#include <string>
#include <string_view>

#include "parsimap/classifier/model.hpp"

namespace parsimap {

std::string model_to_cbor(const Model& model);

// The inverse, bit by bit. For any bytes at all either a model that passes check_model(), or a DataError that says what
// is wrong where (as a JSON pointer); memory and stack stay in proportion to the size of `bytes`.
Model model_from_cbor(std::string_view bytes);

// True when `bytes` are exactly one CBOR item of definite lengths that all fit, without tags, nested at most `depth`
// levels deep. Decoders recurse into nesting and indefinite lengths, so foreign bytes could exhaust their stack.
bool is_plain_cbor(std::string_view bytes, int depth);

}  // namespace parsimap
