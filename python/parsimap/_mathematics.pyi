"""Training and prediction on arrays."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

__version__: str

_Progress = Optional[Callable[[float], None]]
_BandNames = Sequence[Tuple[str, Optional[float]]]

class Model:
    @staticmethod
    def load(path: str) -> Model: ...
    @staticmethod
    def from_bytes(content: bytes, name: str = ...) -> Model: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str) -> None: ...
    @property
    def classes(self) -> List[Tuple[int, str, Optional[Tuple[int, int, int]]]]: ...
    @property
    def bands(self) -> List[Tuple[int, str, Optional[float]]]: ...
    @property
    def scene_bands(self) -> int: ...
    def describe(self, path: str = ...) -> str: ...
    def labels(self, spectra: npt.ArrayLike, threads: int = ..., progress: _Progress = ...) -> npt.NDArray[np.int64]: ...
    def log_odds(
        self, spectra: npt.ArrayLike, threads: int = ..., progress: _Progress = ...
    ) -> npt.NDArray[np.float64]: ...
    def decision_values(
        self, spectra: npt.ArrayLike, threads: int = ..., progress: _Progress = ...
    ) -> npt.NDArray[np.float64]: ...
    def probabilities(
        self, spectra: npt.ArrayLike, threads: int = ..., progress: _Progress = ...
    ) -> npt.NDArray[np.float64]: ...
    def novelty(
        self, spectra: npt.ArrayLike, threads: int = ..., progress: _Progress = ...
    ) -> npt.NDArray[np.float64]: ...

def train(
    spectra: npt.ArrayLike,
    labels: npt.ArrayLike,
    classes: Sequence[Tuple[int, str]],
    groups: Optional[npt.ArrayLike],
    bands: _BandNames,
    options: Dict[str, str],
    threads: int = ...,
    progress: _Progress = ...,
) -> Model: ...
def classify(
    model: Model,
    scene: npt.NDArray[Any],
    order: Tuple[int, int, int],
    bands: _BandNames,
    nodata: Optional[float],
    layers: Sequence[str],
    regularise: str,
    reject: Optional[float],
    reject_novelty: Optional[float],
    pixel_metres: Optional[float],
    threads: int = ...,
    progress: _Progress = ...,
) -> Dict[str, Any]: ...
