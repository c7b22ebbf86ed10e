// Stands in for oneTBB's header of this name. `parallel_for.h` has all of it.
#pragma once

#include "parallel_for.h"
