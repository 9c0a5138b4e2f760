"""What every row is given."""

from dataclasses import dataclass, field

from .parsimap import Parsimap, Trained
from .scenes import Scene, SceneMaker


@dataclass
class Context:
    parsimap: Parsimap
    scenes: SceneMaker
    quick: bool
    repeats: int
    gigabytes: list[float]  # of virtual scenes, ascending
    _trained: dict[tuple[str, ...], Trained] = field(default_factory=dict)

    def trained(self, scene: Scene, *options: str) -> Trained:
        """The model by spectra alone, trained once per call of the benchmarks."""
        key = (scene.name, *options)
        if key not in self._trained:
            self._trained[key] = self.parsimap.train(scene, *options)
        return self._trained[key]
