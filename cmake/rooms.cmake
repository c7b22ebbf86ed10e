# Makes the rooms of src/rooms.txt. A room is an object library `winnow_<room>` of src/<room>/*.cpp without the tests.
# The room's include path is the folder rooms/<room>/ of WINNOW_MADE. This folder has links to the room itself, to the
# rooms that it uses, and to their public headers. Files include "base/span.h". An include from any other room does not
# compile.
set(WINNOW_ROOM_LIST ${PROJECT_SOURCE_DIR}/src/rooms.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WINNOW_ROOM_LIST})

# Sets WINNOW_ROOM_NAMES, and for each room WINNOW_<room>_USES, WINNOW_<room>_LIBS and WINNOW_<room>_PUBLIC.
set(WINNOW_ROOM_NAMES "")
file(STRINGS ${WINNOW_ROOM_LIST} lines REGEX "^[a-z]")
foreach(line ${lines})
  if(NOT line MATCHES "^([a-z]+) *\\|([^|]*)\\|([^|]*)\\|([^|]*)$")
    message(FATAL_ERROR "src/rooms.txt: this line is not of four columns: ${line}")
  endif()
  set(room ${CMAKE_MATCH_1})
  separate_arguments(WINNOW_${room}_USES UNIX_COMMAND "${CMAKE_MATCH_2}")
  separate_arguments(WINNOW_${room}_LIBS UNIX_COMMAND "${CMAKE_MATCH_3}")
  separate_arguments(WINNOW_${room}_PUBLIC UNIX_COMMAND "${CMAKE_MATCH_4}")
  set(libs "")
  foreach(lib ${WINNOW_${room}_LIBS})
    if(lib MATCHES "^WINNOW_")
      set(lib ${${lib}})
    endif()
    list(APPEND libs ${lib})
  endforeach()
  set(WINNOW_${room}_LIBS ${libs})
  list(APPEND WINNOW_ROOM_NAMES ${room})
endforeach()

add_library(winnow_flags INTERFACE)
set(WINNOW_WARNINGS -Wall -Wextra -Wshadow -Wno-unknown-pragmas $<$<BOOL:${WINNOW_WERROR}>:-Werror>)
target_compile_options(winnow_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${WINNOW_WARNINGS};-ffp-contract=off>")
# Kernels must round like the rules, so multiply and add are not fused.
target_compile_options(winnow_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--expt-relaxed-constexpr;--compress-mode=size;--diag-suppress=554;-Xcompiler=-Wall,-Wextra,-ffp-contract=off>")

# Tests, benches and fuzzers see every room.
add_library(winnow_open_rooms INTERFACE)
target_include_directories(winnow_open_rooms INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

# Fills `folder` with the links NAME=TARGET that follow, and removes other links from it.
function(winnow_link_folder folder)
  set(names "")
  foreach(link ${ARGN})
    string(REGEX MATCH "^([^=]+)=(.+)$" pair ${link})
    list(APPEND names ${CMAKE_MATCH_1})
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${CMAKE_MATCH_2} ${folder}/${CMAKE_MATCH_1} SYMBOLIC)
  endforeach()
  file(GLOB there RELATIVE ${folder} LIST_DIRECTORIES true ${folder}/*)
  foreach(name ${there})
    if(NOT name IN_LIST names AND IS_SYMLINK ${folder}/${name})
      file(REMOVE ${folder}/${name})
    endif()
  endforeach()
endfunction()

# Makes rooms/<name>/ in WINNOW_MADE, the include path of a room.
function(winnow_include_path name)
  set(rooms "")
  set(headers "")
  foreach(room ${WINNOW_${name}_USES} ${name})
    list(APPEND rooms ${room}=${PROJECT_SOURCE_DIR}/src/${room})
    foreach(header ${WINNOW_${room}_PUBLIC})
      list(APPEND headers ${header}=${PROJECT_SOURCE_DIR}/include/winnow/${header})
    endforeach()
  endforeach()
  winnow_link_folder(${WINNOW_MADE}/rooms/${name} ${rooms})
  winnow_link_folder(${WINNOW_MADE}/rooms/${name}/winnow ${headers})
endfunction()

# Gives the sources with SIMD lanes, named *_cpu.cpp, what they need.
function(winnow_lane_options)
  # SIMD lanes need SSSE3 (2006) at least. On an older processor the backend `cpu` reports an error.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(lanes ${ARGN})
    list(FILTER lanes INCLUDE REGEX "_cpu\\.cpp$")
    if(lanes)
      set(options "-mssse3;$<$<CXX_COMPILER_ID:GNU>:-fno-tree-reassoc>")
      # Forced inlining with AddressSanitizer makes compiling far too slow. Without __OPTIMIZE__, Highway forces none.
      if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
        list(APPEND options "-U__OPTIMIZE__")
      endif()
      set_source_files_properties(${lanes} PROPERTIES COMPILE_OPTIONS "${options}")
    endif()
  endif()
endfunction()

function(winnow_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  if(WINNOW_HAVE_CUDA)
    file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*_cuda.cu)
    list(APPEND sources ${kernels})
  else()
    list(FILTER sources EXCLUDE REGEX "/cuda_[^/]*\\.cpp$")
  endif()
  if(NOT sources)
    return()
  endif()
  add_library(winnow_${name} OBJECT ${sources})
  winnow_lane_options(${sources})
  winnow_include_path(${name})
  target_include_directories(winnow_${name} PRIVATE ${WINNOW_MADE}/rooms/${name})
  target_link_libraries(winnow_${name} PRIVATE winnow_flags PUBLIC ${WINNOW_${name}_LIBS})
endfunction()

# Tells the few files that depend on the kind of build. All other files compile alike in all builds, so ccache serves
# them.
function(winnow_build_definitions)
  if(WINNOW_HAVE_CUDA)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/backend/absent_table.cpp PROPERTIES COMPILE_DEFINITIONS
                                WINNOW_HAVE_CUDA)
  endif()
  set(decoders "")
  foreach(room ${WINNOW_OPTIONAL_ROOMS})
    string(TOUPPER ${room} upper)
    if(NOT WINNOW_HAVE_${upper})
      continue()
    endif()
    set(definitions WINNOW_HAVE_${upper} WINNOW_${upper}_STAMP=${WINNOW_${upper}_STAMP})
    set(maker decode_${room}.cpp)
    if(room STREQUAL "video")
      set(maker functions.cpp)
    endif()
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${room}/${maker} PROPERTIES COMPILE_DEFINITIONS
                                "${definitions}")
    if(WINNOW_${upper}_LIBRARY)
      # TARGET_FILE_NAME gives the final name, to which CMAKE_DEBUG_POSTFIX may add.
      list(APPEND definitions WINNOW_${upper}_LIBRARY="$<TARGET_FILE_NAME:winnow_${room}_library>")
    endif()
    if(room STREQUAL "video")
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/image/video_functions.cpp PROPERTIES COMPILE_DEFINITIONS
                                  "${definitions}")
    else()
      list(APPEND decoders ${definitions})
    endif()
  endforeach()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/image/formats/opened_decoders.cpp PROPERTIES
                              COMPILE_DEFINITIONS "${decoders}")
endfunction()

# Makes all rooms of the list. Sets WINNOW_ROOMS, the targets whose objects are libwinnow, and WINNOW_ROOM_LIBS, the
# libraries that they link.
function(winnow_rooms)
  winnow_build_definitions()
  set(rooms "")
  set(libs "")
  foreach(name ${WINNOW_ROOM_NAMES})
    string(TOUPPER ${name} upper)
    if(name IN_LIST WINNOW_OPTIONAL_ROOMS AND NOT WINNOW_HAVE_${upper})
      continue()
    endif()
    winnow_room(${name})
    if(name IN_LIST WINNOW_OPTIONAL_ROOMS AND WINNOW_${upper}_LIBRARY)
      continue()  # a library of its own
    endif()
    list(APPEND rooms winnow_${name})
    list(APPEND libs ${WINNOW_${name}_LIBS})
  endforeach()
  list(REMOVE_DUPLICATES libs)
  set(WINNOW_ROOMS ${rooms} PARENT_SCOPE)
  set(WINNOW_ROOM_LIBS ${libs} PARENT_SCOPE)
endfunction()

# Makes a library of a room, which libwinnow opens when it is needed. The library has its own copy of the few files of
# libwinnow that it uses. So it also fits a libwinnow that is linked into a program.
function(winnow_library_of room file)
  set(target winnow_${room}_library)
  add_library(${target} MODULE $<TARGET_OBJECTS:winnow_${room}> ${PROJECT_SOURCE_DIR}/src/base/clean_text.cpp
                               ${PROJECT_SOURCE_DIR}/src/base/error.cpp ${PROJECT_SOURCE_DIR}/src/image/pixels.cpp)
  target_include_directories(${target} PRIVATE ${WINNOW_MADE}/rooms/${room})
  target_link_libraries(${target} PRIVATE winnow_flags ${WINNOW_${room}_LIBS})
  get_filename_component(name ${file} NAME_WLE)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX ".so")
  add_dependencies(winnow ${target})
  add_dependencies(winnow_rooms ${target})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Makes libwinnow of all rooms, and the package files with which users find it.
function(winnow_library)
  set(objects "")
  foreach(room ${WINNOW_ROOMS})
    list(APPEND objects $<TARGET_OBJECTS:${room}>)
  endforeach()
  add_library(winnow ${objects})
  add_library(winnow::winnow ALIAS winnow)
  # Tests use inner headers, so they link the rooms themselves.
  add_library(winnow_rooms INTERFACE)
  target_sources(winnow_rooms INTERFACE ${objects})
  set(libs ${WINNOW_ROOM_LIBS})
  target_link_libraries(winnow_rooms INTERFACE winnow_flags winnow_open_rooms ${libs} Threads::Threads ${CMAKE_DL_LIBS})
  add_dependencies(winnow_rooms ${WINNOW_ROOMS})
  target_link_libraries(winnow PRIVATE "$<BUILD_INTERFACE:${libs}>" $<BUILD_INTERFACE:Threads::Threads> ${CMAKE_DL_LIBS})
  target_include_directories(winnow INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(winnow INTERFACE cxx_std_20)
  # A program that links an installed static libwinnow also links its libraries, which winnow-config.cmake finds.
  set(static_libs "")
  if(NOT BUILD_SHARED_LIBS)
    # A shared library that links it does not export Winnow's names.
    target_link_options(winnow INTERFACE "LINKER:--exclude-libs,$<TARGET_FILE_NAME:$<TARGET_NAME:winnow>>")
    set(static_libs ${libs} Threads::Threads)
    list(REMOVE_ITEM static_libs winnow_flatbuffers nlohmann_json::nlohmann_json)  # headers only
    target_link_libraries(winnow PRIVATE "$<INSTALL_INTERFACE:${static_libs}>")
  endif()
  set_target_properties(winnow PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  include(CMakePackageConfigHelpers)
  install(TARGETS winnow EXPORT winnow-targets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/winnow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT winnow-targets NAMESPACE winnow:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/winnow-config.cmake.in
    ${PROJECT_BINARY_DIR}/winnow-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/winnow-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/winnow-config.cmake ${PROJECT_BINARY_DIR}/winnow-config-version.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/winnow)
endfunction()
