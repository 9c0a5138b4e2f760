// The folder of the parts of a map, MAP.parts: the plan, and a folder of its own for every part, so that processes that
// make different parts never touch the same files.
//
//   plan.json        what all parts have in common
//   NUMBER/part.json  what the part is; it appears last, and with it the part is complete
//   NUMBER/map.tif, NUMBER/confidence.tif, ...  its rows of the map and of the layers
#pragma once

#include <optional>
#include <string>

#include "parsimap/report/map_parts.hpp"

namespace parsimap {

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

// The file of a planned layer, seen from the folder in which the program runs.
std::string layer_path(const std::string& map, const PlannedLayer& layer);
// The same the other way round: as a plan names it.
std::string planned_path(const std::string& map, const std::string& file);

}  // namespace parsimap
