// The files that `classify` writes: the class map, whatever fields are asked for, and the report. They appear together
// or not at all.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/staged_file.hpp"
#include "parsimap/io/gdal/map_output.hpp"
#include "parsimap/mapping/classify_scene.hpp"

#include "command_line.hpp"
#include "paths.hpp"

namespace parsimap {

struct MapFiles {
  std::string map;
  std::map<MapLayer, std::string> layers;  // those that are asked for
  OutputOptions output;                    // of all of them
  std::optional<std::string> report;       // a page, not a raster
};

// The option of every layer of map_layers(), --of, --co, --report.
std::vector<OptionSyntax> map_output_syntax();
// Their values, and those of the argument MAP and of --overwrite.
MapFiles map_files(const OptionValues& values);

// Every raster as "MAP" or by its option, the map first.
std::vector<NamedPath> named_paths(const MapFiles& files);

// The sinks of one run.
class MapFileSinks {
 public:
  // Errors as create_class_map() and create_field().
  MapFileSinks(const MapFiles& files, const RasterGrid& grid, const ClassTable& classes);

  [[nodiscard]] MapOutputs sinks() const;

  // The text of the report, where one is asked for, before commit().
  void write_report(const std::string& html);

  // The map comes last: where it is, the rest is too. An output that is there already when a later one fails is taken
  // away again, unless it has replaced another. Errors as commit() of the sinks.
  void commit();

 private:
  struct Field {
    std::string path;
    std::unique_ptr<FieldSink> sink;
  };

  MapFiles files_;
  std::map<MapLayer, Field> fields_;
  std::unique_ptr<StagedFile> report_;
  std::unique_ptr<ClassMapSink> map_;
};

}  // namespace parsimap
