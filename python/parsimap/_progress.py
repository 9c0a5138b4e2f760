"""Progress as tqdm bars, or as calls of a function."""

import contextlib
import sys
import warnings


def in_notebook():
    """Whether output is displayed in a notebook."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class Bar:
    """A sequence of bars, one for each stage of the work."""

    FORMAT = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"

    def __init__(self, tqdm):
        self._tqdm = tqdm
        self._bar = None
        self._stage = None

    def show(self, stage, fraction):
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(total=1.0, desc=stage, leave=False, bar_format=self.FORMAT)
        self._bar.update(fraction - self._bar.n)

    def close(self):
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def wanted_bar(progress):
    """A bar, or None if no bar is to be shown."""
    if progress is False or (progress is None and not (in_notebook() or (sys.stderr and sys.stderr.isatty()))):
        return None
    try:
        with warnings.catch_warnings():
            # Without ipywidgets, tqdm would warn in notebooks; the text bar is used instead.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        if progress is None:
            return None
        raise
    return Bar(tqdm)


@contextlib.contextmanager
def progress_shown(progress):
    """A function of stage and fraction for `progress`, which may be None, True, False or such a function."""
    if callable(progress):
        yield progress
        return
    bar = wanted_bar(progress)
    if bar is None:
        yield lambda stage, fraction: None
        return
    try:
        yield bar.show
    finally:
        bar.close()
