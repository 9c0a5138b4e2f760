// McNemar's test of two maps held against the same reference: are they right equally often? Only pixels where one of
// them alone is right say anything.
#pragma once

#include <cstdint>

namespace parsimap {

struct PairedCounts {
  std::int64_t both_right = 0;
  std::int64_t first_only = 0;   // right in the first map alone
  std::int64_t second_only = 0;  // right in the second map alone
  std::int64_t both_wrong = 0;

  [[nodiscard]] std::int64_t pixels() const { return both_right + first_only + second_only + both_wrong; }
  [[nodiscard]] std::int64_t discordant() const { return first_only + second_only; }
};

struct McNemarTest {
  bool exact = false;
  double statistic = 0;  // chi-square, one degree of freedom; 0 when exact
  double p_value = 1;    // two-sided
};

// Fewer than 25 discordant pixels: exact, the binomial distribution of first_only in b + c trials at 1/2. Otherwise the
// chi-square distribution of (|b - c| - 1)^2 / (b + c), with Edwards' continuity correction.
McNemarTest mcnemar_test(const PairedCounts& counts);

}  // namespace parsimap
