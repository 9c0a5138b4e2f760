#include "parsimap/classifier/training_memory.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap {

TEST_CASE("training has as many classes in work as memory allows, and says when it allows none") {
  TrainingOptions options;
  options.criterion = CriterionKind::radius_margin;
  options.support = SupportRule::all;
  options.threads = 2;
  const std::int64_t two = training_bytes(2000, 50, options);
  CHECK(classes_at_once(2000, 50, 0, options, two) == 2);
  CHECK(classes_at_once(2000, 50, 0, options, two - 1) == 1);
  options.threads = 3;
  CHECK(classes_at_once(2000, 50, 0, options, two) == 2);
  options.threads = 1;
  CHECK(classes_at_once(2000, 50, 0, options, two) == 1);
  options.threads = 2;
  CHECK(classes_at_once(2000, 50, 30, options, two) == 1);
  CHECK(classes_at_once(2000, 50, 30, options, training_bytes(2000, 50, options, 30)) == 2);
  CHECK_THROWS_WITH_AS(classes_at_once(50000, 100, 0, options, std::int64_t{24} << 30U),
                       "training on 50000 pixels takes about 57373 MB of memory, and 24576 MB may be used; use fewer "
                       "with --samples-per-class",
                       ConfigError);
  CHECK(machine_memory_bytes() > std::int64_t{1} << 28U);
}

}  // namespace parsimap
