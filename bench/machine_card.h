// What a measured number is worth nothing without: the machine, the compiler, the versions, the day.
#pragma once

#include <nlohmann/json_fwd.hpp>

// {"cpu", "cores", "compiler", "winnow", "date"}; callers add what they compare with.
nlohmann::json machine_card();
