#include "samples_file.hpp"

#include <filesystem>
#include <memory>
#include <system_error>

#include "parsimap/io/gdal/points.hpp"
#include "parsimap/io/json/model_file.hpp"

namespace parsimap {
namespace {

std::unique_ptr<PointSink> stage_samples(const std::string& path, const RasterGrid& grid, const SampleSet& samples,
                                         bool overwrite) {
  auto sink = create_points(path, grid,
                            {{"class", PointFieldKind::text},
                             {"code", PointFieldKind::integer},
                             {"region", PointFieldKind::integer},
                             {"row", PointFieldKind::integer},
                             {"column", PointFieldKind::integer}},
                            overwrite);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    const ClassEntry& entry = samples.classes[static_cast<std::size_t>(samples.labels[i])];
    const std::int64_t pixel = samples.pixels[i];
    sink->add(pixel,
              {entry.name, std::int64_t{entry.code}, samples.regions[i], pixel / grid.width, pixel % grid.width});
  }
  sink->close();
  return sink;
}

}  // namespace

OptionSyntax samples_file_option() {
  return {.name = "samples-out",
          .kind = OptionKind::text,
          .value_name = "FILE",
          .help = "Also write the pixels trained on as points, in the format of the extension such as .gpkg"};
}

void save_model_and_samples(const Model& model, const std::string& model_path, const SampleSet& samples,
                            const RasterGrid& grid, const std::string& samples_path, bool overwrite) {
  std::error_code ignored;
  const bool fresh = !std::filesystem::exists(samples_path, ignored);
  stage_samples(samples_path, grid, samples, overwrite)->commit();
  try {
    save_model(model, model_path, overwrite);
  } catch (...) {
    if (fresh) {
      std::filesystem::remove(samples_path, ignored);
    }
    throw;
  }
}

}  // namespace parsimap
