# The portable program: a small main, and everything else as one shared library per instruction set. The dynamic loader
# looks for the library in the folder glibc-hwcaps/<level> of the best level that the processor has, then beside it: the
# choice is made once, and no code of one level can end up in another's (Eigen's templates have the same names in all).
set(parsimap_library_folder lib/parsimap)
get_property(parsimap_folders GLOBAL PROPERTY PARSIMAP_FOLDERS)
get_property(parsimap_libraries GLOBAL PROPERTY PARSIMAP_LIBRARIES)
# Only tests need the libraries of the folders.
set_target_properties(${parsimap_folders} PROPERTIES EXCLUDE_FROM_ALL ON)

# parsimap_variant(TARGET SUBFOLDER [compiler option...])
function(parsimap_variant target subfolder)
  add_library(${target} SHARED)
  foreach(folder IN LISTS parsimap_folders)
    target_sources(${target} PRIVATE $<TARGET_PROPERTY:${folder},SOURCES>)
    target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:${folder},INCLUDE_DIRECTORIES>)
  endforeach()
  target_link_libraries(${target} PRIVATE parsimap_options Eigen3::Eigen ${parsimap_libraries})
  # Calls within the library stay within it, as in the program that is one file.
  target_compile_options(${target} PRIVATE ${ARGN} -fno-semantic-interposition)
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME parsimap DEFINE_SYMBOL ""
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${parsimap_library_folder}/${subfolder})
  if(subfolder)
    install(TARGETS ${target} LIBRARY DESTINATION ${parsimap_library_folder}/${subfolder})
  endif()
endfunction()

parsimap_variant(parsimap_baseline "")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  foreach(level x86-64-v3 x86-64-v4)
    parsimap_variant(parsimap_${level} glibc-hwcaps/${level} -march=${level})
    add_dependencies(parsimap parsimap_${level})
  endforeach()
endif()
target_link_libraries(parsimap PRIVATE parsimap_options parsimap_baseline)
set_target_properties(parsimap PROPERTIES INSTALL_RPATH "$ORIGIN/../${parsimap_library_folder}")

# Other programs link the same library: its plain variant stands for all, for the loader chooses at their start as well.
target_compile_features(parsimap_baseline INTERFACE cxx_std_20)
target_compile_definitions(parsimap_baseline INTERFACE ${parsimap_public_definitions})
target_include_directories(parsimap_baseline INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(parsimap_baseline INTERFACE Eigen3::Eigen)
set_target_properties(parsimap_baseline PROPERTIES EXPORT_NAME parsimap)
add_library(parsimap_mathematics INTERFACE)
target_link_libraries(parsimap_mathematics INTERFACE parsimap_baseline)
set_target_properties(parsimap_mathematics PROPERTIES EXPORT_NAME mathematics)
install(TARGETS parsimap_baseline parsimap_mathematics EXPORT parsimap-shared
        LIBRARY DESTINATION ${parsimap_library_folder})
