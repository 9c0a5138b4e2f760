// The files that a command reads: scenes, masks and labels in the formats of GDAL or MATLAB.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/matlab/matlab_file.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/nodata_screen.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

struct SceneInput {
  std::string path;                          // product, raster that GDAL opens, or MATLAB file (.mat)
  std::optional<std::string> variable = {};  // array of a MATLAB file, where its shape does not tell which
  std::optional<std::string> mask = {};      // raster of one band on the scene's grid; 0 and nodata leave a pixel out
  std::optional<std::string> region = {};    // the part that counts, as open_region() has it
  // The quality layers of a product whose marked pixels are left out; unset: clouds.
  std::optional<std::vector<std::string>> quality = {};
  // The scene is seen on the map grid of the geometry lookup table that comes with it; so is the mask.
  bool orthorectify = false;
  std::optional<std::string> lookup = {};  // a geometry lookup table that is used instead of that which comes with it
  // A further nodata value, as stored, or NaN for none; unset: fill that nobody declared is known by its values.
  std::optional<double> nodata = {};
  bool bands_by_position = false;  // bands count by their places where wavelengths and names do not tell which they are
};

// A scene that is opened once for all that is done with it.
struct InputScene {
  SceneInput input;
  std::unique_ptr<SceneSource> source;  // behind mask and region, where there are
  SceneDescription description;         // of the scene without the mask
  std::vector<std::string> left_out;    // the names of the quality layers whose marked pixels are left out
  std::string lookup = {};              // the geometry lookup table by which the scene lies on the map
  NodataScreen* screen = nullptr;       // of `source`, where fill that nobody declared is looked for
  std::optional<Window> region = {};    // the smallest window around the region, where there is one
  // What outputs cover: the window of the region, or the whole grid.
  [[nodiscard]] Window window() const {
    return region.value_or(Window{0, 0, source->grid().width, source->grid().height});
  }
};

// DataError: a file cannot be read, the mask lies on another grid or has several bands. ConfigError: a variable of a
// file that is no MATLAB file; orthorectify of a scene that comes without a geometry lookup table. Of a region as
// open_region().
InputScene open_input_scene(const SceneInput& input);
// The same; the listener is informed what the scene has from other files, and which marked pixels are left out.
InputScene open_input_scene(const SceneInput& input, Listener& listener);

// Warns where a scene to be trained on or labelled is a map or layer that `classify` has made.
void warn_of_own_output(const std::string& scene, Listener& listener);

// Puts in order what a killed command has left in the folders of these files (repair_outputs()), and warns of the files
// that have their earlier content again. To be called before the first of them is opened.
void repair_files(const std::vector<std::string>& files, Listener& listener);

// All files that an input consists of: those of a product, else dataset_files().
std::vector<std::string> files_of_input(const std::string& path);

// Keeps outputs from replacing the scene, its side files and its mask.
void add_inputs(OutputSet& outputs, const InputScene& scene);
// The same for any file, and its side files where GDAL opens it.
void add_inputs(OutputSet& outputs, const std::string& role, const std::string& path);

// Opens a scene without mask; `choice` says which array of a MATLAB file is the scene.
OpenScene open_scene_file(const std::string& path, const MatlabSceneChoice& choice);

struct LabelInput {
  // One class raster or MATLAB file, or several files that are read as one: vector files, tables of points, regions of
  // interest of ENVI.
  std::vector<std::string> files;
  LabelOptions options = {};
  std::optional<std::string> variable = {};     // array of a MATLAB file, where its shape does not tell which
  std::optional<std::string> class_table = {};  // file of `options.rules` (read_class_rules())
};

// Labels on the grid of the scene called `grid_name`. Errors as read_labels() and read_matlab_labels(); ConfigError:
// options of a vector file for a MATLAB file, a variable of another file.
LabelledPixels read_label_input(const LabelInput& input, const RasterGrid& grid, const std::string& grid_name);
// The same on the grid of a scene. Labels with map coordinates are brought to the pixels of a scene in the sensor's own
// geometry by its lookup table (scene/sensor_geometry.hpp), which is said to the listener.
LabelledPixels read_label_input(const LabelInput& input, SceneSource& scene);
// ConfigError: a column of x without one of y, or the other way round. Reads the rules of the class table into the
// options, where they are not there yet; what is odd about the file is said to the listener. DataError as
// read_class_rules().
void complete_label_options(LabelInput& input, Listener& listener);
// Tells the listener how the labels were read.
void tell_reading(const LabelledPixels& labels, Listener& listener);

// Colours the classes, and warns of rules that mean none of them.
void apply_colours(const std::vector<ColourRule>& rules, ClassTable& classes, Listener& listener);
// The rules of the file; none without one. A .json object or lines as read_colour_list(), by the extension. ConfigError
// as read_colour_file() and read_colour_list(); the listener is warned of a file that is not UTF-8.
std::vector<ColourRule> read_colour_rules(const std::optional<std::string>& path, Listener& listener);

// True for a name that ends in .mat.
bool is_matlab_file(const std::string& path);

// A file of labels or a map, with its digest where it is a plain file.
InputFile label_file(const std::string& path);

// Files in the place of another argument, such as labels where the scene should stand.

enum class Argument { scene, labels, map, model, model_to_write };

// DataError where the file at `path` is of a kind that does not belong to `argument`, and nothing otherwise: what the
// file is, and what the argument stands for. For files that could not be read as what they should be, since it opens
// them. Of a model to write, a raster or vector file is refused (ConfigError), whatever may be replaced.
void refuse_other_kind(const std::string& path, Argument argument);

// Whether the model was trained on a scene of this name and size.
bool is_of_training(const Model& model, const std::string& scene, const RasterGrid& grid);

// The bands of a model in the scene that it is applied to.

// Leaves the bands of a scene as they are that has those of the model. Another becomes one whose bands are computed
// from its own, where `resample` allows that; bands that it marks as bad do not count. Returns how that was done.
// Pixels that hold fill are left out, as the model knows it (screen_nodata()). The listener is informed of what is not
// sure. DataError: the scene lacks bands (the message says where resampling would help), or, with `resample`, as
// plan_resampling().
std::optional<ResamplingFacts> fit_bands(InputScene& scene, const Model& model, bool resample, Listener& listener);

// Leaves out the pixels of fill that nobody declared, as the range of the training values says, unless --nodata
// decides.
void screen_nodata(InputScene& scene, const ValueRange& known);
// Says how many were left out since the screen began to count.
void tell_nodata(const InputScene& scene, Listener& listener);

}  // namespace parsimap
