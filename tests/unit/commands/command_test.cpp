#include "parsimap/commands/command.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "parsimap/options/command_line.hpp"
#include "parsimap/options/usage.hpp"

#include "commands/job_frame.hpp"
#include "support/source_folder.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

TEST_CASE("every format has every command and option") {
  const Outcome man = run({"usage", "man"});
  const Outcome bash = run({"usage", "bash"});
  const Outcome json = run({"usage", "json"});
  CHECK(man.code + bash.code + json.code == 0);
  const nlohmann::json document = nlohmann::json::parse(json.out);
  REQUIRE(document["commands"].size() == commands().size());
  for (std::size_t i = 0; i < commands().size(); ++i) {
    const CommandCall call = commands()[i].call();
    const CommandSyntax& syntax = call.syntax;
    CAPTURE(syntax.name);
    CHECK(contains(man.out, ".SS parsimap " + syntax.name + "\n"));
    CHECK(contains(bash.out, syntax.name + "/-*)"));
    CHECK(document["commands"][i]["name"] == syntax.name);
    CHECK(document["commands"][i]["options"].size() == syntax.options.size());
    for (const OptionSyntax& option : syntax.options) {
      CHECK(contains(bash.out, "--" + option.name));
    }
  }
}

TEST_CASE("defaults and choices agree") {
  for (const Command& command : commands()) {
    const CommandCall call = command.call();
    for (const OptionSyntax& option : all_options(call.syntax)) {
      CAPTURE(option.name);
      if (!default_text(option).empty()) {
        CHECK_NOTHROW(parse_option_value(option, default_text(option)));
      }
      for (const std::string& choice : option.choices) {
        if (choice.back() != ':') {
          CHECK_NOTHROW(parse_option_value(option, choice));
        }
      }
    }
  }
}

// Dialogs, such as those of QGIS, are made of these facts alone.
TEST_CASE("an option or argument that names a file says which") {
  const std::set<std::string> files = {"FILE", "MAP", "DIR"};
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const CommandCall call = command.call();
    for (const ArgumentSyntax& argument : call.syntax.arguments) {
      CAPTURE(argument.name);
      CHECK(argument.file.contents.empty() != argument.choices.empty());
    }
    for (const OptionSyntax& option : all_options(call.syntax)) {
      CAPTURE(option.name);
      CHECK(option.file.contents.empty() != files.contains(value_name(option)));
      CHECK(value_name(option).empty() == (option.field.kind == OptionKind::flag));
    }
  }
}

TEST_CASE("only JSON is given with --json") {
  CHECK(run({"usage", "json", "--json"}).code == 0);
  const Outcome outcome = run({"usage", "bash", "--json"});
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "parsimap: --json is given, and FORMAT is 'bash'; it must be json\n");
}

// One more option of `simulate`, added where options are added: in a description that is bound to a field.
namespace {

struct ExtendedOptions : SimulateOptions {
  std::optional<std::string> palette = {};
};

CommandSyntax describe(ExtendedOptions& options) {
  CommandSyntax syntax = describe(static_cast<SimulateOptions&>(options));
  syntax.options.push_back({.name = "palette",
                            .value_name = "FILE",
                            .help = "Table of the colours",
                            .field = bound(options.palette),
                            .label = "Palette of the scene",
                            .file = {{FileContent::document}, false, {".csv"}}});
  return syntax;
}

void run_extended(const ExtendedOptions& /*options*/, CommandListener& /*listener*/) {}

// What a script of Python makes of the document that `parsimap usage json` prints.
std::string made_of_usage(const std::string& document, const std::string& script) {
  const TemporaryFolder folder;
  write_file(folder.file("usage.json"), document);
  const std::string command = "cd '" + source_folder() + "' && python3 " + script + " <'" + folder.file("usage.json") +
                              "' >'" + folder.file("out") + "'";
  REQUIRE(std::system(command.c_str()) == 0);
  return file_content(folder.file("out"));
}

}  // namespace

TEST_CASE("an option is described once, and found wherever options are") {
  const TemporaryFolder folder;
  const Command command = command_of<ExtendedOptions>(run_extended);
  const CommandCall call = command.call();  // keeps the fields
  const std::vector<CommandSyntax> syntaxes = {call.syntax};

  // Command line and options file.
  write_file(folder.file("options.json"), R"({"palette": "of_file.csv"})");
  ExtendedOptions options;
  CommandSyntax syntax = work_syntax(options);
  parse_command_line(syntax, {"spec.json", "out", "--palette", "table.csv"});
  CHECK(options.palette == "table.csv");
  ExtendedOptions from_file;
  parse_command_line(work_syntax(from_file), {"spec.json", "out", "--options-file", folder.file("options.json")});
  CHECK(from_file.palette == "of_file.csv");
  // What Python's keyword arguments and dialogs are stored by.
  ExtendedOptions given;
  store_checked(work_syntax(given), {.options = {{"palette", OptionValue(std::string("kept.csv"))}}},
                {"SPEC", "OUTPUT_DIR"});
  CHECK(given.palette == "kept.csv");

  // Texts for readers, and the document from which QGIS and the package of Python are made.
  CHECK(contains(help_text(syntaxes.front()), "--palette FILE"));
  CHECK(contains(help_text(syntaxes.front()), "Table of the colours"));
  CHECK(contains(manual_page(syntaxes), "\\fB\\-\\-palette\\fR \\fIFILE\\fR"));
  CHECK(contains(bash_completion(syntaxes), "simulate/--palette) _parsimap_paths -f"));
  const nlohmann::json document = nlohmann::json::parse(usage_json(syntaxes));
  const nlohmann::json expected = {{"name", "palette"},
                                   {"label", "Palette of the scene"},
                                   {"kind", "text"},
                                   {"basic", false},
                                   {"description", "Table of the colours"},
                                   {"file", {{"contents", {"document"}}, {"written", false}, {"extensions", {".csv"}}}},
                                   {"value", "FILE"}};
  CHECK(document["commands"][0]["options"].back() == expected);
  // The plugin for QGIS, as it makes the dialog of the command.
  const nlohmann::json parameters =
      nlohmann::json::parse(made_of_usage(usage_json(syntaxes), "tests/support/qgis_parameters.py simulate"));
  const nlohmann::json parameter = {{"kind", "QgsProcessingParameterFile"},
                                    {"name", "PALETTE"},
                                    {"label", "Palette of the scene"},
                                    {"help", "Table of the colours."}};
  CHECK(std::find(parameters.begin(), parameters.end(), parameter) != parameters.end());

  // Settings that models keep and parts of a map compare, and the inputs that no output may replace.
  const Settings kept = settings(options, [](const OptionSyntax& option) { return option.effect == Effect::result; });
  CHECK(kept == Settings{{"palette", "table.csv"}});
  const std::vector<NamedFile> inputs = input_files(syntax);
  CHECK(std::any_of(inputs.begin(), inputs.end(),
                    [](const NamedFile& file) { return file.role == "--palette" && file.path == "table.csv"; }));
}

// Every output option of every command is pointed at every file that the command reads.
namespace {

// The files of a command line by their roles, as in "SCENE" and "--mask".
using Roles = std::map<std::string, std::string>;

// Copies of the small scene's files and of texts that the options need, in a folder of their own.
class InputFolder {
 public:
  InputFolder() {
    const SmallScene& small = SmallScene::instance();
    for (const auto& [name, source] : std::map<std::string, std::string>{{"scene.tif", small.scene()},
                                                                         {"labels.gpkg", small.polygons()},
                                                                         {"more.gpkg", small.polygons()},
                                                                         {"region.gpkg", small.polygons()},
                                                                         {"reference.tif", small.reference()},
                                                                         {"mask.tif", small.reference()},
                                                                         {"glt.tif", small.reference()},
                                                                         {"strata.tif", small.reference()},
                                                                         {"map.tif", small.map()},
                                                                         {"second.tif", small.map()},
                                                                         {"model", small.model()}}) {
      std::filesystem::copy_file(source, file(name));
    }
    write_file(file("spec.json"), kSmallSpec);
    write_file(file("options.json"), "{}");
    write_file(file("colours.json"), R"({"water": "#0000ff"})");
    write_file(file("classes.csv"), "from,to\nwater,water\n");
    write_file(file("rates.csv"), "water,10\nforest,10\n");
    write_file(file("library.csv"), "name,class,500,600\na,water,1,2\nb,forest,2,3\n");
    write_file(file("names.csv"), "name,class\na,water\nb,forest\n");
    write_file(file("scenes.csv"), "scene,labels\n" + file("second.tif") + "," + file("reference.tif") + "\n");
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::vector<std::string> names() const { return folder_.names(); }

  // The content of every file, also of those in folders.
  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.file("."))) {
      if (entry.is_regular_file()) {
        all[entry.path().filename().string()] = file_content(entry.path().string());
      }
    }
    return all;
  }

 private:
  TemporaryFolder folder_;
};

struct WalkedCommand {
  std::vector<std::string> words;                  // that work but for the output; its files are all inputs
  std::map<std::string, std::string> inputs = {};  // an option that reads a file, and its value
  std::set<std::string> elsewhere = {};            // options that name files only in other uses of the command
  std::string output_argument = {};                // the argument that is written, the last of the words
};

std::map<std::string, WalkedCommand> walked_commands(const InputFolder& in) {
  const std::string scene = in.file("scene.tif");
  const std::string labels = in.file("labels.gpkg");
  const std::string model = in.file("model");
  return {
      {"train",
       {{"train", scene, labels, in.file("new"), "--class-field", "class"},
        {{"--classes", in.file("classes.csv")},
         {"--labels", in.file("more.gpkg")},
         {"--sampling", "byclass:" + in.file("rates.csv")},
         {"--colours", in.file("colours.json")},
         {"--scene", in.file("second.tif") + "," + in.file("reference.tif")},
         {"--scenes", in.file("scenes.csv")},
         {"--mask", in.file("mask.tif")},
         {"--region", in.file("region.gpkg")},
         {"--glt", in.file("glt.tif")},
         {"--options-file", in.file("options.json")}},
        {"--library", "--library-classes"},
        "MODEL"}},
      {"classify",
       {{"classify", scene, model, in.file("new.tif")},
        {{"--segments", in.file("reference.tif")},
         {"--colours", in.file("colours.json")},
         {"--mask", in.file("mask.tif")},
         {"--region", in.file("region.gpkg")},
         {"--glt", in.file("glt.tif")},
         {"--options-file", in.file("options.json")}},
        {"--scene", "--scenes", "--like", "--mosaic", "--output-dir"},
        "MAP"}},
      {"assess",
       {{"assess", in.file("map.tif"), labels, "--class-field", "class"},
        {{"--classes", in.file("classes.csv")},
         {"--strata", in.file("strata.tif")},
         {"--compare", in.file("second.tif")},
         {"--earlier", in.file("second.tif")},
         {"--probabilities", in.file("scene.tif")},
         {"--model", model},
         {"--options-file", in.file("options.json")}},
        {"--output-dir", "--sample"}}},
      {"sample",
       {{"sample", in.file("map.tif"), "--size", "200"},
        {{"--strata", in.file("strata.tif")},
         {"--earlier", in.file("second.tif")},
         {"--compare", in.file("second.tif")},
         {"--options-file", in.file("options.json")}}}},
      {"inspect",
       {{"inspect", model, scene, labels, "--class-field", "class"},
        {{"--classes", in.file("classes.csv")},
         {"--labels", in.file("more.gpkg")},
         {"--mask", in.file("mask.tif")},
         {"--glt", in.file("glt.tif")},
         {"--options-file", in.file("options.json")}}}},
      {"suggest",
       {{"suggest", scene, model, in.file("new.gpkg")},
        {{"--labels", in.file("more.gpkg")},
         {"--exclude", labels},
         {"--mask", in.file("mask.tif")},
         {"--glt", in.file("glt.tif")},
         {"--options-file", in.file("options.json")}},
        {},
        "PLACES"}},
      {"report",
       {{"report", model, in.file("map.tif"), in.file("options.json")},
        {{"--scene", scene},
         {"--glt", in.file("glt.tif")},
         {"--reference", in.file("reference.tif")},
         {"--classes", in.file("classes.csv")},
         {"--options-file", in.file("options.json")}}}},
  };
}

bool is_written_file(const FileSyntax& file) {
  return file.written && file.contents != std::vector<FileContent>{FileContent::folder};
}

// The paths that words and values name, which may be "SCENE,LABELS" or "byclass:FILE".
std::vector<std::string> named_inputs(const InputFolder& in, const std::vector<std::string>& words) {
  std::vector<std::string> paths;
  for (const std::string& name : in.names()) {
    for (const std::string& word : words) {
      if (contains(word, in.file(name))) {
        paths.push_back(in.file(name));
        break;
      }
    }
  }
  return paths;
}

}  // namespace

TEST_CASE("no output of any command replaces a file that it reads") {
  constexpr std::size_t kOutputArgument = 3;  // the third of each command that has one
  int refused = 0;
  const InputFolder in;
  const std::map<std::string, std::string> before = in.contents();
  const std::map<std::string, WalkedCommand> walked = walked_commands(in);
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const CommandCall call = command.call();
    std::vector<std::string> outputs;
    for (const OptionSyntax& option : call.syntax.options) {
      if (is_written_file(option.file)) {
        outputs.push_back("--" + option.name);
      }
    }
    const auto found = walked.find(command.name);
    if (found == walked.end()) {
      CHECK(outputs.empty());  // the commands that write to folders, and merge, are walked below
      continue;
    }
    const WalkedCommand& one = found->second;
    for (const OptionSyntax& option : all_options(call.syntax)) {
      // A new option that names an input has to come with a file here.
      const std::string name = "--" + option.name;
      const bool folder = option.file.contents == std::vector<FileContent>{FileContent::folder};
      if (!option.file.contents.empty() && !option.file.written && !folder) {
        CAPTURE(name);
        CHECK(one.inputs.contains(name) + one.elsewhere.contains(name) == 1);
      }
    }
    if (!one.output_argument.empty()) {
      outputs.push_back(one.output_argument);
    }
    // The files of the arguments, and those of each option.
    std::vector<std::vector<std::string>> additions = {{}};
    for (const auto& [option, value] : one.inputs) {
      additions.push_back({option, value});
    }
    for (const std::vector<std::string>& added : additions) {
      std::vector<std::string> words = one.words;
      words.insert(words.end(), {"--overwrite", "--threads", "1"});
      words.insert(words.end(), added.begin(), added.end());
      for (const std::string& input : named_inputs(in, added.empty() ? one.words : added)) {
        for (const std::string& output : outputs) {
          if (one.elsewhere.contains(output)) {
            continue;
          }
          std::vector<std::string> hostile = words;
          if (output == one.output_argument) {
            hostile[kOutputArgument] = input;
          } else {
            hostile.insert(hostile.end(), {output, input});
          }
          const Outcome outcome = run(hostile);
          CAPTURE(input);
          CAPTURE(output);
          CAPTURE(outcome.err);
          CHECK(outcome.code == 2);
          CHECK(in.contents() == before);
          refused += contains(outcome.err, "an input cannot be replaced") ? 1 : 0;
        }
      }
    }
  }
  // Others are refused for their extension.
  CHECK(refused > 40);
}

TEST_CASE("no output in a folder, and no merged map, replaces a file that was read") {
  const InputFolder in;
  const std::string out = in.file("out");
  std::filesystem::create_directory(out);
  write_file(in.file("experiment.json"), R"({
    "title": "Small", "repeats": 1, "seed": 4,
    "methods": [{"kernel": "hdda", "criterion": "leave-one-out", "dimension": "fixed:2"}],
    "data": [{"name": "toy", "simulated": {"train": 40, "test": 60, "scene": {"width": 10, "height": 10, "bands": 12,
      "layout": {"kind": "blocks", "block_size": 1}, "snr": 200,
      "classes": [{"name": "one", "dimension": 2}, {"name": "two", "dimension": 2}]}}}]})");
  const std::string map = out + "/parts.tif";
  REQUIRE(run({"classify", in.file("scene.tif"), in.file("model"), map, "--shard", "1/1", "--threads", "1"}).code == 0);
  struct Written {
    std::vector<std::string> words;
    std::vector<std::string> names;  // of what it writes to the folder
  };
  const std::vector<Written> commands_with_folders = {
      {{"simulate", in.file("spec.json"), out},
       {"scene.img", "scene.hdr", "scene.tif", "reference.tif", "training.gpkg", "spec.json"}},
      {{"run", in.file("experiment.json"), "--output-dir", out},
       {"results.json", "results.csv", "report.html", "journal.jsonl"}},
      {{"assess", in.file("map.tif"), in.file("reference.tif"), "--output-dir", out},
       {"confusion.csv", "accuracy.txt", "accuracy.json"}},
      {{"classify", in.file("model"), "--scene", in.file("scene.tif"), "--output-dir", out}, {"scene_map.tif"}},
      {{"classify", in.file("model"), "--scene", in.file("scene.tif"), "--mosaic", out + "/mosaic.tif"},
       {"mosaic.tif"}},
      {{"merge", map}, {"parts.tif"}}};
  for (const Written& one : commands_with_folders) {
    for (const std::string& name : one.names) {
      CAPTURE(one.words.front());
      CAPTURE(name);
      const std::string input = out + "/" + name;
      write_file(input, "{}");
      std::vector<std::string> words = one.words;
      words.insert(words.end(), {"--options-file", input, "--overwrite", "--threads", "1"});
      const Outcome outcome = run(words);
      CAPTURE(outcome.out);
      CAPTURE(outcome.err);
      CHECK(outcome.code != 0);
      CHECK(contains(outcome.out + outcome.err, "an input cannot be replaced"));
      CHECK(file_content(input) == "{}");
      std::filesystem::remove(input);
    }
  }
}

TEST_CASE("the words of a command are read as its options again") {
  const InputFolder in;
  for (const auto& entry : walked_commands(in)) {
    CAPTURE(entry.first);
    const auto& walked = entry.second;
    const auto words_of = [](const std::vector<std::string>& words) {
      const CommandCall call = std::ranges::find(commands(), words.front(), &Command::name)->call();
      parse_command_line(call.syntax, {words.begin() + 1, words.end()});
      return command_words(call.syntax);
    };
    std::vector<std::string> asked = walked.words;
    asked.insert(asked.end(), {"--overwrite", "--threads", "2"});
    const std::vector<std::string> words = words_of(asked);
    CHECK(words_of(words) == words);
    CHECK(std::ranges::find(words, "--overwrite") != words.end());
    CHECK(std::ranges::find(words, "--threads=2") != words.end());
    CHECK(std::ranges::find(words, walked.words[1]) != words.end());
  }
}

}  // namespace parsimap::test
