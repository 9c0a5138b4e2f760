# The Debian package of the Python package.
list(APPEND CPACK_COMPONENTS_ALL python)
parsimap_package_documents(python python3-parsimap)
# Python's compiled files come and go with the package.
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/python/postinst
                                              ${CMAKE_CURRENT_SOURCE_DIR}/debian/python/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-parsimap)
set(CPACK_DEBIAN_PYTHON_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "The classifier of the program parsimap as a Python package: an estimator for
scikit-learn, and the commands of the program as functions of files and arrays.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "parsimap (= ${PROJECT_VERSION}), python3-numpy (>= 1:1.24), python3 (>= 3.11)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-sklearn")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-xarray, python3-rioxarray, python3-dask, python3-tqdm, jupyter-notebook")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
