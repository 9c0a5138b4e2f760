// train_and_map SCENE LABELS CLASS_FIELD MAP: trains on the polygons of a vector file, whose text or integer field
// CLASS_FIELD contains their classes, and writes the class map of the whole scene. The model is written beside the map.
#include <exception>
#include <iostream>
#include <string>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/commands/training/train.hpp"

// Receives the messages of the library, which never prints itself.
class Console : public parsimap::Listener {
 public:
  void warning(const std::string& text) override { std::cerr << "warning: " << text << '\n'; }
};

static void train_and_map(const std::string& scene, const std::string& labels, const std::string& class_field,
                          const std::string& map) {
  Console console;
  parsimap::TrainOptions training;
  training.scene.path = scene;
  training.labels.files = {labels};
  training.labels.options.class_field = class_field;
  training.model = map + ".model";
  const parsimap::TrainResult trained = parsimap::train_scene(training, console);
  std::cout << trained.model.provenance.training_pixels << " pixels of " << trained.model.classes.size()
            << " classes are learned from\n";

  parsimap::MapOptions mapping;
  mapping.scene.path = scene;
  mapping.model = training.model;
  mapping.map = map;
  const parsimap::MappingRecord mapped = parsimap::map_scene(mapping, console);
  std::cout << mapped.classified << " of " << mapped.pixels << " pixels are classified\n";
}

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: train_and_map SCENE LABELS CLASS_FIELD MAP\n";
    return 2;
  }
  try {
    train_and_map(argv[1], argv[2], argv[3], argv[4]);
  } catch (const std::exception& error) {
    std::cerr << "train_and_map: " << error.what() << '\n';
    return 1;
  }
}
