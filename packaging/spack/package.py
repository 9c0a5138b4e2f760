"""A package for Spack. In a folder packages/parsimap of a repository of Spack:
spack dev-build --source-path SOURCE parsimap@main"""

from spack.package import *


class Parsimap(CMakePackage):
    """Classification of hyperspectral images with parsimonious Mahalanobis kernels."""

    license("MIT")

    version("main")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("boost@1.74: +program_options")
    depends_on("eigen@3.4:3")
    depends_on("gdal@3.6: +hdf5 +netcdf +openjpeg")
    depends_on("hdf5 ~mpi")
    depends_on("matio +hdf5")
    depends_on("nettle")
    depends_on("nlohmann-json@3.11:")
    depends_on("sqlite")
    depends_on("utf8proc")
    depends_on("zlib-api")

    generator("ninja")

    def cmake_args(self):
        return ["-DPARSIMAP_PORTABLE=ON", "-DPARSIMAP_TESTS=OFF", "-DPARSIMAP_PYTHON=OFF"]
