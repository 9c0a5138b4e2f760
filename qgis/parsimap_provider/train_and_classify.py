"""Train and classify in one run: the parameters of Train, without those for several scenes, and those of the map."""

from .algorithm import ParsimapAlgorithm

# What is for several scenes or for libraries.
LEFT_OUT = {"scene", "scenes", "resample", "other-scenes", "library", "library-classes", "samples-out"}
OF_THE_MAP = ("confidence", "probabilities", "uncertainty", "novelty", "regularise", "reject")
# How a scene is read, which both steps must know.
OF_BOTH = {"mask", "quality", "nodata", "bands-by-position", "orthorectify", "glt", "variable", "ram"}


class TrainAndClassify(ParsimapAlgorithm):
    def __init__(self, usage):
        self.program_usage = usage
        train, classify = (_command(usage, name) for name in ("train", "classify"))
        of_the_map = [option for option in classify["options"] if option["name"] in OF_THE_MAP]
        target = {**_argument(classify, "MAP"), "description": "Class map to write: GeoTIFF (.tif) or ENVI (.img, .dat)"}
        arguments = train["arguments"] + [target]
        command = {
            "name": "train-and-classify",
            "summary": "Learn a model from labelled pixels and map the scene with it",
            "description": "Trains a model on the labelled pixels of a scene, as 'parsimap train' does, and classifies the scene "
            "with it, as 'parsimap classify' does.",
            "arguments": [{name: value for name, value in each.items() if name != "instead"} for each in arguments],
            "options": [option for option in train["options"] if option["name"] not in LEFT_OUT] + of_the_map,
        }
        super().__init__({**usage, "commands": usage["commands"] + [command]}, command)

    def createInstance(self):  # noqa: N802 (name of QGIS)
        return TrainAndClassify(self.program_usage)

    def runs(self, arguments, options):
        common = {option["name"] for option in self.usage["common_options"]}
        scene, labels, model, target = (arguments[name] for name in ("SCENE", "LABELS", "MODEL", "MAP"))
        of_train = [words for name, words in options.items() if name not in OF_THE_MAP]
        of_classify = [words for name, words in options.items() if name in common.union(OF_THE_MAP, OF_BOTH)]
        return [
            ["train", *scene, *labels, *model, *sum(of_train, [])],
            ["classify", *scene, *model, *target, *sum(of_classify, [])],
        ]


def _command(usage, name):
    return next(command for command in usage["commands"] if command["name"] == name)


def _argument(command, name):
    return next(argument for argument in command["arguments"] if argument["name"] == name)
