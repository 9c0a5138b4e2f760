# What goes into the wheel and the archive beside the program: the data of GDAL and PROJ, and the licences of all that is
# inside, as licences.csv lists them. Their texts are in the packages from which the libraries are built.
set(bundle_folder ${CMAKE_INSTALL_DATADIR}/parsimap)
install(DIRECTORY ${PARSIMAP_BUNDLE}/share/gdal ${PARSIMAP_BUNDLE}/share/proj DESTINATION ${bundle_folder})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS licences.csv sbom)
file(STRINGS licences.csv rows REGEX ",[a-z].*,")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^[^,]*,([^,]*),.*" "\\1" package "${row}")
  if(NOT package STREQUAL "package")
    set(text ${PARSIMAP_BUNDLE}/licences/${package})
    if(NOT EXISTS ${text})
      file(REAL_PATH ${PARSIMAP_BUNDLE}/system/usr/share/doc/${package}/copyright text)
    endif()
    install(FILES ${text} DESTINATION ${bundle_folder}/licences RENAME ${package})
  endif()
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${bundle_folder}/licences RENAME parsimap)

# The same with versions, for programs that look for known faults (CycloneDX; in a wheel where PEP 770 has it).
set(sbom ${CMAKE_CURRENT_BINARY_DIR}/parsimap.cdx.json)
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/sbom ${PROJECT_VERSION} ${CMAKE_CURRENT_LIST_DIR}/licences.csv
                        ${PARSIMAP_BUNDLE}/versions ${PARSIMAP_BUNDLE}/system/versions
                OUTPUT_FILE ${sbom} COMMAND_ERROR_IS_FATAL ANY)
install(FILES licences.csv ${sbom} DESTINATION ${bundle_folder}/licences)

if(SKBUILD)
  # A wheel's programs on the PATH are apart from its package.
  install(PROGRAMS wheel-program.py DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME parsimap COMPONENT wheel)
  install(FILES ${sbom} DESTINATION ${SKBUILD_METADATA_DIR}/sboms COMPONENT wheel)
endif()

target_sources(parsimap PRIVATE ${CMAKE_CURRENT_LIST_DIR}/old_loader.cpp)
target_sources(parsimap_baseline PRIVATE ${CMAKE_CURRENT_LIST_DIR}/old_libc.cpp)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/old_libc.cpp TARGET_DIRECTORY parsimap_baseline
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
add_executable(bundle_drivers ${CMAKE_CURRENT_LIST_DIR}/drivers.cpp ${CMAKE_CURRENT_LIST_DIR}/old_libc.cpp)
target_link_libraries(bundle_drivers PRIVATE GDAL::GDAL)
target_link_options(bundle_drivers PRIVATE -Wl,--as-needed)
