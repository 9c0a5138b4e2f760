#include "manual_page.hpp"

namespace parsimap {
namespace {

// Hyphens are minus signs, so that a command can be copied from the page, and no line begins with a request.
std::string escaped(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char letter : text) {
    if (line_begins && (letter == '.' || letter == '\'')) {
      result += "\\&";
    }
    line_begins = letter == '\n';
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string paragraph(const std::string& heading, const std::string& text) {
  return ".TP\n" + heading + "\n" + escaped(text) + "\n";
}

std::string option_heading(const OptionSyntax& option) {
  std::string heading = option.short_name == '\0' ? "" : bold(std::string("-") + option.short_name) + ", ";
  heading += bold("--" + option.name);
  return option.value_name.empty() ? heading : heading + " " + italic(option.value_name);
}

std::string option_list(const std::vector<OptionSyntax>& options) {
  std::string text;
  for (const OptionSyntax& option : options) {
    text += paragraph(option_heading(option), full_help(option));
  }
  return text;
}

std::string command_section(const CommandSyntax& command) {
  std::string text = ".SS parsimap " + escaped(command.name) + "\n" + bold("parsimap " + command.name);
  for (const ArgumentSyntax& argument : command.arguments) {
    text += " " + italic(argument_form(argument));
  }
  text += " [options]\n.PP\n" + escaped(command.details) + "\n";
  for (const ArgumentSyntax& argument : command.arguments) {
    text += paragraph(italic(argument.name), argument.help);
  }
  return text + option_list(command.options);
}

std::string exit_codes() {
  return paragraph("0", "Done.") + paragraph("1", "Failed while running, or stopped.") +
         paragraph("2", "Wrong usage or configuration.") + paragraph("3", "Input data refused.");
}

}  // namespace

std::string manual_page(const std::vector<CommandSyntax>& commands) {
  std::string text = std::string(".TH PARSIMAP 1 \"\" \"parsimap ") + PARSIMAP_VERSION + "\" \"User Commands\"\n";
  text += ".SH NAME\nparsimap \\- classify scenes of imaging spectrometers\n";
  text += ".SH SYNOPSIS\n" + bold("parsimap") + " " + italic("COMMAND") + " ...\n";
  text +=
      ".SH DESCRIPTION\n"
      "Turns a many\\-band scene and some labelled pixels into a class map and a report of its accuracy.\n"
      "Every class is told apart from the rest by a support vector machine with a parsimonious Mahalanobis kernel.\n"
      "Results go to standard output, progress and messages to standard error. Outputs appear whole or not at all.\n";
  text += ".SH COMMANDS\n";
  for (const CommandSyntax& command : commands) {
    text += command_section(command);
  }
  text += ".SH COMMON OPTIONS\nEvery command has these.\n" + option_list(common_options());
  text += ".SH EXIT STATUS\n" + exit_codes();
  text += ".SH ENVIRONMENT\n" + paragraph(bold("PARSIMAP_DATA"), "Folder with the data of experiments.");
  return text + ".SH SEE ALSO\n.BR gdalinfo (1)\n";
}

}  // namespace parsimap
