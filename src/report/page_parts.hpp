// The pages of commands, and the cards of models, in parts: the files of html/ as they were when the
// program was built.
#pragma once

#include <string_view>

namespace parsimap {

struct PageParts {
  std::string_view page;      // mustache template
  std::string_view style;     // CSS
  std::string_view script;    // charting library and figures
  std::string_view licences;  // of what the script holds
  std::string_view card;      // mustache template of a model's card
};

PageParts page_parts();

}  // namespace parsimap
