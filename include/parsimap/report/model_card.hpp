// A trained model as a piece of HTML that stands inside of another page, such as a notebook.
#pragma once

#include <string>

#include "parsimap/classifier/model.hpp"

namespace parsimap {

// How many left-out training pixels were right, and what was left out together; pixels, regions and left-out accuracy
// of every class, in the colours of the maps; and the mean spectra of the classes as a drawing. It needs no script and
// loads nothing, takes ink from the page around it and so suits dark ones, and grows by about 1.3 kB for a class: of
// more than 200 bands, 200 are drawn.
std::string model_card(const Model& model);

}  // namespace parsimap
