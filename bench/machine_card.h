// Describes how a figure was measured: processor, compiler, version of Winnow and date.
//
// Out:    a JSON object, which the caller owns.
#pragma once

#include <nlohmann/json_fwd.hpp>

// Keys: "cpu", "cores", "compiler", "winnow", "date". Callers add the versions of rival libraries.
nlohmann::json machine_card();
