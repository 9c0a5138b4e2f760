"""The dialog of an algorithm: it asks before it replaces what someone may still need."""

import os

from qgis.core import QgsProcessingParameterVectorDestination, QgsProject
from qgis.PyQt.QtWidgets import QMessageBox

from processing.gui.AlgorithmDialog import AlgorithmDialog
from processing.gui.ParametersPanel import ParametersPanel

from .outputs import REPLACE_SHOWN, chosen_outputs, edited_layer, free_name, shown_layers


class _Panel(ParametersPanel):
    """Which QGIS asks for the parameters of a run, in later versions than 3.22 without the dialog."""

    may_replace = False

    def createProcessingParameters(self, *arguments, **options):  # noqa: N802 (names of QGIS)
        parameters = super().createProcessingParameters(*arguments, **options)
        if self.may_replace:
            parameters[REPLACE_SHOWN] = True
        return parameters


class ParsimapDialog(AlgorithmDialog):
    def getParametersPanel(self, algorithm, parent):  # noqa: N802 (names of QGIS)
        return _Panel(parent, algorithm, self.in_place, self.active_layer)

    def createFeedback(self):  # noqa: N802
        """A cancelled run has not failed: QGIS, which reports it so, is the only one to call this from Python."""
        feedback = super().createFeedback()
        report = feedback.reportError
        feedback.reportError = lambda *text: feedback.pushInfo("Cancelled") if feedback.isCanceled() else report(*text)
        return feedback

    def finish(self, successful, result, context, feedback, in_place=False):
        is_cancelled = feedback.isCanceled()
        super().finish(successful, result, context, feedback, in_place)
        if is_cancelled:
            self.setInfo("{} was cancelled".format(self.algorithm().displayName()))

    def runAlgorithm(self):  # noqa: N802
        self.mainWidget().may_replace = False
        try:
            parameters = self.mainWidget().createProcessingParameters()
        except (self.InvalidParameterValue, self.InvalidOutputExtension):
            parameters = {}  # which QGIS itself is about to say
        if all(self._is_settled(name, file) for name, file in chosen_outputs(self.algorithm(), parameters).items()):
            super().runAlgorithm()

    def _is_settled(self, name, file):
        """Whether an output may be written, after it got another name or the user agreed that it is replaced."""
        layers = shown_layers(file, QgsProject.instance())
        # Labels may have been entered in vector files that no layer shows at present.
        is_vector = isinstance(self.algorithm().parameterDefinition(name), QgsProcessingParameterVectorDestination)
        if not os.path.exists(file) or not (layers or is_vector):
            return True
        edited = edited_layer(layers)
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Output exists")
        shown_by = ", and the layer “{}” shows it".format(layers[0].name()) if layers else ""
        box.setText("{} exists{}.".format(file, shown_by))
        if edited:
            consequence = "Its edits are not saved, so that it cannot be replaced."
        elif is_vector:
            consequence = "If it is replaced, what was entered there is lost."
        else:
            consequence = "If it is replaced, the layer shows the new file."
        box.setInformativeText(consequence)
        other = free_name(file)
        rename = box.addButton("Write {}".format(os.path.basename(other)), QMessageBox.ButtonRole.AcceptRole)
        replace = None if edited else box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(rename)
        box.exec()
        if box.clickedButton() is rename:
            self.setParameters({name: other})
            return True
        replaces = replace is not None and box.clickedButton() is replace
        self.mainWidget().may_replace |= replaces
        return replaces
