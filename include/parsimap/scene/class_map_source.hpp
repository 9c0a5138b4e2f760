// The contract of a raster of class codes: a map, or reference labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

class ClassMapSource {
 public:
  virtual ~ClassMapSource() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const RasterGrid& grid() const = 0;
  // The codes that occur in the raster, without 0, ascending; a class without a name is named by its code.
  [[nodiscard]] virtual const ClassTable& classes() const = 0;
  // Sentences about names that were read otherwise than they stand in the file.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  // True where the raster itself names its classes.
  [[nodiscard]] virtual bool has_names() const = 0;
  // The codes of `window` in row-major order, 0 where there is none. Not to be called from two threads at once.
  // Throws IoError.
  virtual void read(const Window& window, std::vector<std::uint16_t>& codes) = 0;
  // To be called after the last read. IoError when a file behind the raster changed while it was read.
  virtual void check_unchanged() const {}
};

}  // namespace parsimap
