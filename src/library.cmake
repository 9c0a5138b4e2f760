# What other programs link: one archive of the folders that need no GDAL, and one of all others but the command line.

# The instructions that the archives need, in words that g++ and clang++ both know. Programs are compiled with the same,
# or the linker might take one of Eigen's functions from a file compiled for fewer instructions.
set(parsimap_public_options "")
if(PARSIMAP_NATIVE AND NOT PARSIMAP_PORTABLE AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -march=native)
  check_cxx_source_compiles("
    #if !(defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512VL__))
    #error
    #endif
    int main() {}" PARSIMAP_NATIVE_IS_V4)
  check_cxx_source_compiles("
    #if !(defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__) && defined(__F16C__) && defined(__MOVBE__))
    #error
    #endif
    int main() {}" PARSIMAP_NATIVE_IS_V3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(PARSIMAP_NATIVE_IS_V4)
    set(parsimap_public_options -march=x86-64-v4)
  elseif(PARSIMAP_NATIVE_IS_V3)
    set(parsimap_public_options -march=x86-64-v3)
  endif()
endif()

# parsimap_archive(NAME FILE FOLDERS target... LIBRARIES target...): an archive of the objects of folders.
function(parsimap_archive name file)
  cmake_parse_arguments(ARCHIVE "" "" "FOLDERS;LIBRARIES" ${ARGN})
  set(target parsimap_archive_${name})
  add_library(${target} STATIC)
  foreach(folder IN LISTS ARCHIVE_FOLDERS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${folder}>)
  endforeach()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file} EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_compile_definitions(${target} INTERFACE ${parsimap_public_definitions})
  target_compile_options(${target} INTERFACE ${parsimap_public_options})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} INTERFACE Eigen3::Eigen PRIVATE ${ARCHIVE_LIBRARIES})
  install(TARGETS ${target} EXPORT parsimap-${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endfunction()

parsimap_archive(mathematics parsimap-mathematics FOLDERS ${parsimap_mathematics_folders} LIBRARIES OpenMP::OpenMP_CXX
                             ${NETTLE_LIBRARY} ${UTF8PROC_LIBRARY})
if(PARSIMAP_GDAL)
  get_property(folders GLOBAL PROPERTY PARSIMAP_FOLDERS)
  list(REMOVE_ITEM folders ${parsimap_mathematics_folders} parsimap_cli)
  parsimap_archive(parsimap parsimap FOLDERS ${folders} LIBRARIES GDAL::GDAL Boost::program_options
                            ${HDF5_LIBRARY} ${ZLIB_LIBRARIES} ${SQLITE_LIBRARY})
  target_link_libraries(parsimap_archive_parsimap INTERFACE parsimap_archive_mathematics)
endif()
