"""The program's texts for readers of dialogs: options, arguments and commands by the names that they have there."""

import re


class Wording:
    def __init__(self, usage, command):
        """`usage` as `parsimap usage json` prints it; texts are those of `command`."""
        self._commands = {each["name"]: each for each in usage["commands"]}
        self._labels = {
            option["name"]: option["label"]
            for options in [each["options"] for each in usage["commands"]] + [usage["common_options"], command["options"]]
            for option in options
        }
        self._arguments = {argument["name"]: argument["label"] for argument in command["arguments"]}

    def for_people(self, text):
        """The text with 'parsimap train', --class-field and LABELS as Train, “Class field” and “Labels”."""
        text = re.sub(r"'parsimap ([a-z]+)(?: --([a-z-]+))?'", self._command, text)
        text = re.sub(r"(?<![\w-])--([a-z][a-z-]*[a-z])(?![\w-])", self._option, text)
        return re.sub(r"(?<![\w/.-])[A-Z][A-Z_]+(?![\w/.-]*\w)", self._argument, text)

    def _command(self, match):
        command, option = match.groups()
        if command not in self._commands or (option and option not in self._labels):
            return match.group()
        name = display_name(command)
        return "{} (“{}”)".format(name, self._labels[option]) if option else name

    def _option(self, match):
        return "“{}”".format(self._labels[match.group(1)]) if match.group(1) in self._labels else match.group()

    def _argument(self, match):
        return "“{}”".format(self._arguments[match.group()]) if match.group() in self._arguments else match.group()


def display_name(command_name):
    return command_name.replace("-", " ").capitalize()
