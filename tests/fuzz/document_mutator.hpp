// Mutation of documents. Changed bytes mostly make JSON and CBOR invalid, and readers would be tested no further than
// their first step: half of the mutations change the tree of values instead.
#pragma once

#include <cstddef>
#include <cstdint>

// Of libFuzzer.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace parsimap::fuzz {

enum class Encoding { json, cbor };

// As LLVMFuzzerCustomMutator(), for an input that is a document.
std::size_t mutate_document(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, Encoding encoding);

}  // namespace parsimap::fuzz
