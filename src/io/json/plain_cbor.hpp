// The shape of CBOR (RFC 8949) from a source that is not trusted, told before a decoder sees it.
#pragma once

#include <string_view>

namespace parsimap {

// True when `bytes` are exactly one CBOR item of definite lengths that all fit, without tags, nested at most `depth`
// levels deep. Decoders recurse into nesting and indefinite lengths, so foreign bytes could exhaust their stack.
bool is_plain_cbor(std::string_view bytes, int depth);

}  // namespace parsimap
