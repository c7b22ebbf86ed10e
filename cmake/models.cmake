# Builds models into the library: each models/NAME.winnow becomes bytes in generated/winnow_built_in_models.h.
file(GLOB WINNOW_MODEL_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.winnow)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WINNOW_MODEL_FILES})

set(arrays "")
set(entries "")
foreach(file ${WINNOW_MODEL_FILES})
  get_filename_component(name ${file} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} identifier)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "alignas(8) inline constexpr unsigned char k_${identifier}[] = {\n${bytes}};\n")
  string(APPEND entries "    {\"${name}\", k_${identifier}, sizeof(k_${identifier})},\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/winnow_built_in_models.h CONTENT
"// Made from models/*.winnow by cmake/models.cmake.
#pragma once

#include <cstddef>

namespace winnow::built_in {
${arrays}
struct Entry {
  const char* name;
  const unsigned char* bytes;
  std::size_t size;
};
inline constexpr Entry kModels[] = {
${entries}};
}  // namespace winnow::built_in
")

# Where `model_folders` looks for installed models. A relative path begins at libwinnow's own folder, for packages that
# are unpacked anywhere.
if(NOT DEFINED WINNOW_INSTALLED_MODELS)
  set(WINNOW_INSTALLED_MODELS ${CMAKE_INSTALL_FULL_DATADIR}/winnow/models)
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/model/search.cpp PROPERTIES COMPILE_DEFINITIONS
                            WINNOW_INSTALLED_MODELS="${WINNOW_INSTALLED_MODELS}")
