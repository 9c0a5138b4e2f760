# What goes into the wheel and the archive beside the program: the data of GDAL and PROJ, and the licences of all that is
# inside, as licences.csv lists them. Debian has their texts in the packages from which the libraries are built.
set(bundle_folder ${CMAKE_INSTALL_DATADIR}/parsimap)
install(DIRECTORY ${PARSIMAP_BUNDLE}/share/gdal ${PARSIMAP_BUNDLE}/share/proj DESTINATION ${bundle_folder})
install(FILES licences.csv DESTINATION ${bundle_folder}/licences)
file(STRINGS licences.csv rows REGEX ",[a-z].*,")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^[^,]*,([^,]*),.*" "\\1" package "${row}")
  if(NOT package STREQUAL "package")
    file(REAL_PATH /usr/share/doc/${package}/copyright text)
    install(FILES ${text} DESTINATION ${bundle_folder}/licences RENAME ${package})
  endif()
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${bundle_folder}/licences RENAME parsimap)

if(SKBUILD)
  # A wheel's programs on the PATH are apart from its package.
  install(PROGRAMS wheel-program.py DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME parsimap COMPONENT wheel)
endif()

add_executable(bundle_drivers ${CMAKE_CURRENT_LIST_DIR}/drivers.cpp)
target_link_libraries(bundle_drivers PRIVATE GDAL::GDAL)
target_link_options(bundle_drivers PRIVATE -Wl,--as-needed)
