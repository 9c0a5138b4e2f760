# The portable program: a small main, and everything else as two shared libraries per instruction set, one of the folders
# that need no GDAL, and one of the others. The dynamic loader looks for a library in the folder glibc-hwcaps/<level> of the
# best level that the processor has, then beside it: the choice is made once, and no code of one level can end up in
# another's (Eigen's templates have the same names in all).
set(parsimap_library_folder lib/parsimap)
get_property(parsimap_folders GLOBAL PROPERTY PARSIMAP_FOLDERS)
get_property(parsimap_libraries GLOBAL PROPERTY PARSIMAP_LIBRARIES)
# Only tests need the libraries of the folders.
set_target_properties(${parsimap_folders} PROPERTIES EXCLUDE_FROM_ALL ON)
# Beside the mathematics, what Python needs before it opens a scene: documents, and model files.
set(parsimap_light_folders ${parsimap_mathematics_folders} parsimap_report parsimap_json parsimap_job)
set(parsimap_heavy_folders ${parsimap_folders})
list(REMOVE_ITEM parsimap_heavy_folders ${parsimap_light_folders})

# parsimap_shared(TARGET NAME SUBFOLDER FOLDERS target... OPTIONS compiler option... LIBRARIES target...)
function(parsimap_shared target name subfolder)
  cmake_parse_arguments(SHARED "" "" "FOLDERS;OPTIONS;LIBRARIES" ${ARGN})
  add_library(${target} SHARED)
  foreach(folder IN LISTS SHARED_FOLDERS)
    get_target_property(sources ${folder} SOURCES)
    target_sources(${target} PRIVATE ${sources})
    target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:${folder},INCLUDE_DIRECTORIES>)
  endforeach()
  target_link_libraries(${target} PRIVATE parsimap_flags Eigen3::Eigen ${SHARED_LIBRARIES})
  if(PARSIMAP_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${parsimap_common_headers} <nlohmann/json.hpp>)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PARSIMAP_UNITY} UNITY_BUILD_MODE GROUP)
  # Calls within the library stay within it, as in the program that is one file.
  target_compile_options(${target} PRIVATE ${SHARED_OPTIONS} -fno-semantic-interposition)
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions)
  if(PARSIMAP_BUNDLE)
    # The names of the libraries inside stay inside.
    target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed)
  endif()
  # From the folder of its level, a library finds the other one as the program does.
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} DEFINE_SYMBOL ""
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${parsimap_library_folder}/${subfolder}
                        INSTALL_RPATH "$<IF:$<BOOL:${subfolder}>,$ORIGIN/../..,$ORIGIN>")
  if(subfolder)
    install(TARGETS ${target} LIBRARY DESTINATION ${parsimap_library_folder}/${subfolder})
  endif()
endfunction()

# parsimap_variant(LEVEL SUBFOLDER [compiler option...])
function(parsimap_variant level subfolder)
  parsimap_shared(parsimap_${level}_mathematics parsimap-mathematics "${subfolder}" FOLDERS ${parsimap_light_folders}
                  OPTIONS ${ARGN} LIBRARIES OpenMP::OpenMP_CXX Boost::headers ${NETTLE_LIBRARY} ${UTF8PROC_LIBRARY}
                                            nlohmann_json::nlohmann_json)
  # With GDAL inside, one of the others is enough: three would be too large for what they compute.
  if(NOT (PARSIMAP_BUNDLE AND subfolder))
    # None of these folders is fully optimised in other builds either.
    parsimap_shared(parsimap_${level} parsimap "${subfolder}" FOLDERS ${parsimap_heavy_folders}
                    OPTIONS ${ARGN} ${parsimap_moderate_options}
                    LIBRARIES parsimap_${level}_mathematics ${parsimap_libraries})
  endif()
endfunction()

parsimap_variant(baseline "")
if(PARSIMAP_BUNDLE)
  # From the folder of its library, GDAL finds its data.
  file(RELATIVE_PATH data /${parsimap_library_folder} /${CMAKE_INSTALL_DATADIR}/parsimap)
  target_compile_definitions(parsimap_baseline PRIVATE PARSIMAP_DATA_FOLDER="${data}")
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  foreach(level x86-64-v3 x86-64-v4)
    parsimap_variant(${level} glibc-hwcaps/${level} -march=${level})
    add_dependencies(parsimap parsimap_${level}_mathematics)
    if(NOT PARSIMAP_BUNDLE)
      add_dependencies(parsimap parsimap_${level})
    endif()
  endforeach()
endif()
target_link_libraries(parsimap PRIVATE parsimap_flags parsimap_baseline)
set_target_properties(parsimap PROPERTIES INSTALL_RPATH "$ORIGIN/../${parsimap_library_folder}")

# Other programs link the same libraries: their plain variants stand for all, for the loader chooses at their start as well.
foreach(target parsimap_baseline parsimap_baseline_mathematics)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_compile_definitions(${target} INTERFACE ${parsimap_public_definitions})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} INTERFACE Eigen3::Eigen)
endforeach()
target_link_libraries(parsimap_baseline INTERFACE parsimap_baseline_mathematics)
set_target_properties(parsimap_baseline PROPERTIES EXPORT_NAME parsimap)
set_target_properties(parsimap_baseline_mathematics PROPERTIES EXPORT_NAME mathematics)
install(TARGETS parsimap_baseline parsimap_baseline_mathematics EXPORT parsimap-shared
        LIBRARY DESTINATION ${parsimap_library_folder})
