from ._classifier import Classifier as Classifier
from ._errors import ConfigError as ConfigError
from ._errors import DataError as DataError
from ._errors import IoError as IoError
from ._errors import ParsimapError as ParsimapError
from ._errors import ParsimapWarning as ParsimapWarning
from ._model import ClassInfo as ClassInfo
from ._model import Model as Model

__version__: str
__all__: list[str]
