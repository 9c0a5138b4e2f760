// train_and_map SCENE LABELS CLASS_FIELD MAP: trains on the polygons of a vector file, whose text or integer field
// CLASS_FIELD names their classes, and writes the class map of the whole scene.
#include <iostream>

#include "parsimap/classifier/train.hpp"
#include "parsimap/io/gdal/labels.hpp"
#include "parsimap/io/gdal/map_output.hpp"
#include "parsimap/io/gdal/scene.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/scene/band_choice.hpp"
#include "parsimap/scene/extract_samples.hpp"

using namespace parsimap;

static void train_and_map(const std::string& scene_file, const std::string& label_file, const std::string& class_field,
                          const std::string& map_file) {
  const auto scene = open_scene(scene_file);
  const LabelledPixels labels = read_labels(label_file, {class_field, {}}, scene->grid(), scene->name());
  const ChosenBands chosen = choose_bands(scene->bands(), BandChoice{}, scene->name());
  const std::int64_t memory = std::int64_t{1} << 30U;
  const Extraction extraction = extract_samples(*scene, labels, chosen.bands, memory, Progress{});

  Model model = train_one_vs_all(extraction.samples, TrainingOptions{}, Progress{});
  model.scene_bands = static_cast<Index>(scene->bands().size());
  model.bands = extraction.bands;
  for (const Index band : model.bands) {
    model.band_table.push_back(scene->bands()[static_cast<std::size_t>(band)]);
  }

  const auto map = create_class_map(map_file, scene->grid(), model.classes, OutputOptions{});
  MapOutputs outputs;
  outputs.map = map.get();
  const MappingSummary summary = classify_scene(*scene, model, outputs, MappingOptions{}, Progress{});
  map->commit();
  std::cout << summary.classified << " of " << summary.pixels << " pixels are classified\n";
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
