// A session on the small scene, labelled by squares.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/gdal/raster/class_map.hpp"

#include "commands/serve/label_session.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

// A square of 4 x 4 pixels from this one on, of a scene whose geotransform is that of an answer to `open`.
inline Answer square_label(const Answer& opened, const std::string& feature, const std::string& name, int column,
                           int row) {
  const std::array<double, 6> g = opened["geotransform"];
  Answer ring = Answer::array();
  for (const auto& [across, down] : {std::array{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}) {
    ring.push_back({g[0] + (column + across) * g[1], g[3] + (row + down) * g[5]});
  }
  return {{"feature", feature}, {"class", name}, {"geometry", {{"type", "Polygon"}, {"coordinates", {ring}}}}};
}

// The class that the reference has at a pixel.
inline std::string class_at(int column, int row) {
  std::vector<std::uint16_t> codes;
  open_class_map(SmallScene::instance().reference())->read({column, row, 1, 1}, codes);
  return codes.front() == 1 ? "water" : "forest";
}

struct SmallSession {
  SmallSession() : session(job, listener) {
    job.threads = 1;
    opened = session.open(
        {{"scene", SmallScene::instance().scene()}, {"options", {{"spatial", "none"}, {"kernel", "gaussian"}}}});
  }
  [[nodiscard]] Answer square(const std::string& feature, int column, int row, const std::string& name = {}) const {
    return square_label(opened, feature, name.empty() ? class_at(column, row) : name, column, row);
  }
  // A square in each block of the scene.
  void label() {
    session.change_labels({{"set",
                            {square("a", 2, 2), square("b", 14, 2), square("c", 25, 2), square("d", 2, 14),
                             square("e", 14, 14), square("f", 25, 14)}}});
  }

  JobOptions job;
  SessionListener listener;
  LabelSession session;
  Answer opened;
};

}  // namespace parsimap::test
