from ._classifier import Classifier as Classifier
from ._errors import ConfigError as ConfigError
from ._errors import DataError as DataError
from ._errors import IoError as IoError
from ._errors import MissingFileError as MissingFileError
from ._errors import ParsimapError as ParsimapError
from ._errors import ParsimapWarning as ParsimapWarning
from ._model import ClassInfo as ClassInfo
from ._model import Model as Model
from ._session import Cancelled as Cancelled
from ._session import Session as Session
from .commands import assess as assess
from .commands import classify as classify
from .commands import info as info
from .commands import inspect as inspect
from .commands import report as report
from .commands import sample as sample
from .commands import suggest as suggest
from .commands import train as train

__version__: str
__all__: list[str]
