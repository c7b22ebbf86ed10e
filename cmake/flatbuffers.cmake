# Makes winnow_model_generated.h from src/model/winnow/winnow_model.fbs with flatc, for Winnow's model file. Targets that
# link winnow_flatbuffers find the header and are built after it.
set(WINNOW_GENERATED ${WINNOW_MADE}/generated)
add_custom_command(
  OUTPUT ${WINNOW_GENERATED}/winnow_model_generated.h
  COMMAND ${WINNOW_FLATC} --cpp --cpp-std c++17 --scoped-enums -o ${WINNOW_GENERATED}
          ${PROJECT_SOURCE_DIR}/src/model/winnow/winnow_model.fbs
  DEPENDS ${PROJECT_SOURCE_DIR}/src/model/winnow/winnow_model.fbs
  COMMENT "Generating winnow_model_generated.h"
  VERBATIM)
add_custom_target(winnow_model_schema DEPENDS ${WINNOW_GENERATED}/winnow_model_generated.h)
target_include_directories(winnow_flatbuffers SYSTEM INTERFACE ${WINNOW_GENERATED})
add_dependencies(winnow_flatbuffers winnow_model_schema)
