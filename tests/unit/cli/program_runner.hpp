// Runs the program in this process, on the small simulated scene among other things.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline Outcome run(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_program(arguments, out, err);
  return {code, out.str(), err.str()};
}

// `train` on the small scene.
inline Outcome train_small(const std::string& labels, const std::string& model,
                           const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"train", SmallScene::instance().scene(), labels, model};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace parsimap::test
