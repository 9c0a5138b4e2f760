#include "parsimap/commands/serve/serve.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <new>
#include <utility>

#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/session_request.hpp"

#include "../common_options.hpp"
#include "../job_frame.hpp"
#include "label_session.hpp"
#include "line_reader.hpp"

namespace parsimap {

namespace {

constexpr std::size_t kLongestLine = kLargestConfiguration;
constexpr double kSecondsBetweenProgress = 0.25;
constexpr std::int64_t kLeastRam = std::int64_t{512} << 20U;

// Stops the work on a request.
class Cancelled : public IoError {
 public:
  Cancelled() : IoError("cancelled") {}
};

// The request of a line as far as it is one.
Answer parsed(const std::string& line) { return Answer::parse(line, nullptr, false); }

bool is_cancel(const std::string& line) {
  const Answer request = line.find("cancel") == std::string::npos ? Answer() : parsed(line);
  return request.is_object() && request.contains("request") && request["request"] == "cancel";
}

class Server final : private SessionListener {
 public:
  Server(const ServeOptions& options, int descriptor, std::function<void(const std::string&)> write, Listener& outer)
      : session_(options, *this), reader_(descriptor, kLongestLine), write_(std::move(write)), outer_(outer) {}

  void run() {
    const Progress interrupted = outer_.progress("serving");
    say({{"parsimap", PARSIMAP_VERSION}, {"protocol", kSessionProtocol}});
    while (!reader_.ended() || !reader_.lines().empty()) {
      if (interrupted) {
        interrupted(0);
      }
      if (reader_.lines().empty()) {
        read(true);
        continue;
      }
      const InputLine line = std::move(reader_.lines().front());
      reader_.lines().pop_front();
      answer(line);
    }
  }

 private:
  // Marks what a request to cancel stops: all that came before it.
  void read(bool wait) {
    const std::size_t before = reader_.lines().size();
    reader_.read(wait);
    auto& lines = reader_.lines();
    for (std::size_t i = before; i < lines.size(); ++i) {
      if (!lines[i].too_long && is_cancel(lines[i].text)) {
        stopped_ = true;
        for (std::size_t k = 0; k < i; ++k) {
          lines[k].cancelled = !is_cancel(lines[k].text);
        }
      }
    }
  }

  void check() {
    read(false);
    if (stopped_) {
      throw Cancelled();
    }
  }

  Progress progress(const std::string& stage) override {
    return [this, stage, outer = outer_.progress(stage)](double fraction) {
      if (outer) {
        outer(fraction);
      }
      check();
      if (watch_.seconds() - progress_seconds_ > kSecondsBetweenProgress) {
        progress_seconds_ = watch_.seconds();
        say({{"id", id_}, {"progress", {{"stage", stage}, {"fraction", fraction}}}});
      }
    };
  }
  void message(const std::string& text) override { messages_.push_back({{"text", with_names(text)}}); }
  void warned(const Warning& warned) override {
    messages_.push_back({{"code", warned.code}, {"text", with_names(warned.text)}});
  }
  void noted(const Warning& note) override { warned(note); }

  void say(const Answer& answer) { write_(line_of(answer) + "\n"); }

  void fail(const char* code, const std::string& text) {
    say({{"id", id_}, {"ok", false}, {"error", {{"code", code}, {"text", with_names(text)}}}});
  }

  void answer(const InputLine& line) {
    id_ = Answer();
    messages_ = Answer::array();
    stopped_ = false;
    progress_seconds_ = watch_.seconds();
    try {
      if (line.too_long) {
        throw ConfigError("a request has more than " + std::to_string(kLongestLine) + " bytes");
      }
      const Answer request = parsed(line.text);
      if (request.is_object() && request.contains("id") && request["id"].is_number_unsigned()) {
        id_ = request["id"];
      }
      check_session_request(line.text);
      if (line.cancelled) {
        throw Cancelled();
      }
      succeed(request);
    } catch (const Cancelled& error) {
      fail("cancelled", error.what());
    } catch (const ConfigError& error) {
      fail("wrong-usage", error.what());
    } catch (const DataError& error) {
      fail("data-refused", error.what());
    } catch (const IoError& error) {
      fail("failed", error.what());
    } catch (const std::bad_alloc&) {
      fail("failed", "there is not enough memory");
    }
  }

  void succeed(const Answer& request) {
    std::string frame;
    const double begun = watch_.seconds();
    Answer result = result_of(request, frame);
    Answer answer = {{"id", id_}, {"ok", true}};
    answer.update(result);
    answer["messages"] = messages_;
    answer["seconds"] = watch_.seconds() - begun;
    if (request["request"] == "classify") {
      answer["frame_bytes"] = frame.size();
    }
    write_(line_of(answer) + "\n" + frame);
  }

  Answer result_of(const Answer& request, std::string& frame) {
    using Handler = Answer (LabelSession::*)(const Answer&);
    static const std::map<std::string, Handler> handlers = {
        {"open", &LabelSession::open},   {"labels", &LabelSession::change_labels}, {"train", &LabelSession::train},
        {"pixel", &LabelSession::pixel}, {"suspects", &LabelSession::suspects},    {"places", &LabelSession::places},
        {"save", &LabelSession::save}};
    const std::string name = request["request"];
    if (const auto handler = handlers.find(name); handler != handlers.end()) {
      return (session_.*handler->second)(request);
    }
    return name == "classify"   ? session_.classify(request, frame)
           : name == "accuracy" ? session_.accuracy()
                                : Answer::object();
  }

  LabelSession session_;
  LineReader reader_;
  std::function<void(const std::string&)> write_;
  Listener& outer_;
  Stopwatch watch_;
  Answer id_;        // of the request in work
  Answer messages_;  // likewise
  bool stopped_ = false;
  double progress_seconds_ = 0;  // when progress was last reported
};

}  // namespace

void serve_session(const ServeOptions& options, int descriptor, const std::function<void(const std::string&)>& write,
                   Listener& listener) {
  if (!options.stdio) {
    throw ConfigError("serve needs --stdio: requests come over standard input, and answers go to standard output");
  }
  ServeOptions own = options;
  own.ram_bytes = options.ram_bytes.value_or(std::max(kLeastRam, physical_memory_bytes() / 4));
  const Job job(own, listener);
  Server(own, descriptor, write, listener).run();
}

static void run_serve(const ServeOptions& options, CommandListener& listener) {
  keep_free_memory();
  serve_session(
      options, STDIN_FILENO, [&](const std::string& bytes) { listener.answer(bytes); }, listener);
}

CommandSyntax describe(ServeOptions& options) {
  return {.name = "serve",
          .summary = "Train and classify a view of a scene while it is labelled",
          .details =
              "Keeps a scene open for a program in which somebody labels it, such as the plugin of QGIS or the class\n"
              "Session of the Python package: takes changes of the labels, trains, and classifies a window, each in a\n"
              "second or two. Requests and answers are lines of JSON (docs/serve.md). No port is opened, and no file\n"
              "is written unless a request asks for it.",
          .options = {{.name = "stdio",
                       .help = "Requests come over standard input, and answers go to standard output",
                       .field = bound(options.stdio),
                       .basic = true,
                       .effect = Effect::run},
                      ram_option(options,
                                 "Memory for pixels that are kept and for work on them, in megabytes; unset: "
                                 "a quarter of that of the computer")},
          .tool = true};
}

Command serve_command() { return command_of<ServeOptions>(run_serve); }

}  // namespace parsimap
