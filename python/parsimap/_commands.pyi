"""The commands of the program. Use the package parsimap, which this is a part of."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy

_Options = Dict[str, Any]
_Arguments = Dict[str, bytes]
_Names = Sequence[Tuple[str, str]]
_Hear = Callable[[str, str, float], None]

class ArrayFile:
    def __init__(
        self,
        array: numpy.ndarray[Any, Any],
        name: str,
        bands: Sequence[Tuple[str, Optional[float], float, float]],
        geotransform: Optional[Tuple[float, float, float, float, float, float]],
        crs: str,
        nodata: Optional[float],
        classes: Sequence[Tuple[int, str]],
    ) -> None: ...
    @property
    def path(self) -> str: ...
    def close(self) -> None: ...

def run(command: str, options: _Options, arguments: _Arguments, names: _Names, hear: _Hear) -> str: ...
def train(options: _Options, arguments: _Arguments, names: _Names, hear: _Hear) -> Tuple[str, bytes]: ...
def classify(
    options: _Options, arguments: _Arguments, layers: Sequence[str], names: _Names, hear: _Hear
) -> Tuple[str, Dict[str, numpy.ndarray[Any, Any]]]: ...
