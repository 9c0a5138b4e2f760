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
    _trained: dict[str, Trained] = field(default_factory=dict)

    def trained(self, scene: Scene) -> Trained:
        """The model by spectra alone, trained once per call of the benchmarks."""
        if scene.name not in self._trained:
            self._trained[scene.name] = self.parsimap.train(scene)
        return self._trained[scene.name]
