#include "parsimap/commands/verify.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/options/command_line.hpp"
#include "parsimap/report/command_page.hpp"

#include "assessment/sample_file.hpp"
#include "command_pages.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

// What commands write to a folder (assess --output-dir) ends so.
const std::set<std::string> kWrittenToFolders{".json", ".csv", ".txt"};

// Inputs may lie so many folders above that of the command.
constexpr int kMostAbove = 8;

// A folder that stands for the root of all files while one command is run, with the current folder somewhere in it.
class Workshop {
 public:
  Workshop() : before_(fs::current_path()), root_((fs::temp_directory_path() / "parsimap-verify-XXXXXX").string()) {
    if (mkdtemp(root_.data()) == nullptr) {
      throw IoError(root_ + " cannot be created: " + std::strerror(errno));
    }
    root_ = fs::canonical(root_).string();
    place_ = root_;
    for (int i = 0; i < kMostAbove; ++i) {
      place_ /= "verify";
    }
    fs::create_directories(place_);
    fs::current_path(place_);
  }
  ~Workshop() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
    fs::remove_all(root_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  [[nodiscard]] const std::string& root() const { return root_; }
  // Where a file is that has this name in it, and the other way round.
  [[nodiscard]] fs::path place(const fs::path& named) const {
    return named.is_absolute() ? fs::path(root_ + named.string()) : place_ / named;
  }
  [[nodiscard]] std::string name(const std::string& place) const {
    return place.starts_with(root_ + "/verify/") ? fs::relative(place, place_).string() : place.substr(root_.size());
  }

 private:
  fs::path before_;
  std::string root_;
  fs::path place_;
};

// Passes on how far the work is, and nothing that the command says.
class Remaking final : public CommandListener {
 public:
  explicit Remaking(Listener& listener) : listener_(listener) {}
  Progress progress(const std::string& stage) override { return listener_.progress(stage); }
  [[nodiscard]] bool json() const override { return false; }

 protected:
  void deliver(const std::string& /*document*/) override {}

 private:
  Listener& listener_;
};

// Files below a folder that are no links, by their paths.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !entry.is_symlink()) {
      files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

// The first pixel of two class maps that differs, where both are such maps of one size.
std::optional<std::string> pixel_difference(const std::string& kept, const std::string& made) {
  try {
    const auto before = open_class_map(kept);
    const auto after = open_class_map(made);
    const Index width = before->grid().width;
    if (width != after->grid().width || before->grid().height != after->grid().height) {
      return std::nullopt;
    }
    for (std::vector<std::uint16_t> codes, again; const Window& window : row_strips(before->grid())) {
      before->read(window, codes);
      after->read(window, again);
      if (const auto [first, other] = std::ranges::mismatch(codes, again); first != codes.end()) {
        const auto at = static_cast<Index>(first - codes.begin());
        return kept + " has class " + std::to_string(*first) + " in column " + std::to_string(at % width) + ", row " +
               std::to_string(window.row + at / width) + ", where its command writes " + std::to_string(*other);
      }
    }
  } catch (const DataError&) {
    // No class map; its bytes differ.
  }
  return std::nullopt;
}

std::optional<std::string> file_difference(const std::string& kept, const std::string& made) {
  std::ifstream before(kept, std::ios::binary);
  std::ifstream after(made, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  std::int64_t same = 0;
  const auto equal = [&](char one, char other) { return one == other && ++same > 0; };
  const auto [first, other] = std::mismatch(Bytes(before), Bytes(), Bytes(after), Bytes(), equal);
  if ((first == Bytes() && other == Bytes()) || differ_by_labels_alone(made, kept)) {
    return std::nullopt;
  }
  return pixel_difference(kept, made)
      .value_or(kept + " is not what its command writes: byte " + std::to_string(same + 1) +
                " is the first that differs");
}

void replace_all(std::string& text, const std::string& before, const std::string& after) {
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + after.size())) {
    text.replace(at, before.size(), after);
  }
}

// The words of a line of HTML.
std::string words_of(const std::string& line) {
  std::string text;
  for (bool tag = false; const char letter : line) {
    tag = tag || letter == '<';
    if (!tag || (!text.empty() && text.back() != ' ')) {
      text += tag ? ' ' : letter;
    }
    tag = tag && letter != '>';
  }
  return std::string(trimmed(text));
}

// What is there in place of what the command writes: of long lines the part around the first difference.
std::string differing_text(const std::string& kept, const std::string& made) {
  constexpr std::ptrdiff_t kBefore = 60;
  constexpr std::size_t kMost = 120;
  const std::string before = words_of(kept) == words_of(made) ? kept : words_of(kept);
  const std::string after = words_of(kept) == words_of(made) ? made : words_of(made);
  const auto first = std::ranges::mismatch(before, after).in1 - before.begin();
  const auto from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - kBefore, 0));
  return " says '" + before.substr(from, kMost) + "' where its command writes '" + after.substr(from, kMost) + "'";
}

// The lines of a page or document without the numbers of seconds and of memory, which differ from run to run.
std::vector<std::string> lasting_lines(const std::string& path) {
  std::istringstream text(read_text_file(path) + "\n");  // the end of the last line counts, too
  std::vector<std::string> lines;
  bool stages = false;
  for (std::string line; std::getline(text, line); lines.push_back(line)) {
    stages = is_page(path) && (line.find(kStageCaption) != std::string::npos || (stages && line != "</table></div>"));
    const std::string before = stages ? R"(<td class="number">)" : R"("seconds": )";
    const std::size_t at = stages || path.ends_with(".json") ? line.find(before) : std::string::npos;
    if (at != std::string::npos) {
      const std::size_t begin = at + before.size();
      const std::size_t end = line.find_first_not_of("0123456789.e+-", begin);
      line.erase(begin, std::min(end, line.size()) - begin);
    }
  }
  return lines;
}

// Whether a file has the name of an output, or where that has side files, such as a style and statistics, begins like
// it. A model is none of them.
bool is_part_of(const fs::path& file, const NamedFile& output) {
  const fs::path path(output.path);
  const FileContent content = output.syntax.contents.front();
  const bool has_side_files = content == FileContent::raster || content == FileContent::vector;
  return file.filename() == path.filename() ||
         (has_side_files && file.filename().string().starts_with(path.stem().string() + ".") &&
          !is_model_file(file.string()));
}

struct PageOfFolder {
  std::string page;
  PageCommand command;
  std::vector<Command>::const_iterator known;
};

std::vector<PageOfFolder> pages_of(const std::string& folder) {
  std::vector<PageOfFolder> pages;
  for (const std::string& file : filtered(files_below(folder), is_page)) {
    if (std::optional<PageCommand> command = command_of_page(file)) {
      const auto known = std::ranges::find(commands(), command->words.front(), &Command::name);
      if (known == commands().end()) {
        throw DataError(file + ": what it names as its command is none");
      }
      pages.push_back({file, std::move(*command), known});
    }
  }
  std::ranges::stable_sort(pages, {}, &PageOfFolder::known);
  return pages;
}

// Runs the command of one page again.
class Remake {
 public:
  Remake(std::string folder, const PageOfFolder& page, const Workshop& workshop)
      : folder_(std::move(folder)), page_(page), workshop_(workshop) {
    std::vector<std::string> words = page.command.words;
    // The file of options is read with the words.
    const std::string prefix = "--options-file=";
    for (const std::string& word : words) {
      if (const auto found = word.starts_with(prefix) ? located(word.substr(prefix.size())) : std::nullopt) {
        link(*found, word.substr(prefix.size()), false);
      }
    }
    named_ = files_of(words);
    for (const NamedFile& file : named_) {
      const fs::path path(file.path);
      if (file.syntax.written && path.filename() == fs::path(page.page).filename()) {
        writes_page_ = true;
        recorded_ = path.parent_path();
      }
      for (std::string& word : words) {
        if (path.is_absolute() && is_moved(file) && (word == file.path || word.ends_with("=" + file.path))) {
          word.insert(word.size() - file.path.size(), workshop.root());
        }
      }
    }
    for (const NamedFile& file : files_of(words)) {
      // Other paths from the root are those of a file of options, which may come from anywhere.
      if (file.syntax.written && fs::path(file.path).is_absolute() && !file.path.starts_with(workshop.root() + "/")) {
        throw DataError("it writes " + file.path + ", which its page does not say");
      }
    }
  }

  // Links the inputs into the workshop: why the command cannot be run, or nothing.
  std::string prepare() {
    // Nor is a command run that serves, or verifies, or makes something else.
    if (!writes_page_) {
      throw DataError("it does not write the page, or not under this name");
    }
    for (const NamedFile& file : named_) {
      if (file.syntax.written) {
        continue;
      }
      const std::optional<std::string> found = is_moved(file) ? located(file.path) : file.path;
      if (!found || !fs::exists(*found)) {
        if (read_text_file(page_.page).find(">" + file.path + "<") == std::string::npos) {
          throw DataError(file.path + " is not among the inputs that the page lists");
        }
        return file.path + " is not there";
      }
      link(*found, file.path);
    }
    // No output may lie outside of the workshop, by its name or through a link.
    for (const NamedFile& file : named_) {
      const fs::path place = fs::weakly_canonical(workshop_.place(file.path));
      if (file.syntax.written && !place.string().starts_with(workshop_.root() + "/")) {
        throw DataError("it writes " + file.path + ", too far above its folder or into one of its inputs");
      }
      if (file.syntax.written) {
        fs::create_directories(place.parent_path());
      }
    }
    return "";
  }

  // The first difference of what the command writes to the files of the folder; those before it are the same.
  std::optional<std::string> difference(Listener& listener, std::vector<std::string>& same) const {
    Remaking remaking(listener);
    call_.run(remaking);
    // Pages first, which list what was read and differ where an input does.
    std::vector<std::string> files = files_below(workshop_.root());
    std::stable_partition(files.begin(), files.end(), is_page);
    for (const std::string& made : files) {
      const std::string name = workshop_.name(made);
      const std::optional<std::string> kept = located(name);
      if (!kept) {
        return page_.page + ": its command also writes " + fs::path(name).filename().string() + ", which is not in " +
               folder_;
      }
      if (auto found = is_page(name) || kWrittenToFolders.contains(fs::path(name).extension().string())
                           ? line_difference(*kept, made)
                           : file_difference(*kept, made)) {
        return found;
      }
      same.push_back(*kept);
    }
    return std::nullopt;
  }

  [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  // Describes the command anew.
  std::vector<NamedFile> files_of(const std::vector<std::string>& words) {
    call_ = page_.known->call();
    parse_command_line(call_.syntax, {words.begin() + 1, words.end()});
    return named_files(call_.syntax);
  }

  // Whether the command finds the file in the workshop. A model has the paths of what it was trained on, so that these
  // stay as they are where they begin at the root.
  [[nodiscard]] bool is_moved(const NamedFile& file) const {
    return file.syntax.written || fs::path(file.path).is_relative() || page_.known->name != "train";
  }

  // Where a file is that the command names so: as far from the page as when the page was written, below the folder, in
  // it by its name alone, or at its path from the root.
  [[nodiscard]] std::optional<std::string> located(const std::string& path) const {
    std::vector<fs::path> places{fs::path(folder_) / fs::path(path).filename()};
    places.insert(fs::path(path).is_relative() ? places.begin() : places.end(), fs::path(folder_) / path);
    if (const fs::path away = fs::path(path).lexically_relative(recorded_.empty() ? "." : recorded_); !away.empty()) {
      places.insert(places.begin(), (fs::path(page_.page).parent_path() / away).lexically_normal());
    }
    const auto found = std::ranges::find_if(places, [](const fs::path& place) { return fs::exists(place); });
    return found == places.end() ? std::nullopt : std::optional(found->string());
  }

  // Links an input, the files that belong to it, and those beside it, which commands find by themselves: the model of a
  // map, the scenes of a list. Not those beside it that is_part_of() an output, nor, where outputs with names of their
  // own go into the same folder, documents and tables.
  void link(const std::string& found, const fs::path& named, bool with_others = true) {
    const fs::path place = workshop_.place(named).parent_path();
    const auto add = [&](const fs::path& file) {
      const fs::path link = place / file.filename();
      fs::create_directories(place);
      if (!fs::exists(fs::symlink_status(link))) {
        fs::create_symlink(fs::canonical(file), link);
      }
    };
    std::vector<std::string> parts{found};
    if (!fs::is_directory(found)) {
      add_all(parts, files_of_input(found));
    }
    for (const std::string& part : parts) {
      inputs_.push_back(fs::canonical(part));
      add(part);
    }
    const auto is_output = [&](const fs::path& file) {
      return std::ranges::any_of(named_, [&](const NamedFile& output) {
        const bool here = fs::weakly_canonical(workshop_.place(output.path)) == fs::weakly_canonical(place);
        return output.syntax.written &&
               (here ? kWrittenToFolders.contains(file.extension().string()) : is_part_of(file, output));
      });
    };
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::canonical(found).parent_path())) {
      if (with_others && entry.is_regular_file() && !is_output(entry.path())) {
        add(entry.path());
      }
    }
  }

  [[nodiscard]] std::optional<std::string> line_difference(const std::string& kept, const std::string& made) const {
    const std::vector<std::string> before = lasting_lines(kept);
    std::vector<std::string> after = lasting_lines(made);
    for (std::string& line : after) {
      replace_all(line, page_date(), page_.command.date);
      replace_all(line, workshop_.root(), "");
    }
    const auto [first, other] = std::ranges::mismatch(before, after);
    if (first == before.end() && other == after.end()) {
      return std::nullopt;
    }
    return kept + differing_text(first == before.end() ? "" : *first, other == after.end() ? "" : *other);
  }

  std::string folder_;
  const PageOfFolder& page_;
  const Workshop& workshop_;
  CommandCall call_;
  std::vector<NamedFile> named_;  // as the command names them
  bool writes_page_ = false;
  fs::path recorded_;  // folder of the page, as the command names it
  std::vector<std::string> inputs_;
};

}  // namespace

Verification verify(const VerifyOptions& options, Listener& listener) {
  std::error_code ignored;
  const std::string folder = fs::canonical(options.folder, ignored).string();
  if (!fs::is_directory(folder, ignored)) {
    throw ConfigError(options.folder + " is no folder");
  }
  const std::vector<PageOfFolder> pages = pages_of(folder);
  if (pages.empty()) {
    throw DataError(options.folder + " has no page of --report that names its command");
  }
  Verification result;
  std::set<std::string> accounted;
  for (const PageOfFolder& page : pages) {
    VerifiedPage& verified = result.pages.emplace_back(VerifiedPage{page.page, page.known->name});
    // A page may come from anywhere, as an options file may.
    if (std::ranges::any_of(page.command.words, [](const auto& word) { return word.starts_with("--config"); })) {
      verified.obstacle = "it sets options of GDAL";
      continue;
    }
    std::optional<std::string> difference;
    try {
      const Workshop workshop;
      Remake remake(folder, page, workshop);
      verified.obstacle = remake.prepare();
      if (verified.obstacle.empty()) {
        difference = remake.difference(listener, verified.files);
      }
      accounted.insert(remake.inputs().begin(), remake.inputs().end());
    } catch (const ConfigError& error) {
      difference = page.page + ": its command fails: " + error.what();
    } catch (const DataError& error) {
      difference = page.page + ": its command fails: " + error.what();
    }
    if (difference) {
      throw DataError(*difference);
    }
    accounted.insert(verified.files.begin(), verified.files.end());
    accounted.insert(page.page);
  }
  result.unaccounted = filtered(files_below(folder), [&](const auto& file) { return !accounted.contains(file); });
  return result;
}

CommandSyntax describe(VerifyOptions& options) {
  return {
      .name = "verify",
      .summary = "Make the files of a folder again, and compare",
      .details =
          "Pages of reports name the command that wrote them. For each page in the folder this command is run again\n"
          "with the inputs at hand, and all that it writes is compared byte by byte with the files of the folder; of\n"
          "pages all but their date and the times. The first difference ends the work with exit code 3; where pages\n"
          "could not be made again, as an input is not there, it is 1.",
      .arguments = {{.name = "FOLDER",
                     .help = "Folder with pages, and the models, maps and tables that they are about",
                     .field = bound(options.folder),
                     .file = {{FileContent::folder}}}},
      .tool = true};
}

static std::string text_of(const Verification& result) {
  std::string text;
  for (const VerifiedPage& page : result.pages) {
    text +=
        page.page + " (" + page.command + "): " +
        (page.obstacle.empty() ? "the same are " + separated(page.files, ", ") : "not made again: " + page.obstacle) +
        "\n";
  }
  for (const std::string& file : result.unaccounted) {
    text += file + ": no page says what makes it\n";
  }
  return text;
}

static std::string json_of(const Verification& result) {
  return document_text([&](Fields& field) {
    field.groups("pages", result.pages.size(), [&](std::size_t i) {
      const VerifiedPage& page = result.pages[i];
      PARSIMAP_FIELDS(page, page, command, files);
      field("obstacle", page.obstacle.empty() ? std::nullopt : std::optional(page.obstacle));
    });
    PARSIMAP_FIELDS(result, unaccounted);
  });
}

static void run_verify(const VerifyOptions& options, CommandListener& listener) {
  const Verification result = verify(options, listener);
  // The result is printed before the error, so that the user learns which pages were made again.
  listener.result(listener.json() ? json_of(result) : text_of(result));
  const auto left_out = filtered(result.pages, [](const auto& page) { return !page.obstacle.empty(); });
  if (!left_out.empty()) {
    throw IoError(std::to_string(left_out.size()) + " of " + std::to_string(result.pages.size()) +
                  " pages were not made again; " + left_out.front().page + ": " + left_out.front().obstacle);
  }
}

Command verify_command() { return command_of<VerifyOptions>(run_verify); }

}  // namespace parsimap
