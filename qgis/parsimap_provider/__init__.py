"""QGIS plugin: the commands of parsimap as Processing algorithms."""


def classFactory(iface):  # noqa: N802 (QGIS asks for this name)
    from .plugin import ParsimapPlugin

    return ParsimapPlugin()
