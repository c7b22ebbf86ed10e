# What the product links. All of it comes from Debian 12.

# A project that adds this folder links a static libwinnow in its own scope, and must see these targets there.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)

# Debian's Highway has a pkg-config file and no CMake one.
if(NOT TARGET hwy::hwy)
  pkg_check_modules(HWY REQUIRED IMPORTED_TARGET GLOBAL libhwy>=1.0.3)
  add_library(hwy::hwy ALIAS PkgConfig::HWY)
endif()

# Winnow's own model file: header-only FlatBuffers and flatc.
find_program(WINNOW_FLATC flatc REQUIRED)
find_path(WINNOW_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
add_library(winnow_flatbuffers INTERFACE)
target_include_directories(winnow_flatbuffers SYSTEM INTERFACE ${WINNOW_FLATBUFFERS_INCLUDE})

# The cuda backend. Its runtime is linked statically, so that a program starts on machines without a device.
set(WINNOW_HAVE_CUDA OFF)
if(NOT WINNOW_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES ${WINNOW_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    find_package(CUDAToolkit 12.8 REQUIRED)
    # CMake 3.25 does not know yet that nvcc speaks C++20.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(WINNOW_HAVE_CUDA ON)
    set(WINNOW_CUDA_LIBS CUDA::cudart_static)
  elseif(WINNOW_CUDA STREQUAL "ON")
    message(FATAL_ERROR "WINNOW_CUDA=ON, but there is no CUDA compiler (nvcc)")
  endif()
endif()
message(STATUS "winnow: cuda ${WINNOW_HAVE_CUDA}")

set(WINNOW_VIDEO_LIBS "")
set(WINNOW_HAVE_VIDEO OFF)
set(WINNOW_VIDEO_LIBRARY "")  # what a shared libwinnow opens with the first video
if(NOT WINNOW_VIDEO STREQUAL "OFF")
  pkg_check_modules(WINNOW_FFMPEG IMPORTED_TARGET GLOBAL libavformat libavcodec libavutil libswscale libavdevice)
  if(WINNOW_FFMPEG_FOUND)
    set(WINNOW_VIDEO_LIBS PkgConfig::WINNOW_FFMPEG)
    set(WINNOW_HAVE_VIDEO ON)
    if(BUILD_SHARED_LIBS)
      set(WINNOW_VIDEO_LIBRARY libwinnow-video-${PROJECT_VERSION}.so)
    endif()
  elseif(WINNOW_VIDEO STREQUAL "ON")
    message(FATAL_ERROR "WINNOW_VIDEO=ON, but FFmpeg's libav* were not found by pkg-config")
  endif()
endif()
message(STATUS "winnow: video ${WINNOW_HAVE_VIDEO}")
