"""The program's texts for readers of dialogs: options, arguments and commands by the names that they have there."""

import re

# What the provider itself says to the program, or has no use for.
OWN_OPTIONS = {"help", "version", "quiet", "progress", "json", "options-file", "overwrite", "dry-run"}


def dialog_options(usage, command):
    """The options that the dialog of a command has, those that all commands share last."""
    options = [option for option in command["options"] if "former" not in option] + usage["common_options"]
    return [option for option in options if option["name"] not in OWN_OPTIONS]


class Wording:
    def __init__(self, usage, command):
        """`usage` as `parsimap usage json` prints it; texts are those of `command`."""
        self._labels_of = {
            each["name"]: {option["name"]: option["label"] for option in dialog_options(usage, each)}
            for each in usage["commands"]
        }
        self._labels = self._labels_of[command["name"]]
        # As in 'parsimap train', 'parsimap train --seed' and train --seed.
        commands = "|".join(self._labels_of)
        self._command_pattern = re.compile(
            r"'parsimap ({0})(?: --([a-z-]+))?'|(?<![\w-])({0}) --([a-z-]+)".format(commands)
        )
        self._arguments = {argument["name"]: argument["label"] for argument in command["arguments"]}

    def for_people(self, text):
        """The text with 'parsimap train', --class-field and LABELS as Train, “Class field” and “Labels”."""
        text = self._command_pattern.sub(self._command, text)
        text = re.sub(r"(?<![\w-])--([a-z][a-z-]*[a-z])(?![\w-])", self._option, text)
        return re.sub(r"(?<![\w/.-])[A-Z][A-Z_]+(?![\w/.-]*\w)", self._argument, text)

    def _command(self, match):
        command, option = match.group(1) or match.group(3), match.group(2) or match.group(4)
        labels = self._labels_of[command]
        if option and option not in labels:
            return match.group()
        name = display_name(command)
        return "{} (“{}”)".format(name, labels[option]) if option else name

    def _option(self, match):
        return "“{}”".format(self._labels[match.group(1)]) if match.group(1) in self._labels else match.group()

    def _argument(self, match):
        return "“{}”".format(self._arguments[match.group()]) if match.group() in self._arguments else match.group()


def display_name(command_name):
    return command_name.replace("-", " ").capitalize()
