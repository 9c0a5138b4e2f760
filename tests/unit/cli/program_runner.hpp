// Runs the program in this process, and a small simulated scene to run it on.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "unit/core/temporary_folder.hpp"

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

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Two well separated classes, "water" and "forest" (not in alphabetical order, so that codes and names differ).
inline const std::string kSmallSpec = R"({
  "width": 30, "height": 24, "bands": 12, "seed": 3, "layout": {"kind": "blocks", "block_size": 12},
  "classes": [{"name": "water", "dimension": 2}, {"name": "forest", "dimension": 2}],
  "polygons": {"per_class": 2, "smallest_radius": 2, "largest_radius": 3}
})";

// Simulated and trained once per test program.
class SmallScene {
 public:
  static const SmallScene& instance() {
    static const SmallScene scene;
    return scene;
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::string scene() const { return file("scene/scene.tif"); }
  [[nodiscard]] std::string polygons() const { return file("scene/training.gpkg"); }
  [[nodiscard]] std::string reference() const { return file("scene/reference.tif"); }
  [[nodiscard]] std::string model() const { return file("model"); }
  [[nodiscard]] std::string map() const { return file("map.tif"); }
  // What simulate, train and classify returned.
  [[nodiscard]] const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  SmallScene() {
    write_file(file("spec.json"), kSmallSpec);
    outcomes_.push_back(run({"simulate", file("spec.json"), file("scene")}));
    outcomes_.push_back(run({"train", scene(), polygons(), model(), "--class-field", "class"}));
    outcomes_.push_back(run({"classify", scene(), model(), map()}));
  }

  TemporaryFolder folder_;
  std::vector<Outcome> outcomes_;
};

// `train` on the small scene.
inline Outcome train_small(const std::string& labels, const std::string& model,
                           const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"train", SmallScene::instance().scene(), labels, model};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace parsimap::test
