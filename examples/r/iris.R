# Trains on half of R's data set iris, and maps all of it, laid out as an image of 10 x 15 pixels. In the folder of this file:
#
#   export PKG_CPPFLAGS=$(pkg-config --cflags parsimap-c) PKG_LIBS=$(pkg-config --libs parsimap-c)
#   R CMD SHLIB parsimap.c
#   Rscript iris.R

dyn.load("parsimap.so")
train <- function(spectra, classes) .Call("train", spectra, classes)
classify <- function(model, scene) .Call("classify", model, scene)

spectra <- as.matrix(iris[, 1:4])
used <- seq(1, 150, by = 2)
model <- train(spectra[used, ], iris$Species[used])

map <- classify(model, array(spectra, c(10, 15, 4)))
cat("classes of the map:", levels(iris$Species)[sort(unique(c(map)))], "\n")
cat("accuracy", mean(map[-used] == as.integer(iris$Species)[-used]), "\n")
