#include "window_loop.hpp"

#include <chrono>
#include <cstdint>
#include <future>
#include <utility>

namespace parsimap {

double for_each_window(SceneSource& scene, const Indices& bands, const std::vector<Window>& windows,
                       const std::function<void(const ValidSpectra&)>& use, const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  WindowReader reader(scene, bands);
  const auto read = [&](std::size_t i) {
    const Clock::time_point start = Clock::now();
    ValidSpectra input = reader.read(windows[i]);
    return std::pair(std::move(input), std::chrono::duration<double>(Clock::now() - start).count());
  };
  double read_seconds = 0;
  if (windows.empty()) {
    return read_seconds;
  }
  std::int64_t pixels = 0;
  for (const Window& window : windows) {
    pixels += window.pixels();
  }
  // There is one reader at a time, for sources need not be safe for several: a window is asked for only when the one
  // before has been received.
  std::future<std::pair<ValidSpectra, double>> next = std::async(std::launch::async, read, std::size_t{0});
  std::int64_t done = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto [input, seconds] = next.get();
    read_seconds += seconds;
    if (i + 1 < windows.size()) {
      next = std::async(std::launch::async, read, i + 1);
    }
    use(input);
    done += windows[i].pixels();
    if (progress) {
      progress(static_cast<double>(done) / static_cast<double>(pixels));
    }
  }
  return read_seconds;
}

}  // namespace parsimap
