"""The picture of parsimap."""

import os

from qgis.PyQt.QtGui import QIcon


def icon():
    return QIcon(os.path.join(os.path.dirname(os.path.abspath(__file__)), "icon.svg"))
