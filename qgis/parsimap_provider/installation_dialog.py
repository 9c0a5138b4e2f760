"""What asks for the file or the address of the program before it is installed, and says what came of it."""

from qgis.core import Qgis
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QApplication, QDialog, QDialogButtonBox, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton
from qgis.PyQt.QtWidgets import QVBoxLayout
from qgis.utils import iface

from . import installation


class InstallationDialog(QDialog):
    def __init__(self, parent):
        super().__init__(parent)
        self.setWindowTitle("Install parsimap")
        text = QLabel(
            "The program is installed from its archive (.tar.xz) or its wheel (.whl), a file or an address, in the folder {}. "
            "Nothing else on this computer is changed. It can be removed in the menu Plugins, parsimap.".format(
                installation.folder()
            )
        )
        text.setWordWrap(True)
        self.source = QLineEdit(installation.published()[0] or "")
        self.source.setPlaceholderText("File or address")
        browse = QPushButton("Browse…")
        browse.clicked.connect(self._browse)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.install = buttons.addButton("Install", QDialogButtonBox.ButtonRole.AcceptRole)
        self.install.setEnabled(bool(self.source.text()))
        self.source.textChanged.connect(lambda text: self.install.setEnabled(bool(text.strip())))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        line = QHBoxLayout()
        line.addWidget(self.source)
        line.addWidget(browse)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addLayout(line)
        layout.addWidget(buttons)

    def _browse(self):
        kinds = "parsimap (parsimap-*.tar.xz parsimap-*.whl)"
        file, _ = QFileDialog.getOpenFileName(self, "Archive or wheel of parsimap", "", kinds)
        if file:
            self.source.setText(file)


def install(provider):
    """Asks for the source, installs the program, and lets the provider look for it again."""
    dialog = InstallationDialog(iface.mainWindow())
    if dialog.exec():
        _do(provider, lambda: "{} is installed.".format(installation.install(dialog.source.text().strip())))


def remove(provider):
    def removed():
        installation.remove()
        return "{} is removed.".format(installation.folder())

    _do(provider, removed)


def _do(provider, work):
    QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        sentence, level = work(), Qgis.MessageLevel.Success
    except installation.InstallationError as error:
        sentence, level = str(error), Qgis.MessageLevel.Warning
    finally:
        QApplication.restoreOverrideCursor()
    provider.refreshAlgorithms()
    iface.messageBar().pushMessage("parsimap", sentence, level)
