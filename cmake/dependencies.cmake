# Finds what the product links. All packages come from Debian 12.

# The folder of made files. A project that adds Winnow as `made` has the same relative paths, so ccache serves both.
set(WINNOW_MADE ${PROJECT_BINARY_DIR})
if(PROJECT_IS_TOP_LEVEL)
  string(APPEND WINNOW_MADE /made)
endif()

# A project that adds this folder links a static libwinnow in its own scope. So its scope must see these targets.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)

# Debian's Highway has a pkg-config file, but no CMake package.
if(NOT TARGET hwy::hwy)
  pkg_check_modules(HWY REQUIRED IMPORTED_TARGET GLOBAL libhwy>=1.0.3)
  add_library(hwy::hwy ALIAS PkgConfig::HWY)
endif()

pkg_check_modules(WINNOW_YAML REQUIRED IMPORTED_TARGET GLOBAL yaml-0.1)

# FlatBuffers (headers only) and flatc, for Winnow's model file.
find_program(WINNOW_FLATC flatc REQUIRED)
find_path(WINNOW_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
add_library(winnow_flatbuffers INTERFACE)
target_include_directories(winnow_flatbuffers SYSTEM INTERFACE ${WINNOW_FLATBUFFERS_INCLUDE})

# CUDA for the backend `cuda`. Its runtime is linked statically, so that programs start without a device, too.
set(WINNOW_HAVE_CUDA OFF)
if(NOT WINNOW_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(WINNOW_CUDA_LIST "${WINNOW_CUDA_ARCHITECTURES}")
    if(WINNOW_CUDA_LIST STREQUAL "all")
      # 12.0 also as PTX, which drivers compile for what comes later.
      set(WINNOW_CUDA_LIST 75-real 80-real 86-real 87-real 89-real 90-real 100-real 120)
    elseif(WINNOW_CUDA_LIST STREQUAL "")
      execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                      OUTPUT_VARIABLE here RESULT_VARIABLE status ERROR_QUIET)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" here "${here}")
      list(TRANSFORM here REPLACE "\\." "")
      list(REMOVE_DUPLICATES here)
      set(WINNOW_CUDA_LIST "${here}")
      if(NOT status EQUAL 0 OR NOT here)
        set(WINNOW_CUDA_LIST 90)
      endif()
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${WINNOW_CUDA_LIST})
    # For this file alone, since a build for other architectures differs in nothing else that g++ compiles.
    string(REPLACE ";" "," architectures "${WINNOW_CUDA_LIST}")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/device/cuda_device.cpp PROPERTIES COMPILE_DEFINITIONS
                                WINNOW_CUDA_ARCHITECTURES="${architectures}")
    enable_language(CUDA)
    find_package(CUDAToolkit 12.8 REQUIRED)
    # CMake 3.25 does not know that nvcc compiles C++20.
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
message(STATUS "winnow: cuda ${WINNOW_HAVE_CUDA} ${WINNOW_CUDA_LIST}")

set(WINNOW_VIDEO_LIBS "")
set(WINNOW_HAVE_VIDEO OFF)
set(WINNOW_VIDEO_LIBRARY "")  # what a shared libwinnow opens with the first video
set(WINNOW_VIDEO_STAMP 0)
if(NOT WINNOW_VIDEO STREQUAL "OFF")
  pkg_check_modules(WINNOW_FFMPEG IMPORTED_TARGET GLOBAL libavformat libavcodec libavutil libswscale libavdevice)
  if(WINNOW_FFMPEG_FOUND)
    set(WINNOW_VIDEO_LIBS PkgConfig::WINNOW_FFMPEG)
    set(WINNOW_HAVE_VIDEO ON)
    if(BUILD_SHARED_LIBS)
      set(WINNOW_VIDEO_LIBRARY libwinnow-video-${PROJECT_VERSION}.so)
      # The stamp covers what libwinnow and the video library must share: headers, compiler and flags.
      set(stamp "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS}")
      foreach(header include/winnow/box.h include/winnow/image.h include/winnow/video.h src/image/video_functions.h)
        file(SHA256 ${PROJECT_SOURCE_DIR}/${header} hash)
        string(APPEND stamp " ${hash}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
      endforeach()
      string(SHA256 stamp "${stamp}")
      string(SUBSTRING 0x${stamp} 0 18 WINNOW_VIDEO_STAMP)
    endif()
  elseif(WINNOW_VIDEO STREQUAL "ON")
    message(FATAL_ERROR "WINNOW_VIDEO=ON, but FFmpeg's libav* were not found by pkg-config")
  endif()
endif()
message(STATUS "winnow: video ${WINNOW_HAVE_VIDEO}")
