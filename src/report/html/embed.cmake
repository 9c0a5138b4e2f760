# The pages are part of the program, which so needs no file beside it: templates, style and scripts of this
# folder, and the packages of Vega that Debian's libjs-vega holds.
find_path(MUSTACHE_INCLUDE kainjow/mustache.hpp REQUIRED)
find_path(JAVASCRIPT_FOLDER vega/vega-dataflow.min.js PATHS /usr/share/javascript REQUIRED)

set(vega_packages util time format loader dataflow statistics scale canvas scenegraph expression functions
                  event-selector parser runtime view transforms view-transforms encode projection geo)
set(page_scripts vega results figures/figure figures/panels figures/boxes figures/accuracy figures/dimension figures/spectra
                 figures/criterion figures/weights figures/confusion figures/seconds figures/kernels figures/bars figures/areas
                 figures/histogram figures/reliability figures/class_spectra figures/wavelengths figures/distances
                 figures/by_distance wipe page)

# A module named `name` of the text of `file`, see modules.js.
function(add_page_module name file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX REPLACE "//# sourceMappingURL=[^\n]*" "" text "${text}")
  string(APPEND PAGE_SCRIPT "define(\"${name}\", function (exports, module, require) {\n${text}\n});\n")
  set(PAGE_SCRIPT "${PAGE_SCRIPT}" PARENT_SCOPE)
endfunction()

function(read_page_file variable file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(page_folder ${CMAKE_CURRENT_LIST_DIR})
read_page_file(PAGE_TEMPLATE ${page_folder}/page.mustache)
read_page_file(CARD_TEMPLATE ${page_folder}/card.mustache)
read_page_file(PAGE_STYLE ${page_folder}/page.css)
read_page_file(PAGE_LICENCES ${page_folder}/licences.txt)
read_page_file(PAGE_SCRIPT ${page_folder}/modules.js)
add_page_module(topojson-client ${JAVASCRIPT_FOLDER}/topojson-client/topojson-client.min.js)
add_page_module(vega-selections ${JAVASCRIPT_FOLDER}/vega/vega-selection.min.js)
foreach(package IN LISTS vega_packages)
  add_page_module(vega-${package} ${JAVASCRIPT_FOLDER}/vega/vega-${package}.min.js)
endforeach()
foreach(script IN LISTS page_scripts)
  get_filename_component(module ${script} NAME)
  add_page_module(${module} ${page_folder}/${script}.js)
endforeach()
configure_file(${page_folder}/../page_parts.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/report/page_parts.cpp @ONLY)
target_sources(parsimap_report PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/report/page_parts.cpp)
target_include_directories(parsimap_report PRIVATE ${page_folder}/..)
target_include_directories(parsimap_report SYSTEM PRIVATE ${MUSTACHE_INCLUDE})
