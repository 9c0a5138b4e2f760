"""The exceptions of the package, with the error messages of the program."""


class ParsimapError(Exception):
    """Base class of all errors of the library."""


class ConfigError(ParsimapError, ValueError):
    """Wrong usage: an option, its value, or a combination of options."""


class DataError(ParsimapError, ValueError):
    """Invalid input: missing, unreadable, or inconsistent."""


class IoError(ParsimapError, OSError):
    """A failure of reading or writing that is not caused by options or data, such as a full disk."""


class ParsimapWarning(UserWarning):
    """A result that may not be what the caller intends."""
