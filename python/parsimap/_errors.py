"""The exceptions of the package: their texts are the sentences that the program writes."""


class ParsimapError(Exception):
    """Any failure that the library explains."""


class ConfigError(ParsimapError, ValueError):
    """Wrong usage: an option, its value, or a combination of options."""


class DataError(ParsimapError, ValueError):
    """Input that cannot be used: missing, unreadable, or against a rule."""


class IoError(ParsimapError, OSError):
    """A failure on the way that neither options nor data explain, such as a full disk."""


class ParsimapWarning(UserWarning):
    """Something that may not be what the caller wants."""
