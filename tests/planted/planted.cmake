# The CMakeLists.txt of a copy of the tree. It makes one test program of the rooms whose tests need no data. Little
# optimisation and only two SIMD targets keep the many small rebuilds short.
cmake_minimum_required(VERSION 3.25)
project(winnow_planted LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(BUILD_SHARED_LIBS OFF)
set(WINNOW_VIDEO OFF)
set(WINNOW_HEIF OFF)  # decoding for every plant would take long
set(WINNOW_CUDA OFF)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
include(GNUInstallDirs)
include(dependencies)
include(flatbuffers)
include(models)
include(rooms)
find_package(GTest REQUIRED)
add_compile_options(-O1 "-DHWY_DISABLED_TARGETS=(HWY_AVX3|HWY_AVX3_DL|HWY_SSE4)")

winnow_rooms()
set(objects "")
foreach(room ${WINNOW_ROOMS})
  list(APPEND objects $<TARGET_OBJECTS:${room}>)
endforeach()
file(GLOB_RECURSE tests ${CMAKE_CURRENT_SOURCE_DIR}/src/base/*_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/src/scale/*_test.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/src/sieve/*_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/src/group/*_test.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/src/page/*_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/src/hog/*_test.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/src/track/*_test.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/src/shape/*_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/src/train/landmarks/*_test.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/src/model/landmarks/*_test.cpp)
foreach(test image/files/jpeg image/files/stream image/formats/bmp image/formats/gif image/formats/webp tiff/decode_tiff image/files/pnm image/picture_format model/check model/opencv/hog_forms model/opencv/opencv_xml model/opencv/opencv_xml_refused model/winnow/winnow_file truth/folder truth/layout/layout truth/lists truth/match_faces truth/points/points truth/trees truth/truth truth/tracks/box_lines truth/tracks/track_lines
             train/blocks/block_trainer train/svm/svm_trainer train/mine_color train/breaks train/checkpoint learn/feature_list train/mine train/samples/negatives train/samples/pack train/samples/pack_file train/samples/positives train/recipe train/trainer
             train/samples/pack_options train/samples/vec_file image/border image/warp image/warp_picture)
  list(APPEND tests ${CMAKE_CURRENT_SOURCE_DIR}/src/${test}_test.cpp)
endforeach()
foreach(test feed/address feed/backward_reader feed/frame_reader feed/inputs feed/sequence answer/annotate answer/cover_review answer/face_lines answer/frame_record backend/ranges cluster/cluster_scan pipeline/batches scan/detect_work scan/faces_work scan/follow_scan scan/scan session/border session/detector session/enqueue session/face_covers session/face_covers_memory session/face_finder session/face_search session/flow session/follower session/follower_points session/landmarker session/search_per_thread session/tracking/tracker session/tracking/tracker_auto session/tracking/tracker_videos learn/bins train/samples/jitter train/join train/prune train/rules learn/split eval/evaluate eval/match_rule
             eval/landmark_errors eval/tracking/evaluate_tracking eval/tracking/tracking_report eval/windows)
  list(APPEND tests ${CMAKE_CURRENT_SOURCE_DIR}/src/${test}_test.cpp)
endforeach()
foreach(test merge ranges windows)
  list(APPEND tests ${CMAKE_CURRENT_SOURCE_DIR}/tests/detection/${test}_test.cpp)
endforeach()
set(primitives ${CMAKE_CURRENT_SOURCE_DIR}/bench/primitives)
foreach(primitive reduce scan compact)
  list(APPEND tests ${primitives}/${primitive}_ref.cpp ${primitives}/${primitive}_cpu.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/tests/benches/${primitive}_test.cpp)
endforeach()
# The tables of a thesis on faces.
find_package(nlohmann_json REQUIRED)
set(faces ${CMAKE_CURRENT_SOURCE_DIR}/bench/faces)
list(APPEND tests ${faces}/flow_tables.cpp ${faces}/haar_tables.cpp ${faces}/overlap_groups.cpp ${faces}/pipeline_tables.cpp
     ${faces}/primitive_tables.cpp ${faces}/scaled_search.cpp ${CMAKE_CURRENT_SOURCE_DIR}/tests/benches/step_tables_test.cpp)
# A paper on trackers.
set(tracking ${CMAKE_CURRENT_SOURCE_DIR}/bench/tracking)
list(APPEND tests ${tracking}/recall/recall_cpu.cpp ${tracking}/scan_line_clusters.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/tests/benches/track_recall_test.cpp)
winnow_lane_options(${tests})
add_executable(planted_test ${tests} ${objects})
target_include_directories(planted_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/bench)
target_compile_definitions(planted_test PRIVATE WINNOW_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(planted_test PRIVATE winnow_flags winnow_open_rooms ${WINNOW_ROOM_LIBS} nlohmann_json::nlohmann_json Threads::Threads GTest::gmock GTest::gtest
                                           GTest::gtest_main)
