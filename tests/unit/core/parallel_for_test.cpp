#include "parsimap/core/parallel_for.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap::test {

TEST_CASE("parallel_for: every index is visited exactly once for any number of threads") {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> visits(1000, 0);
    parallel_for(1000, threads, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; });
    CHECK(visits == std::vector<int>(1000, 1));
  }
}

TEST_CASE("parallel_for: nothing to do") {
  bool called = false;
  parallel_for(0, 4, [&](Index) { called = true; });
  CHECK_FALSE(called);
}

TEST_CASE("parallel_for: an exception reaches the caller and stops what has not started") {
  std::atomic<int> calls{0};
  std::string message;
  try {
    parallel_for(100000, 2, [&](Index i) {
      ++calls;
      if (i == 3) {
        throw std::runtime_error("index 3");
      }
      // Otherwise the other thread could be through before this one is given a processor.
      std::this_thread::sleep_for(std::chrono::milliseconds(i > 3 ? 1 : 0));
    });
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  CHECK(message == "index 3");
  CHECK(calls < 100000);
}

TEST_CASE("parallel_for: inner loops visit every index once, however deep") {
  for (const int threads : {1, 2, 3, 7}) {
    for (const int at_once : {1, 2, 9}) {
      std::vector<int> visits(5 * 40 * 3, 0);
      parallel_for(5, threads, at_once, [&](Index i) {
        parallel_for(40, threads, [&](Index j) {
          parallel_for(3, threads, [&](Index k) { ++visits[static_cast<std::size_t>((i * 40 + j) * 3 + k)]; });
        });
      });
      CHECK(visits == std::vector<int>(visits.size(), 1));
    }
  }
}

TEST_CASE("parallel_for: threads without an index of the outer loop take part in the inner one") {
  // The indices of the inner loop wait for each other, so that one thread alone would never get through.
  std::atomic<int> arrived{0};
  parallel_for(1, 2, [&](Index) {
    parallel_for(2, 2, [&](Index) {
      ++arrived;
      while (arrived < 2) {
        std::this_thread::yield();
      }
    });
  });
  CHECK(arrived == 2);
}

TEST_CASE("parallel_for: no more threads than asked for, and no more indices at once") {
  std::atomic<int> outer{0};
  std::atomic<int> inner{0};
  std::atomic<int> most_outer{0};
  std::atomic<int> most_inner{0};
  const auto in_work = [](std::atomic<int>& now, std::atomic<int>& most, const auto& body) {
    const int count = ++now;
    int known = most;
    while (known < count && !most.compare_exchange_weak(known, count)) {
    }
    body();
    --now;
  };
  parallel_for(6, 3, 2, [&](Index) {
    in_work(outer, most_outer, [&] {
      parallel_for(8, 3, [&](Index) {
        in_work(inner, most_inner, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
      });
    });
  });
  CHECK(most_outer <= 2);
  CHECK(most_inner <= 3);
}

TEST_CASE("parallel_for: a process made by fork() has loops again") {
  // Threads that are kept for the next loop do not exist there, as in the processes of Python's multiprocessing.
  const auto sum = [] {
    std::atomic<Index> added{0};
    parallel_for(8, 4, [&](Index i) { added += i; });
    return added.load();
  };
  REQUIRE(sum() == 28);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(sum() == 28 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("parallel_for: an exception of an inner loop reaches the caller of the outer one") {
  for (const int threads : {1, 2, 3, 7}) {
    std::string message;
    try {
      parallel_for(2, threads, [&](Index i) {
        parallel_for(50, threads, [&](Index j) {
          if (i == 1 && j == 20) {
            throw std::runtime_error("inner 20");
          }
        });
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    CHECK(message == "inner 20");
  }
}

TEST_CASE("resolve_threads: zero stands for all processors") {
  CHECK(resolve_threads(3) == 3);
  CHECK(resolve_threads(0) >= 1);
}

namespace {

Matrix sum_with(Matrix lower, const Matrix& a, double factor, int threads) {
  add_self_product(lower, a, factor, threads);
  return lower;
}

}  // namespace

TEST_CASE("self product: that of Eigen, below the diagonal alone, whole tiles or not") {
  for (const Index n : {1, 127, 128, 300, 1100}) {
    INFO("n = ", n);
    const Matrix a = Random(static_cast<std::uint64_t>(n)).normal_matrix(n, 7);
    const Matrix before = Matrix::Constant(n, n, 0.5);
    const Matrix sum = sum_with(before, a, -2, 1);
    const Matrix expected = before - 2 * a * a.transpose();
    CHECK(Matrix((sum - expected).triangularView<Eigen::Lower>()).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(Matrix(sum.triangularView<Eigen::StrictlyUpper>()) == Matrix(before.triangularView<Eigen::StrictlyUpper>()));
  }
}

TEST_CASE("self product: the same bits for any number of threads") {
  const Matrix a = Random(3).normal_matrix(700, 40);
  const Matrix zero = Matrix::Zero(700, 700);
  const Matrix one = sum_with(zero, a, 1, 1);
  for (const int threads : {2, 3, 7}) {
    CHECK(sum_with(zero, a, 1, threads) == one);
  }
}

TEST_CASE("self product: of a transpose") {
  const Matrix a = Random(4).normal_matrix(60, 140);
  Matrix lower = Matrix::Zero(140, 140);
  add_self_product(lower, a.transpose(), 1, 2);
  CHECK(Matrix((lower - a.transpose() * a).triangularView<Eigen::Lower>()).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("a shard is its number and how many there are") {
  CHECK(parse_shard("3/64") == Shard{3, 64});
  CHECK(parse_shard("1/1") == Shard{1, 1});
  CHECK(to_string(Shard{3, 64}) == "3/64");
  for (const char* text : {"", "3", "/", "3/", "/64", "0/64", "65/64", "-1/64", "3/64/1", "3 / 64", "1/1000001"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_shard(text), ConfigError);
  }
}

TEST_CASE("where parts are planned, 0 stands for what they have in common") {
  CHECK(parse_shard_or_plan("0/64") == Shard{0, 64});
  CHECK(parse_shard_or_plan("64/64") == Shard{64, 64});
  CHECK_THROWS_AS(parse_shard_or_plan("0/0"), ConfigError);
  CHECK_THROWS_WITH_AS(parse_shard_or_plan("65/64"),
                       "shard '65/64' is not NUMBER/COUNT such as 3/64, with 0 <= NUMBER <= COUNT <= 1000000",
                       ConfigError);
}

TEST_CASE("the shards of a job are all items, each once, in shares that differ by one item at most") {
  for (const Index items : {0, 1, 7, 64, 1000}) {
    for (const Index count : {1, 3, 7, 64}) {
      CAPTURE(items);
      CAPTURE(count);
      Index next = 0;
      for (Index number = 1; number <= count; ++number) {
        const ItemRange range = share_of({number, count}, items);
        CHECK(range.first == next);
        CHECK(range.size() >= items / count);
        CHECK(range.size() <= items / count + 1);
        next = range.last;
      }
      CHECK(next == items);
    }
  }
}

TEST_CASE("shares of more items than fit into memory are whole") {
  constexpr Index kMost = std::numeric_limits<Index>::max();
  CHECK(share_of({1000, 1000}, kMost).last == kMost);
}

}  // namespace parsimap::test
