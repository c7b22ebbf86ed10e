# Builds models into the library: generated/winnow_built_in_models.h names the bytes of each models/NAME.winnow. The
# assembler takes the bytes from the file, since a compiler would need minutes for an array of millions of numbers.
file(GLOB WINNOW_MODEL_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.winnow)

set(arrays "")
set(entries "")
foreach(file ${WINNOW_MODEL_FILES})
  get_filename_component(name ${file} NAME_WLE)
  string(MAKE_C_IDENTIFIER ${name} identifier)
  set(symbol winnow_model_${identifier})
  file(SIZE ${file} size)
  string(REPLACE "\\" "\\\\" path ${file})
  string(REPLACE "\"" "\\\"" path ${path})
  string(APPEND arrays "asm(\".pushsection .rodata\\n.balign 64\\n.local ${symbol}\\n${symbol}:\\n\"
    \".incbin \\\"${path}\\\"\\n.popsection\\n\");
extern \"C\" const unsigned char ${symbol}[];
")
  string(APPEND entries "    {\"${name}\", ${symbol}, ${size}},\n")
endforeach()
file(GENERATE OUTPUT ${WINNOW_MADE}/generated/winnow_built_in_models.h CONTENT
"// Made from models/*.winnow by cmake/models.cmake.
#pragma once

#include <cstddef>

${arrays}
namespace winnow::built_in {
struct Entry {
  const char* name;
  const unsigned char* bytes;
  std::size_t size;
};
inline const Entry kModels[] = {
${entries}};
}  // namespace winnow::built_in
")
# The bytes are those of the files when this source is compiled.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/model/built_in.cpp PROPERTIES OBJECT_DEPENDS
                            "${WINNOW_MODEL_FILES}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WINNOW_MODEL_FILES})

# Where `model_folders` looks for installed models. A relative path begins at libwinnow's own folder, for packages that
# are unpacked anywhere.
if(NOT DEFINED WINNOW_INSTALLED_MODELS)
  set(WINNOW_INSTALLED_MODELS ${CMAKE_INSTALL_FULL_DATADIR}/winnow/models)
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/model/search.cpp PROPERTIES COMPILE_DEFINITIONS
                            WINNOW_INSTALLED_MODELS="${WINNOW_INSTALLED_MODELS}")
