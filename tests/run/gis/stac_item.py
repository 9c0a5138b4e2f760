"""Reads the STAC item of a map with pystac, and compares it with its files. Usage: stac_item.py ITEM"""

import hashlib
import json
import os
import sys

import pystac
from pystac.extensions.classification import ClassificationExtension
from pystac.extensions.file import FileExtension
from pystac.extensions.projection import ProjectionExtension

item = pystac.Item.from_file(sys.argv[1])
with open(sys.argv[1], encoding="utf-8") as file:
    written = json.load(file)
folder = os.path.dirname(sys.argv[1])

# What pystac makes of it is what was written, so that it needed no migration.
again = item.to_dict(include_self_link=False)
for key in ("stac_version", "stac_extensions", "properties", "geometry", "bbox", "assets"):
    assert again[key] == written[key], (key, again[key], written[key])
assert item.datetime is not None
projection = ProjectionExtension.ext(item)
assert projection.epsg == 32631 and projection.shape == [100, 120], (projection.epsg, projection.shape)
assert projection.transform[:3] == [2, 0, 363000], projection.transform
for asset in item.assets.values():
    with open(os.path.join(folder, asset.href), "rb") as file:
        content = file.read()
    described = FileExtension.ext(asset)
    assert described.size == len(content) and described.checksum == "1220" + hashlib.sha256(content).hexdigest(), asset.href
classes = ClassificationExtension.ext(item.assets["map"]).classes
assert [entry.value for entry in classes] == [0, 1, 2, 3, 4, 5], classes
assert all(len(entry.color_hint) == 6 for entry in classes[1:])
derived = [link.target for link in item.links if link.rel == "derived_from"]
assert [os.path.basename(path) for path in derived] == ["scene.tif", "model.parsimap"], derived
