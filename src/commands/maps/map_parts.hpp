// Maps that several processes make together: what a map is made of, its parts, and maps of many scenes that are made
// once.
//
// The parts of a map are in the folder MAP.parts: the plan, and a folder of its own for every part, so that processes
// that make different parts never touch the same files.
//
//   plan.json        what all parts have in common
//   NUMBER/part.json  what the part is; it appears last, and with it the part is complete
//   NUMBER/map.tif, NUMBER/confidence.tif, ...  its rows of the map and of the layers
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/report/map_parts.hpp"

namespace parsimap {

inline constexpr const char* kModelDigestFact = "the SHA-256 of the model";

enum class PartState { complete, missing, foreign, damaged };

struct FoundPart {
  PartState state = PartState::missing;
  MapPart part;        // where it is complete
  std::string reason;  // where it is damaged
};

class PartsFolder {
 public:
  explicit PartsFolder(const std::string& map);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string plan_file() const;
  [[nodiscard]] std::string part_folder(Index number) const;
  [[nodiscard]] std::string record_file(Index number) const;
  // `what` is "map", or the option of a layer.
  [[nodiscard]] std::string raster(Index number, const std::string& what) const;

  // None where there is no plan. DataError where it is damaged.
  [[nodiscard]] std::optional<MapPlan> plan() const;
  // The part, whose files are read and compared with their checksums. A part of another plan is foreign.
  [[nodiscard]] FoundPart find(const MapPlan& plan, Index number) const;
  // Removes the folder with all that parsimap has put there. What else is in it stays, and so does the folder then;
  // false in this case, and where something cannot be removed.
  [[nodiscard]] bool remove() const;

 private:
  std::string path_;
};

// What the parts are together, or each by itself; `map` is the file that they are, or will be, joined to.
MappingRecord record_of_parts(const MapPlan& plan, const std::string& map, const std::vector<MapPart>& parts);

// Adds the time of what was found once for all parts.
void add_choice(const MapPlan& plan, MappingRecord& record);

// The files of the planned layers, seen from the folder in which the program runs.
std::map<MapLayer, std::string> layers_of(const MapPlan& plan, const std::string& map);
// The same the other way round: as a plan names it.
std::string planned_path(const std::string& map, const std::string& file);

// The files of one part of a map: plain GeoTIFFs of its rows, and a record that appears last.

class PartOutputs {
 public:
  // Makes the folder of the part. ConfigError and IoError as stage_raster() and create_class_map().
  PartOutputs(const PartsFolder& folder, const MapPlan& plan, const Shard& shard);
  ~PartOutputs();

  // Sinks that take windows of the whole map, in the rows of the part. None of a part without rows.
  [[nodiscard]] const MapOutputs& sinks() const { return sinks_; }
  // Completes the rasters and lists them in `part`. IoError.
  void complete(MapPart& part);
  // Puts them in place with the record. IoError.
  void publish(const MapPart& part);

 private:
  struct Rasters;

  OutputSet set_;
  const StagedOutput* record_ = nullptr;
  std::vector<const StagedOutput*> staged_;  // the map first, then the layers
  std::unique_ptr<Rasters> rasters_;
  MapOutputs sinks_;
};

// What a map is made of: by it, a process knows whether the work of another one belongs to its own.

using MapFacts = std::vector<std::pair<std::string, std::string>>;

// Names and values of all that decides what is in the map and its layers: the version of the program, the number of
// parts, digests of the scene, of its mask and of the model, which has the colours that are wanted, and options.
// Neither the names of these files nor threads and memory are among them. IoError where a file cannot be read.
MapFacts map_facts(const MapOptions& options, Index parts, const InputScene& scene, const Model& model);

// A map of a whole scene that is made once, however often it is asked for: processes share out scenes, and are started
// again when they were killed.

// map_scene(), beside which the file `record` says what the map was made of. Where it says that this very map is there
// and the files are of the sizes that they had, nothing is computed. A map that was begun for the same job, by
// a process that was killed, is replaced. Errors as map_scene(), and none of a record that cannot be read.
MappingRecord map_once(const MapOptions& options, const std::string& record, Listener& listener);

}  // namespace parsimap
