# Makes the target winnow_dlib for tests and benches beside dlib, if dlib's headers and library are there. Winnow itself
# never links dlib.
find_path(WINNOW_DLIB_INCLUDE dlib/image_processing/shape_predictor.h)
find_library(WINNOW_DLIB_LIBRARY dlib)
find_library(WINNOW_BLAS_LIBRARY NAMES blas libblas.so.3)
find_library(WINNOW_LAPACK_LIBRARY NAMES lapack liblapack.so.3)
if(WINNOW_DLIB_INCLUDE AND WINNOW_DLIB_LIBRARY AND WINNOW_BLAS_LIBRARY AND WINNOW_LAPACK_LIBRARY)
  add_library(winnow_dlib INTERFACE)
  target_include_directories(winnow_dlib SYSTEM INTERFACE ${WINNOW_DLIB_INCLUDE})
  target_link_libraries(winnow_dlib INTERFACE ${WINNOW_DLIB_LIBRARY} ${WINNOW_BLAS_LIBRARY} ${WINNOW_LAPACK_LIBRARY})
else()
  message(STATUS "winnow: no dlib, so no tests and benches beside it")
endif()
