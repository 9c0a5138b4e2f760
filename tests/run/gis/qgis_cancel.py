"""Classifies a scene with the plugin for QGIS, cancels when some of it is done, and fails unless the run then ends as a
cancelled one. Arguments: the folder of the plugin, SCENE, MODEL, MAP."""

import sys

from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingFeedback

plugins, scene, model, target = sys.argv[1:]
sys.path += [plugins, "/usr/share/qgis/python/plugins"]
application = QgsApplication([], False)
application.initQgis()

from parsimap_provider.provider import ParsimapProvider  # noqa: E402 (needs QGIS to run)
from processing.core.Processing import Processing  # noqa: E402

Processing.initialize()
provider = ParsimapProvider()
QgsApplication.processingRegistry().addProvider(provider)


class Impatient(QgsProcessingFeedback):
    """Cancels at the first progress."""

    def __init__(self):
        super().__init__(False)
        self.seen = []
        self.progressChanged.connect(self.notice)

    def notice(self, percent):
        self.seen.append(percent)
        if percent > 0:
            self.cancel()


feedback = Impatient()
algorithm = QgsApplication.processingRegistry().algorithmById("parsimap:classify")
parameters = {"SCENE": scene, "MODEL": model, "MAP": target}
results, done = algorithm.run(parameters, QgsProcessingContext(), feedback)
assert feedback.isCanceled(), "the run ended before there was progress: {}".format(feedback.seen)
assert max(feedback.seen) < 50, "the run was cancelled late: {}".format(feedback.seen)
assert done and results == {}, "a cancelled run has results: {}".format(results)
