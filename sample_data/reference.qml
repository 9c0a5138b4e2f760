<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology">
  <pipe>
    <rasterrenderer type="paletted" band="1" opacity="1" alphaBand="-1" nodataColor="">
      <colorPalette>
        <paletteEntry value="1" color="#ddaa33" alpha="255" label="winter wheat" />
        <paletteEntry value="2" color="#bb5566" alpha="255" label="sunflower" />
        <paletteEntry value="3" color="#228833" alpha="255" label="deciduous forest" />
        <paletteEntry value="4" color="#996633" alpha="255" label="bare soil" />
        <paletteEntry value="5" color="#004488" alpha="255" label="water" />
      </colorPalette>
    </rasterrenderer>
  </pipe>
</qgis>
