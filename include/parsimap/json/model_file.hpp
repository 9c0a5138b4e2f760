// The model file, format version 3, or 4 with a kernel of profiles. Everything is little-endian.
//
// A header with a checksum is followed by one CBOR map (RFC 8949); docs/formats.md lists its keys.
//
// Loading runs no code and trusts nothing: the size is compared with the file's before memory is taken, the checksum
// before anything is parsed, and every shape, index and value is checked before a Model is made of it.
#pragma once

#include <string>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/record_fields.hpp"

namespace parsimap {

// The content of a model's file. DataError when the model itself breaks a rule that load_model() checks.
std::string model_bytes(const Model& model);

// The model whose model_bytes() the file at `path` holds, bit by bit. DataError: the file is missing, empty, foreign,
// truncated, damaged, of a newer or older format version, or its content breaks a rule (the text names it).
Model load_model(const std::string& path);

// The model of such bytes, wherever they come from; `name` stands for the file in errors, which are those of
// load_model().
Model model_of_bytes(const std::string& bytes, const std::string& name);

// The fields of what is in other documents as well.
void list_fields(ClassEntry& entry, Fields& field);
void list_fields(Band& band, Fields& field);
void list_fields(InputFile& input, Fields& field);
void list_fields(UnitDesign& units, Fields& field);
void list_fields(BalancedWeights& balanced, Fields& field);
// An interval is [low, high], or null.
void list_value(Interval& interval, Fields& field);

// True when `path` is a file that begins like a model (it may still be damaged).
bool is_model_file(const std::string& path);

}  // namespace parsimap
