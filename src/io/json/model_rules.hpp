// The rules every model obeys: checked before one is written, and before one that was read is used.
#pragma once

#include "parsimap/classifier/model.hpp"

namespace parsimap {

// DataError with the field, its value and the rule: K >= 2 classes with ascending codes in 1 .. 65535 and distinct
// names; ascending bands inside the scene, used or dropped; one machine per class; shapes that fit together; support
// indices ascending and in range; everything that decision values depend on finite; scale, weights, C and softmax slope
// positive; K x K counts of pixels in every result of a validation, of which there is one at least. What only reports
// (criterion value, KKT violation, accuracy) may be anything.
void check_model(const Model& model);

}  // namespace parsimap
