#include "parsimap/commands/serve/serve.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <vector>

#include "parsimap/core/error.hpp"

#include "small_session.hpp"

namespace parsimap::test {
namespace {

// A session by its pipe: requests that are there from the beginning, and what is written for each.
std::vector<std::string> answers_to(const std::string& requests) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  REQUIRE(write(ends[1], requests.data(), requests.size()) == static_cast<ssize_t>(requests.size()));
  close(ends[1]);
  ServeOptions options;
  options.stdio = true;
  options.threads = 1;
  Listener listener;
  std::vector<std::string> written;
  serve_session(
      options, ends[0], [&](const std::string& bytes) { written.push_back(bytes); }, listener);
  close(ends[0]);
  return written;
}

Answer answer_in(const std::string& line) { return Answer::parse(line.substr(0, line.find('\n'))); }

std::string request_line(const Answer& request) { return request.dump() + "\n"; }

}  // namespace

TEST_CASE("without --stdio nothing is served") {
  Listener listener;
  CHECK_THROWS_AS(serve_session(
                      {}, 0, [](const std::string&) {}, listener),
                  ConfigError);
}

TEST_CASE("a session says what it is, and a request that is wrong is answered and the next one done") {
  const std::string big = request_line({{"id", 7}, {"request", "open"}, {"scene", std::string(3000, 'x')}});
  const auto written =
      answers_to("nonsense\n" + request_line({{"id", 1}, {"request", "train"}}) + "\n" + big +
                 request_line({{"id", 8}, {"request", "cancel"}}) + "{\"id\": 9, \"request\": \"cancel\"");
  REQUIRE(written.size() == 7);
  CHECK(answer_in(written[0])["protocol"] == kSessionProtocol);
  CHECK(answer_in(written[1])["id"].is_null());
  CHECK(answer_in(written[1])["error"]["code"] == "wrong-usage");
  CHECK(answer_in(written[2])["id"] == 1);
  CHECK(answer_in(written[2])["ok"] == false);
  CHECK(answer_in(written[3])["ok"] == false);
  // All that came before the request to cancel was waiting when it did.
  CHECK(answer_in(written[4])["error"]["code"] == "cancelled");
  CHECK(answer_in(written[5])["ok"] == true);
  CHECK(answer_in(written[6])["error"]["code"] == "wrong-usage");
}

TEST_CASE("all requests are done before the end of the pipe ends the session, and a frame follows its answer") {
  const Answer open = {{"id", 0},
                       {"request", "open"},
                       {"scene", SmallScene::instance().scene()},
                       {"options", {{"kernel", "gaussian"}, {"spatial", "none"}}}};
  Answer pixels = Answer::array();
  Answer others = Answer::array();
  for (int i = 0; i < 8; ++i) {
    pixels.push_back({2 + i, 3});
    others.push_back({2 + i, 20});
  }
  const Answer labels = {{"id", 1},
                         {"request", "labels"},
                         {"set",
                          {{{"feature", "p"}, {"class", "water"}, {"pixels", pixels}},
                           {{"feature", "q"}, {"class", "forest"}, {"pixels", others}}}}};
  const auto written =
      answers_to(request_line(open) + request_line(labels) + request_line({{"id", 2}, {"request", "train"}}) +
                 request_line({{"id", 3}, {"request", "classify"}, {"step", 4}}));
  std::vector<std::string> answers;
  for (const std::string& each : written) {
    if (!answer_in(each).contains("progress")) {
      answers.push_back(each);
    }
  }
  REQUIRE(answers.size() == 5);
  CHECK(answer_in(answers[1])["width"] == 30);
  CHECK(answer_in(answers[2])["pixels"] == 16);
  CHECK(answer_in(answers[3])["ok"] == true);
  const std::size_t frame = answer_in(answers[4])["frame_bytes"];
  CHECK(frame == 2 * 8 * 6);
  CHECK(answers[4].size() == answers[4].find('\n') + 1 + frame);
}

TEST_CASE("a session ends with an error where nobody reads the answers any more") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const std::string request = request_line({{"id", 1}, {"request", "train"}});
  REQUIRE(write(ends[1], request.data(), request.size()) == static_cast<ssize_t>(request.size()));
  ServeOptions options;
  options.stdio = true;
  Listener listener;
  int written = 0;
  const auto fail = [&](const std::string&) {
    if (++written > 1) {
      throw IoError("nobody reads");
    }
  };
  CHECK_THROWS_AS(serve_session(options, ends[0], fail, listener), IoError);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace parsimap::test
