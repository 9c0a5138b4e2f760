"""The dock "Label and see": the map of the visible extent follows every edit of the labels."""

import json
import math
import time

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCoordinateTransform,
    QgsEditorWidgetSetup,
    QgsFeature,
    QgsFieldProxyModel,
    QgsFillSymbol,
    QgsGeometry,
    QgsMapLayerProxyModel,
    QgsPointXY,
    QgsProject,
    QgsRendererCategory,
    QgsVectorLayer,
)
from qgis.gui import QgsFieldComboBox, QgsMapCanvasItem, QgsMapLayerComboBox, QgsMapToolEmitPoint
from qgis.PyQt.QtCore import QPointF, QRectF, Qt, QTimer
from qgis.PyQt.QtGui import QColor, QImage, QPainter, QPen, QPolygonF, QTransform
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QDockWidget,
    QFormLayout,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from .inputs import mirrored
from .program import ProgramError
from .serving import Serving

SETTLE_MILLISECONDS = 10  # edits that come together are one
REST_MILLISECONDS = 10000
COARSE = 4
COLOURS = ["#da3", "#48b", "#283", "#963", "#048", "#e73", "#6cd", "#a3a", "#999", "#fd4", "#136", "#7a2"]
SHOWN = {"classes": "Classes", "faded": "Classes, faint where doubtful", "confidence": "Confidence"}


class Picture(QgsMapCanvasItem):
    """An image of a window of the scene above the map, in the reference system of the canvas."""

    def __init__(self, canvas):
        super().__init__(canvas)
        self._canvas = canvas
        self._image = None
        self._corners = []
        self._name = None  # of an image that has not been painted yet
        self.opacity = 0.6
        self.painted = {}  # when the last image of a name was painted first

    def show_image(self, image, corners, name=None):
        self._image, self._corners, self._name = image, corners, name
        self.update()

    def boundingRect(self):  # noqa: N802 (name of Qt)
        return QRectF(0, 0, self._canvas.width(), self._canvas.height())

    def updatePosition(self):  # noqa: N802 (name of QGIS)
        self.prepareGeometryChange()

    def paint(self, painter, *_):
        if self._image is None:
            return
        places = QPolygonF([self.toCanvasCoordinates(QgsPointXY(x, y)) for x, y in self._corners])
        width, height = self._image.width(), self._image.height()
        image = QPolygonF([QPointF(0, 0), QPointF(width, 0), QPointF(width, height), QPointF(0, height)])
        # Of Qt 5 and 6: the one returns a pair, the other takes what it fills.
        transform = QTransform()
        if QTransform.quadToQuad(image, places, transform):
            painter.save()
            painter.setOpacity(self.opacity)
            painter.setTransform(transform, True)
            painter.drawImage(0, 0, self._image)
            painter.restore()
        if self._name is not None:
            self.painted[self._name], self._name = time.monotonic(), None


class Spectra(QWidget):
    """The spectrum of a pixel, in black, and the means of the classes in their colours."""

    def __init__(self):
        super().__init__()
        self.setMinimumHeight(120)
        self._lines = []

    def show_lines(self, lines):
        self._lines = [(colour, values) for colour, values in lines if values]
        self.update()

    def paintEvent(self, _):  # noqa: N802 (name of Qt)
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("white"))
        values = [value for _, line in self._lines for value in line]
        if not values:
            return
        low, high = min(values), max(values)
        span = (high - low) or 1
        for colour, line in self._lines:
            painter.setPen(QPen(QColor(colour), 1 + (colour == "black")))
            across = (self.width() - 8) / max(1, len(line) - 1)
            down = self.height() - 8
            points = [QPointF(4 + i * across, 4 + down * (high - value) / span) for i, value in enumerate(line)]
            painter.drawPolyline(QPolygonF(points))


class LabelAndSee(QDockWidget):
    """Needs of the session are flags, and the first of them is asked for whenever the session is idle: so an edit only
    raises flags, and cancels what is worked on."""

    def __init__(self, iface):
        super().__init__("Label and see", iface.mainWindow())
        self.setObjectName("parsimap_label_and_see")
        self._canvas = iface.mapCanvas()
        self.session = Serving(self)
        self.session.answered.connect(self._answered)
        self.session.progressed.connect(
            lambda stage, fraction: self._say("{} {:.0f} %".format(stage.capitalize(), 100 * fraction))
        )
        self.session.ended.connect(self._ended)
        self._layer = None
        self._tool = None
        self._settle, self._rest = QTimer(self), QTimer(self)
        for timer, length, call in [
            (self._settle, SETTLE_MILLISECONDS, self._look),
            (self._rest, REST_MILLISECONDS, self._rested),
        ]:
            timer.setSingleShot(True)
            timer.setInterval(length)
            timer.timeout.connect(call)
        self.picture = Picture(self._canvas)
        self.result_layers = {}
        self.edited = time.monotonic()
        self._texts = {}  # of geometries by feature, with what they are the text of
        self._make_widgets()
        self._reset()
        self._canvas.extentsChanged.connect(self._extent_changed)
        QgsProject.instance().layersWillBeRemoved.connect(self._layers_removed)

    def _make_widgets(self):
        self.scene_box, self.labels_box, self.field_box = QgsMapLayerComboBox(), QgsMapLayerComboBox(), QgsFieldComboBox()
        proxy = getattr(QgsMapLayerProxyModel, "Filter", QgsMapLayerProxyModel)
        self.scene_box.setFilters(proxy.RasterLayer)
        self.labels_box.setFilters(proxy.PolygonLayer)
        for box in (self.scene_box, self.labels_box):
            box.setAllowEmptyLayer(True)
            box.setLayer(None)
        fields = getattr(QgsFieldProxyModel, "Filter", QgsFieldProxyModel)
        self.field_box.setFilters(fields.String | fields.Int | fields.LongLong)
        self.shown_box = QComboBox()
        for name, text in SHOWN.items():
            self.shown_box.addItem(text, name)
        self.opacity = QSlider(Qt.Orientation.Horizontal)
        self.opacity.setRange(0, 100)
        self.opacity.setValue(60)
        self.new_button, self.ask_button = QPushButton("New labels…"), QPushButton("Ask a pixel")
        self.whole_button = QPushButton("Map the whole scene…")
        self.ask_button.setCheckable(True)
        self.status, self.facts, self.spectra = QLabel(), QLabel(), Spectra()
        for label in (self.status, self.facts):
            label.setWordWrap(True)
        form, buttons, column = QFormLayout(), QHBoxLayout(), QVBoxLayout()
        for text, widget in [
            ("Scene", self.scene_box),
            ("Labels", self.labels_box),
            ("Class field", self.field_box),
            ("Show", self.shown_box),
            ("Opacity", self.opacity),
        ]:
            form.addRow(text, widget)
        for button in (self.new_button, self.ask_button, self.whole_button):
            buttons.addWidget(button)
        column.addLayout(form)
        column.addLayout(buttons)
        for widget in (self.status, self.spectra, self.facts):
            column.addWidget(widget)
        column.addStretch()
        content = QWidget()
        content.setLayout(column)
        self.setWidget(content)
        self.scene_box.layerChanged.connect(self._scene_changed)
        self.labels_box.layerChanged.connect(self._labels_changed)
        self.field_box.fieldChanged.connect(lambda *_: self._edited())
        self.shown_box.currentIndexChanged.connect(lambda *_: self._paint())
        self.opacity.valueChanged.connect(self._fade)
        self.new_button.clicked.connect(lambda: self.create_labels())
        self.ask_button.toggled.connect(self._ask_toggled)
        self.whole_button.clicked.connect(self._map_whole)

    def _reset(self):
        """Nothing is known to the session."""
        self._scene = None  # the answer to `open`
        self._sent, self._wanted = {}, {}
        self._needs = []
        self._pixel = None
        self._refused = None  # labels that the session has refused
        self._has_model = False
        self._window = None
        self._frame = None
        self.drawn_step = None
        self.picture.show_image(None, [])

    def _say(self, text):
        self.status.setText(text)

    # What happens to layers and the window.

    def _scene_changed(self, *_):
        self.session.cancel()
        self._reset()
        self._edited()

    def _labels_changed(self, layer):
        for signal in self._signals():
            signal.disconnect(self._edited)
        self._layer = layer if isinstance(layer, QgsVectorLayer) else None
        for signal in self._signals():
            signal.connect(self._edited)
        self.field_box.setLayer(self._layer)
        if self._layer is not None:
            names = [field.name() for field in self._layer.fields()]
            self.field_box.setField("class" if "class" in names else self.field_box.currentField())
        self._edited()

    def _signals(self):
        layer = self._layer
        if layer is None:
            return []
        return [
            layer.featureAdded,
            layer.featureDeleted,
            layer.geometryChanged,
            layer.attributeValueChanged,
            layer.afterRollBack,
            layer.afterCommitChanges,
            layer.subsetStringChanged,
        ]

    def _layers_removed(self, removed):
        if self._layer is not None and self._layer.id() in removed:
            self._labels_changed(None)
        self.result_layers = {name: layer for name, layer in self.result_layers.items() if layer.id() not in removed}

    def _edited(self, *_):
        self.edited = time.monotonic()
        self._rest.stop()
        self._settle.start()

    def _extent_changed(self):
        if self.isVisible() and self._has_model:
            self._need("coarse", "whole")
            self.session.cancel()
            self._go_on()

    def _look(self):
        """Compares the labels with those that the session knows."""
        if not self.isVisible():
            return
        try:
            self._wanted = self._labels()
        except Exception as error:  # of a layer that is being removed, or a transformation that fails
            self._say(str(error))
            return
        if self._wanted != self._sent or not self._has_model:
            self._refused = None
            self._needs = []
            self._need("train", "coarse", "whole")
            self.session.cancel()
        self._rest.start()
        self._go_on()

    def _rested(self):
        if self._has_model and self._frame is not None:
            self._need("suspects", "places", "full")
            self._go_on()

    def _labels(self):
        """Class and geometry of all features with a class, in the reference system of the scene, as the layer shows them."""
        scene, field = self.scene_box.currentLayer(), self.field_box.currentField()
        if self._layer is None or scene is None or not field:
            return {}
        transform = QgsCoordinateTransform(self._layer.crs(), scene.crs(), QgsProject.instance())
        labels, known, self._texts = {}, self._texts, {}
        for feature in self._layer.getFeatures():
            value = feature[field]
            name = "" if value is None or str(value) == "NULL" else str(value).strip()
            geometry = QgsGeometry(feature.geometry())
            if not name or name == "0" or geometry.isEmpty():
                continue
            # What has not changed is not written as text again, which would take most of the time of an edit.
            of = (geometry.asWkb(), transform.sourceCrs(), transform.destinationCrs(), self._has_no_place())
            before, text = known.get(feature.id(), (None, ""))
            if of != before:
                if transform.isValid() and not transform.isShortCircuited():
                    geometry.transform(transform)
                text = self._turned(geometry).asJson(17)
            self._texts[feature.id()] = (of, text)
            labels[str(feature.id())] = (name, text)
        return labels

    def _has_no_place(self):
        """Whether the scene is known to lie nowhere on a map: QGIS shows its rows below 0."""
        return self._scene is not None and self._scene["geotransform"] is None

    def _turned(self, geometry):
        """A geometry of the map as the session has it, and the other way round."""
        return mirrored(geometry) if self._has_no_place() else geometry

    # What the session is asked for.

    def _need(self, *names):
        self._needs += [name for name in names if name not in self._needs]

    def _go_on(self):
        scene = self.scene_box.currentLayer()
        if self.session.asked is not None or not self.isVisible():
            return
        if scene is None or self._layer is None:
            self._say("Choose a scene and a layer of polygons, or make new labels.")
            return
        if not self.session.running():
            self._reset_session()
            try:
                self.session.start()
            except ProgramError as error:
                self._say(str(error))
                return
        if self._scene is None:
            self._say("Opening the scene")
            self.session.ask("open", scene=scene.source().split("|")[0], options={"spatial": "none"})
            return
        if self._wanted != self._sent and self._wanted != self._refused:
            self.session.ask("labels", **self._difference())
            return
        if len({name for name, _ in self._sent.values()}) < 2:
            self._say("Label two classes to see a map.")
            self._needs = []
            self.picture.show_image(None, [])
            return
        if self._pixel is not None and self._has_model:
            (column, row), self._pixel = self._pixel, None
            self.session.ask("pixel", column=column, row=row)
            return
        if self._needs:
            self._ask_for(self._needs[0])

    def _ask_for(self, need):
        if need in ("train", "full"):
            self.session.ask("train", full=need == "full")
            return
        window, step = self._visible_window()
        if need == "suspects":
            self.session.ask("suspects")
        elif window is None:
            self._needs = [each for each in self._needs if each not in ("coarse", "whole", "places")]
            self._go_on()
        elif need == "places":
            self.session.ask("places", window=window)
        else:
            self.session.ask("classify", window=window, step=step * (COARSE if need == "coarse" else 1))

    def _difference(self):
        changed = [name for name, label in self._wanted.items() if self._sent.get(name) != label]
        features = [
            {"feature": name, "class": self._wanted[name][0], "geometry": json.loads(self._wanted[name][1])} for name in changed
        ]
        return {"remove": [name for name in self._sent if name not in self._wanted], "set": features}

    def _reset_session(self):
        wanted, needs = self._wanted, self._needs
        self._reset()
        self._wanted, self._needs = wanted, needs
        self._need("train", "coarse", "whole")

    def _visible_window(self):
        """The window of the scene that the canvas shows, and how many of its pixels a pixel of the screen has across."""
        settings = self._canvas.mapSettings()
        layer = self.scene_box.currentLayer()
        extent = settings.mapToLayerCoordinates(layer, settings.visibleExtent())
        forward = self._affine()
        backward, invertible = forward.inverted()
        corners = [(x, y) for x in (extent.xMinimum(), extent.xMaximum()) for y in (extent.yMinimum(), extent.yMaximum())]
        if not invertible or not all(math.isfinite(value) for corner in corners for value in corner):
            return None, 1
        places = [backward.map(QPointF(x, y)) for x, y in corners]
        left = max(0, math.floor(min(place.x() for place in places)))
        top = max(0, math.floor(min(place.y() for place in places)))
        right = min(self._scene["width"], math.ceil(max(place.x() for place in places)))
        bottom = min(self._scene["height"], math.ceil(max(place.y() for place in places)))
        if right <= left or bottom <= top:
            return None, 1
        across = max(place.x() for place in places) - min(place.x() for place in places)
        return [left, top, right - left, bottom - top], max(1, int(across / max(1, self._canvas.width())))

    def _affine(self):
        x, x_column, x_row, y, y_column, y_row = self._scene["geotransform"] or [0, 1, 0, 0, 0, -1]
        return QTransform(x_column, y_column, x_row, y_row, x, y)

    # What the session answers.

    def _answered(self, answer, frame):
        asked = answer["asked"]
        if answer.get("ok"):
            self._use(asked, answer, frame)
        elif answer["error"]["code"] != "cancelled":
            self._say(answer["error"]["text"])
            if asked["request"] == "open":
                return
            if asked["request"] == "labels":
                self._refused = self._wanted
            self._needs = []
        self._go_on()

    def _use(self, asked, answer, frame):
        request = asked["request"]
        if request == "open":
            if asked["scene"] == self.scene_box.currentLayer().source().split("|")[0]:
                self._scene, self._sent, self._has_model = answer, {}, False
                self._look()  # which way the rows of the labels go is known now
            return
        if self._scene is None:
            return  # of a scene that was left meanwhile
        if request == "labels":
            removed = set(asked["remove"])
            self._sent = {name: label for name, label in self._sent.items() if name not in removed}
            for feature in asked["set"]:
                self._sent[feature["feature"]] = self._wanted.get(feature["feature"], (feature["class"], None))
            self._need("train", "coarse", "whole")
        elif request == "train":
            self._has_model = True
            self._done("full" if asked["full"] else "train")
            if asked["full"]:
                self._need("coarse", "whole")
        elif request == "classify":
            self._done("coarse" if self._needs[:1] == ["coarse"] else "whole")
            self._frame = (answer, frame)
            self._paint()
        elif request == "pixel":
            self._show_pixel(answer)
            self._say_pixels()  # after the progress of the first pixel of a model
        else:
            self._done(request)
            self._show_results(request, answer[request])

    def _done(self, need):
        self._needs = [each for each in self._needs if each != need]

    def _ended(self, said):
        self._reset()
        self._say("The program has ended" + (": " + said if said else "") + ". The next edit starts it again.")

    # What is shown.

    def _colours(self, classes):
        """Colours of the classes by code: those of the layer of labels where it has them."""
        renderer = self._layer.renderer() if self._layer is not None else None
        known = {}
        if isinstance(renderer, QgsCategorizedSymbolRenderer):
            known = {str(each.value()): each.symbol().color() for each in renderer.categories() if each.symbol() is not None}
        taken = {colour.name() for colour in known.values()}
        free = [colour for colour in map(QColor, COLOURS) if colour.name() not in taken] or list(map(QColor, COLOURS))
        others = sorted(each["name"] for each in classes if each["name"] not in known)
        known.update({name: free[i % len(free)] for i, name in enumerate(others)})
        return {each["code"]: known[each["name"]] for each in classes}

    def view(self):
        """Labels and confidences of the last answer as arrays, with its window, step and classes."""
        import numpy

        answer, frame = self._frame
        shape = (answer["height"], answer["width"])
        pixels = shape[0] * shape[1]
        labels = numpy.frombuffer(frame, "u1" if answer["label_bytes"] == 1 else "<u2", pixels).reshape(shape)
        return labels, numpy.frombuffer(frame, "u1", pixels, labels.nbytes).reshape(shape), answer

    def _paint(self):
        if self._frame is None:
            return
        import numpy

        labels, confidence, answer = self.view()
        colours = self._colours(answer["classes"])
        table = numpy.zeros((max(colours) + 1, 4), "u1")
        for code, colour in colours.items():
            table[code] = (colour.blue(), colour.green(), colour.red(), 255)
        pixels = numpy.ascontiguousarray(table[labels])
        shown = self.shown_box.currentData()
        if shown == "confidence":
            pixels[..., :3] = confidence[..., None]
        elif shown == "faded":
            pixels[..., 3] = numpy.where(labels > 0, confidence, 0)
        height, width = labels.shape
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32).copy()
        column, row, _, _ = answer["window"]
        step = answer["step"]
        affine, settings, layer = self._affine(), self._canvas.mapSettings(), self.scene_box.currentLayer()
        ends = [(0, 0), (width, 0), (width, height), (0, height)]
        places = [affine.map(QPointF(column + step * x, row + step * y)) for x, y in ends]
        corners = [settings.layerToMapCoordinates(layer, QgsPointXY(place.x(), place.y())) for place in places]
        name = "coarse" if "whole" in self._needs else "whole"
        self.picture.show_image(image, [(corner.x(), corner.y()) for corner in corners], name)
        self.drawn_step = step
        self._say_pixels()

    def _fade(self, value):
        self.picture.opacity = value / 100
        self.picture.update()

    def _say_pixels(self):
        if self._frame is not None:
            classes = self._frame[0]["classes"]
            self._say(", ".join("{} {}".format(each["name"], each["pixels"]) for each in classes) + " pixels")

    def _show_results(self, kind, found):
        """Points of doubtful places or suspicious labels, in a layer in memory."""
        title = {"places": "Doubtful places", "suspects": "Suspicious labels"}[kind]
        layer = self.result_layers.get(kind)
        if layer is None:
            fields = "field=class:string&field=other:string&field=probability:double&field=other_probability:double"
            layer = QgsVectorLayer("Point?" + fields, title, "memory")
            layer.setCrs(self.scene_box.currentLayer().crs())
            layer.setCustomProperty("skipMemoryLayersCheck", 1)
            QgsProject.instance().addMapLayer(layer)
            self.result_layers[kind] = layer
        first, second = ("class", "second") if kind == "places" else ("label", "likely")
        features = []
        for each in found:
            feature = QgsFeature(layer.fields())
            feature.setGeometry(self._turned(QgsGeometry.fromPointXY(QgsPointXY(*each["point"]))))
            of_first = each["probability"] if kind == "places" else each["label_probability"]
            of_second = each["second_probability"] if kind == "places" else each["likely_probability"]
            feature.setAttributes([each[first], each[second], of_first, of_second])
            features.append(feature)
        layer.dataProvider().truncate()
        layer.dataProvider().addFeatures(features)
        layer.updateExtents()
        layer.triggerRepaint()

    def _show_pixel(self, answer):
        classes = self._frame[0]["classes"] if self._frame else []
        colours = {each["name"]: self._colours(classes)[each["code"]] for each in classes}
        lines = [(colours.get(each["name"], QColor("grey")).name(), each["mean"]) for each in answer["classes"]]
        self.spectra.show_lines(lines + [("black", answer["spectrum"])])
        if answer["class"] is None:
            self.facts.setText("No value here.")
            return
        likely = sorted(answer["classes"], key=lambda each: -(each["probability"] or 0))[:3]
        text = ", ".join("{} {:.0f} %".format(each["name"], 100 * each["probability"]) for each in likely)
        self.facts.setText(text + self._deciding_text(answer))

    def _deciding_text(self, answer):
        """The labelled features that decide about a pixel; the one that speaks most for its class flashes on the map."""
        deciding = answer.get("deciding")  # programs of earlier versions have none
        if not deciding:
            return ""
        if self._layer is not None:
            self._canvas.flashFeatureIds(self._layer, [int(deciding["for"]["feature"])])
        most, least = ("feature {feature} ({class})".format(**deciding[key]) for key in ("for", "against"))
        text = "\nMost for it: {}; most against it: {}.\nLead over {}: {:.2f}; without the first {:.2f}".format(
            most, least, deciding["second"], deciding["lead"], deciding["lead_without"]
        )
        hangs = ", so that {} hangs on this label.".format(answer["class"]) if deciding["lead_without"] < 0 else "."
        return text + hangs

    # What buttons do.

    def _ask_toggled(self, on):
        if on:
            self._tool = QgsMapToolEmitPoint(self._canvas)
            self._tool.canvasClicked.connect(lambda point, _: self.ask_pixel(point))
            self._tool.deactivated.connect(lambda: self.ask_button.setChecked(False))
            self._canvas.setMapTool(self._tool)
        elif self._tool is not None:
            self._canvas.unsetMapTool(self._tool)

    def ask_pixel(self, point):
        """Shows the spectrum at a point of the map."""
        if self._scene is None:
            return
        place = self._canvas.mapSettings().mapToLayerCoordinates(self.scene_box.currentLayer(), QgsPointXY(point))
        at = self._affine().inverted()[0].map(QPointF(place.x(), place.y()))
        column, row = math.floor(at.x()), math.floor(at.y())
        if 0 <= column < self._scene["width"] and 0 <= row < self._scene["height"]:
            self._pixel = (column, row)
            self._go_on()

    def create_labels(self, classes=None):
        """A layer of polygons in memory with these classes, or those that are typed."""
        scene = self.scene_box.currentLayer()
        if scene is None:
            self._say("Choose a scene first.")
            return None
        if classes is None:
            text, accepted = QInputDialog.getText(self, "New labels", "Classes, separated by commas")
            if not accepted:
                return None
            classes = [name.strip() for name in text.split(",") if name.strip()]
        layer = QgsVectorLayer("Polygon?field=class:string(80)", "labels", "memory")
        layer.setCrs(scene.crs())
        categories = []
        for i, name in enumerate(classes):
            symbol = QgsFillSymbol.createSimple({"color": COLOURS[i % len(COLOURS)], "outline_color": "black"})
            symbol.setColor(QColor(COLOURS[i % len(COLOURS)]))
            categories.append(QgsRendererCategory(name, symbol, name))
        layer.setRenderer(QgsCategorizedSymbolRenderer("class", categories))
        layer.setEditorWidgetSetup(0, QgsEditorWidgetSetup("ValueMap", {"map": [{name: name} for name in classes]}))
        QgsProject.instance().addMapLayer(layer)
        layer.startEditing()
        self.labels_box.setLayer(layer)
        return layer

    def _map_whole(self):
        import processing

        scene, field = self.scene_box.currentLayer(), self.field_box.currentField()
        if scene is None or self._layer is None:
            self._say("Choose a scene and a layer of polygons first.")
            return
        values = {"SCENE": scene.id(), "LABELS": self._layer.id(), "CLASS_FIELD": field}
        processing.execAlgorithmDialog("parsimap:train-and-classify", values)

    def showEvent(self, event):  # noqa: N802 (name of Qt)
        super().showEvent(event)
        self._settle.start()

    def hideEvent(self, event):  # noqa: N802 (name of Qt)
        super().hideEvent(event)
        if not self.isVisible():
            self.session.stop()
            self._reset()

    def tidy(self):
        """Before the dock is taken away."""
        self._settle.stop()
        self._rest.stop()
        self._canvas.extentsChanged.disconnect(self._extent_changed)
        QgsProject.instance().layersWillBeRemoved.disconnect(self._layers_removed)
        self._labels_changed(None)
        self._settle.stop()
        self.session.stop()
        self._canvas.scene().removeItem(self.picture)
