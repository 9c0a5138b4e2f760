# The public headers, and the files by which CMake and pkg-config find the library.
include(CMakePackageConfigHelpers)

get_property(folders GLOBAL PROPERTY PARSIMAP_FOLDERS)
foreach(target IN LISTS folders)
  string(REGEX REPLACE "^parsimap_" "" folder ${target})
  string(REGEX REPLACE "^gdal_" "gdal/" folder ${folder})
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/include/parsimap/${folder})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/parsimap/${folder}/ COMPONENT development
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/parsimap/${folder} FILES_MATCHING PATTERN *.hpp)
  endif()
endforeach()

set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/parsimap)
configure_package_config_file(parsimap-config.cmake.in parsimap-config.cmake INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(parsimap-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/parsimap-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/parsimap-config-version.cmake
        DESTINATION ${cmake_folder} COMPONENT development)
if(PARSIMAP_PORTABLE AND PARSIMAP_GDAL)
  set(exports shared)
  set(library parsimap_baseline)
else()
  set(exports mathematics)
  set(library parsimap_archive_mathematics)
  if(PARSIMAP_GDAL)
    list(APPEND exports parsimap)
  endif()
endif()
foreach(name IN LISTS exports)
  install(EXPORT parsimap-${name} NAMESPACE parsimap:: DESTINATION ${cmake_folder} COMPONENT development)
endforeach()

# parsimap_pkg_config(NAME [C] DESCRIPTION REQUIRES... LIBS...): flags are those that CMake's targets have; a library of C has
# none. The folder is found from the file's own, for it is chosen only when installing.
function(parsimap_pkg_config name)
  cmake_parse_arguments(PC "C" "DESCRIPTION" "REQUIRES;LIBS" ${ARGN})
  set(PC_NAME ${name})
  file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  get_target_property(definitions ${library} INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(options ${library} INTERFACE_COMPILE_OPTIONS)
  list(TRANSFORM definitions PREPEND -D)
  string(JOIN " " PC_CFLAGS -std=c++20 ${definitions})
  if(options)
    string(JOIN " " PC_CFLAGS ${PC_CFLAGS} ${options})
  endif()
  if(PC_C)
    set(PC_CFLAGS "")
  endif()
  string(JOIN " " PC_REQUIRES ${PC_REQUIRES})
  string(JOIN " " PC_LIBS ${PC_LIBS})
  configure_file(parsimap.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT development)
endfunction()

if(PARSIMAP_GDAL)
  install(FILES ${PROJECT_SOURCE_DIR}/include/parsimap/parsimap.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/parsimap
          COMPONENT development)
  install(EXPORT parsimap-c NAMESPACE parsimap:: DESTINATION ${cmake_folder} COMPONENT development)
  parsimap_pkg_config(parsimap-c C DESCRIPTION "${PROJECT_DESCRIPTION}, as functions of C"
                      LIBS -L\${prefix}/lib/parsimap -Wl,-rpath,\${prefix}/lib/parsimap -lparsimap-c)
endif()

set(packages libeigen3-dev)
if(exports STREQUAL shared)
  set(folder "\${prefix}/lib/parsimap")
  parsimap_pkg_config(parsimap DESCRIPTION "${PROJECT_DESCRIPTION}" REQUIRES eigen3
                      LIBS -L${folder} -Wl,-rpath,${folder} -lparsimap -lparsimap-mathematics)
  parsimap_pkg_config(parsimap-mathematics DESCRIPTION "${PROJECT_DESCRIPTION}" REQUIRES eigen3
                      LIBS -L${folder} -Wl,-rpath,${folder} -lparsimap-mathematics)
  list(APPEND packages "parsimap (= ${PROJECT_VERSION})")
else()
  parsimap_pkg_config(parsimap-mathematics DESCRIPTION "${PROJECT_DESCRIPTION}, without files" REQUIRES eigen3
                      LIBS -L\${libdir} -lparsimap-mathematics -fopenmp ${NETTLE_LIBRARY} ${UTF8PROC_LIBRARY})
  if(PARSIMAP_GDAL)
    parsimap_pkg_config(parsimap DESCRIPTION "${PROJECT_DESCRIPTION}" REQUIRES parsimap-mathematics gdal
                        LIBS -L\${libdir} -lparsimap -lboost_program_options ${MATIO_LIBRARY} ${HDF5_LIBRARY}
                             ${ZLIB_LIBRARIES} ${SQLITE_LIBRARY})
  endif()
  list(APPEND packages nettle-dev libutf8proc-dev libgdal-dev libboost-program-options-dev libmatio-dev libhdf5-dev zlib1g-dev libsqlite3-dev)
endif()
string(JOIN ", " PARSIMAP_DEVELOPMENT_PACKAGES ${packages})
