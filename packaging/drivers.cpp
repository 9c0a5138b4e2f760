// Prints the names of the drivers of the GDAL that packaging/gdal made, one a line.
#include <gdal_priv.h>

#include <iostream>

int main() {
  GDALAllRegister();
  GDALDriverManager& drivers = *GetGDALDriverManager();
  for (int i = 0; i < drivers.GetDriverCount(); ++i) {
    std::cout << drivers.GetDriver(i)->GetDescription() << "\n";
  }
}
