#include "parsimap/matlab/matlab_file.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "array_file.hpp"
#include "version5_file.hpp"

namespace parsimap {
namespace {

SceneDescription describe(const std::string& path) {
  SceneDescription description;
  description.driver = "MATLAB";
  description.data_type = "numeric array";
  description.files = {path};
  description.bytes = bytes_of_file(path).value_or(0);
  return description;
}

RasterGrid grid_of(const MatlabArray& cube) {
  RasterGrid grid;
  grid.height = cube.shape[0];
  grid.width = cube.shape[1];
  return grid;
}

// Reads the whole array when values are asked for the first time: what the file says of its size costs nothing.
class MatlabScene final : public DescribedScene {
 public:
  MatlabScene(std::string path, MatlabArrays file, MatlabArray cube)
      : DescribedScene(std::move(path), grid_of(cube), BandTable(static_cast<std::size_t>(cube.shape[2]))),
        cube_(std::move(cube)),
        file_(std::move(file)) {}

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    if (scene_ == nullptr) {
      // MATLAB's pixels go down the columns, those of a scene along the rows.
      numbers_ = file_.read<float>(cube_);
      scene_ = std::make_unique<ArrayScene>(name_, grid_, bands_,
                                            SceneArray{numbers_.data(), grid_.height, 1, grid_.pixels()}, std::nullopt);
    }
    scene_->read(window, bands, values);
  }

 private:
  MatlabArray cube_;
  MatlabArrays file_;
  VectorF numbers_;
  std::unique_ptr<ArrayScene> scene_;
};

// Files of unmixing hold a scene with its pixels in a row, a band in each row or column, and beside it abundances on
// the grid of the scene: these are not to be taken for the scene because they are the only cube.
// Such an array has as many rows or columns (but not both) as the cube has pixels, and its other length, the bands,
// exceeds the number of layers of the cube.
void refuse_flat_scene(const std::string& path, const MatlabArrays& file, const MatlabArray& cube) {
  const Index pixels = cube.shape[0] * cube.shape[1];
  for (const MatlabArray& array : file.arrays()) {
    const std::vector<Index>& shape = array.shape;
    // Exactly one of both lengths is the number of pixels: an array that is square does not say which are the bands.
    const bool flat = array.real_numbers && shape.size() == 2 && (shape[0] == pixels) != (shape[1] == pixels);
    if (flat && std::max(shape[0], shape[1]) == pixels && std::min(shape[0], shape[1]) > cube.shape[2]) {
      throw DataError(path + " has two arrays that may be the scene, " + to_string(array) + ", which has its " +
                      std::to_string(pixels) + " pixels in a row, and " + to_string(cube) +
                      ", which has fewer bands; a scene is an array of rows x columns x bands: reshape the first, or "
                      "take the second by --variable " +
                      cube.name);
    }
  }
}

}  // namespace

OpenScene open_matlab_scene(const std::string& path, const MatlabSceneChoice& choice) {
  MatlabArrays file(path);
  // A scene has three dimensions of any length, unless the caller knows the first two, as for the labels of a scene.
  std::vector<std::optional<Index>> shape(3);
  std::string shape_text = "rows x columns x bands";
  if (choice.height_and_width) {
    shape[0] = choice.height_and_width->first;
    shape[1] = choice.height_and_width->second;
    shape_text = std::to_string(*shape[0]) + " x " + std::to_string(*shape[1]) + " x bands";
  }
  const MatlabArray cube = file.only(shape, shape_text, choice.variable,
                                     choice.height_and_width ? "name one of them" : "name one of them (--variable)");
  if (!choice.variable) {
    refuse_flat_scene(path, file, cube);
  }
  return {std::make_unique<MatlabScene>(path, std::move(file), cube), describe(path)};
}

LabelledPixels read_matlab_labels(const std::string& path, const std::optional<std::string>& variable,
                                  const RasterGrid& grid, const std::string& grid_name, bool zero_class,
                                  bool has_zero_option) {
  const MatlabArrays file(path);
  const std::string size = std::to_string(grid.height) + " x " + std::to_string(grid.width);
  const MatlabArray& array = file.only({grid.height, grid.width}, size + " (rows and columns of " + grid_name + ")",
                                       variable, "name one of them (--label-variable)");
  const Vector values = file.read<double>(array);
  LabelledPixels labels;
  // Labels are indices into the table of classes, which is in the order of the codes. Therefore the code takes the
  // place of the label in a first pass over the pixels, and is replaced by the index when all codes are known.
  std::map<int, int> label_of;  // by code; numbered once all are known
  std::int64_t zeros = 0;
  for (Index row = 0; row < grid.height; ++row) {
    for (Index column = 0; column < grid.width; ++column) {
      const double value = values(row + column * grid.height);
      std::optional<int> code = code_of_number(value);
      if (!code) {
        refuse_code(value, path + " carries no classes: the value at column " + std::to_string(column) + ", row " +
                               std::to_string(row));
      }
      // The code 0 is the last where it is a class: it gets the code after the largest, as in rasters.
      zeros += value == 0 ? 1 : 0;
      code = value == 0 && zero_class ? kLargestCode + 1 : *code;
      if (*code != 0) {
        label_of.emplace(*code, 0);
        labels.pixels.push_back({std::int64_t{row} * grid.width + column, *code, 0});
      }
    }
  }
  for (auto& [code, label] : label_of) {
    label = static_cast<int>(labels.classes.size());
    const bool zero = code > kLargestCode;
    const int kept = zero ? (labels.classes.empty() ? 1 : labels.classes.back().code + 1) : code;
    labels.classes.push_back({kept, std::to_string(zero ? 0 : code), std::nullopt});
  }
  for (LabelledPixel& pixel : labels.pixels) {
    pixel.label = label_of.at(pixel.label);
  }
  if (zeros > 0 && !zero_class) {
    labels.messages.push_back(zeros_text(path, "pixels", zeros, has_zero_option));
  }
  return labels;
}

}  // namespace parsimap
