// The options of a training as the command line gives them.
#pragma once

#include <string>
#include <vector>

#include "parsimap/options/command_line.hpp"

#include "commands/training/train_options.hpp"

namespace parsimap::test {

inline TrainOptions parsed(const std::vector<std::string>& words) {
  TrainOptions options;
  parse_command_line(describe(options), words);
  return options;
}

}  // namespace parsimap::test
