#include "parsimap/validation/folds.hpp"

#include <Eigen/SparseCore>

#include <algorithm>
#include <functional>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/unit_design.hpp"

namespace parsimap {

namespace {

// Random streams of folds. They begin above those of draws, which have the numbers of classes.
constexpr std::uint64_t kFoldStream = std::uint64_t{1} << 32U;

// How many samples of each class (column) a group (row) has.
using GroupCounts = Eigen::SparseMatrix<double, Eigen::RowMajor>;

GroupCounts group_counts(const std::vector<int>& labels, std::size_t classes, const Ranks& group_of) {
  std::vector<Eigen::Triplet<double, Index>> samples;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    samples.emplace_back(group_of.places[i], labels[i], 1);
  }
  GroupCounts counts(group_of.count, static_cast<Index>(classes));
  counts.setFromTriplets(samples.begin(), samples.end());
  return counts;
}

// From large to small, because a large group can be balanced by the small ones that follow it, but not the other way
// round. Sizes are compared by their powers of two, with random order in between: exact sizes would make all repeats
// alike.
Indices random_order(const Vector& sizes, Random random) {
  Indices order = random.permutation(sizes.size());
  std::ranges::stable_sort(order, std::greater(), [&](Index i) { return std::ilogb(sizes(i)); });
  return order;
}

// Gives each group in random order to the fold in which its classes weigh least, sum_c g_c n_fc / N_c^2, and of equals
// to the fold with the fewest samples.
std::vector<Index> share_out(const GroupCounts& groups, Index folds, const Random& random) {
  const Vector sizes = groups * Vector::Ones(groups.cols());
  const Vector totals = groups.transpose() * Vector::Ones(groups.rows());  // N_c
  // The cost of a fold is the increase, up to a constant, of sum_fc (n_fc / N_c)^2 by the group: for each of its
  // classes ((n + g)^2 - n^2) / N_c^2 = (2 n g + g^2) / N_c^2, of which the second term is the same for all folds.
  Matrix load = Matrix::Zero(folds, totals.size());  // n_fc
  Vector samples = Vector::Zero(folds);
  std::vector<Index> fold_of_group(static_cast<std::size_t>(groups.rows()));
  for (const Index g : random_order(sizes, random)) {
    Vector cost = Vector::Zero(folds);
    for (GroupCounts::InnerIterator of_class(groups, g); of_class; ++of_class) {
      cost += of_class.value() / (totals(of_class.col()) * totals(of_class.col())) * load.col(of_class.col());
    }
    const auto load_of = [&](Index f) { return std::pair(cost(f), samples(f)); };
    const Index best = std::ranges::min(consecutive(folds), {}, load_of);
    load.row(best) += groups.row(g);
    samples(best) += sizes(g);
    fold_of_group[static_cast<std::size_t>(g)] = best;
  }
  return fold_of_group;
}

Fold fold_of(const std::vector<Index>& assigned, Index repeat, Index number, const Matrix& positions, double buffer) {
  Fold fold{rows_of_fold(assigned, number), repeat, number};
  const Index others = std::ssize(fold.train);
  // What lies nearer to a tested sample than the buffer is neither trained on nor tested.
  fold.train = outside_buffer(positions, fold.train, fold.test, buffer);
  fold.buffered = others - std::ssize(fold.train);
  return fold;
}

// Takes the classes that cannot be trained out of the test.
void drop_untrained(const std::vector<int>& labels, std::size_t classes, Fold& fold) {
  // A class of which buffer and fold leave no training sample cannot be assigned by the classifier: its test samples
  // would all count as errors, whatever the classifier is worth.
  const std::vector<Index> counts = class_counts(values_at(labels, fold.train), classes);
  const auto untrained = [&](Index i) {
    return counts[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])] == 0;
  };
  for (std::size_t c = 0; c < classes; ++c) {
    if (counts[c] == 0) {
      fold.untrained.push_back(static_cast<int>(c));
    }
  }
  fold.untested = static_cast<Index>(std::erase_if(fold.test, untrained));
}

}  // namespace

std::vector<Index> assign_folds(const std::vector<int>& labels, std::size_t classes,
                                const std::vector<SampleUnit>& units, Index folds, std::uint64_t seed,
                                std::uint64_t repeat) {
  // Folds are found for groups, and every sample has the fold of its group.
  const Ranks group_of = ranks(units);
  const GroupCounts groups = group_counts(labels, classes, group_of);
  return values_at(share_out(groups, folds, Random(seed, kFoldStream + repeat)), group_of.places);
}

FoldRows rows_of_fold(const std::vector<Index>& fold_of, Index fold) {
  FoldRows rows;
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    (fold_of[i] == fold ? rows.test : rows.train).push_back(static_cast<Index>(i));
  }
  return rows;
}

std::vector<Index> fold_of_rows(const std::vector<FoldRows>& folds, Index n) {
  std::vector<Index> fold_of(static_cast<std::size_t>(n), 0);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (const Index i : folds[f].test) {
      fold_of[static_cast<std::size_t>(i)] = static_cast<Index>(f);
    }
  }
  return fold_of;
}

Indices outside_buffer(const Matrix& positions, const Indices& candidates, const Indices& tested, double distance) {
  if (!(distance > 0)) {
    return candidates;
  }
  const std::vector<double> distances =
      nearest_distances(positions(candidates, Eigen::all), positions(tested, Eigen::all));
  return values_at(candidates,
                   indices_where(candidates.size(), [&](std::size_t i) { return distances[i] >= distance; }));
}

FoldPlan plan_folds(const std::vector<int>& labels, std::size_t classes, const std::vector<SampleUnit>& units,
                    const Matrix& positions, const FoldDesign& design) {
  FoldPlan plan{design, unit_count(units), units_by_class(labels, classes, units), {}};
  if (plan.groups < design.folds) {
    throw DataError("the training pixels form " + std::to_string(plan.groups) + " groups, which cannot make " +
                    std::to_string(design.folds) + " folds");
  }
  // The repeats differ by the random order in which the groups are shared out. A fold that cannot be used, since
  // nothing of it can be tested or fewer than two classes can be trained, is left out of the plan.
  for (Index repeat = 0; repeat < design.repeats; ++repeat) {
    const std::vector<Index> assigned =
        assign_folds(labels, classes, units, design.folds, design.seed, static_cast<std::uint64_t>(repeat));
    for (Index number = 0; number < design.folds; ++number) {
      Fold fold = fold_of(assigned, repeat, number, positions, design.buffer);
      drop_untrained(labels, classes, fold);
      // At least two classes must be trained, and a sample of one of them be tested.
      if (!fold.test.empty() && fold.untrained.size() + 2 <= classes) {
        plan.folds.push_back(std::move(fold));
      }
    }
  }
  if (plan.folds.empty()) {
    throw DataError("no fold can train two classes and test one of them: every class needs pixels in two groups" +
                    std::string(design.buffer > 0 ? " farther apart than the buffer" : ""));
  }
  return plan;
}

}  // namespace parsimap
