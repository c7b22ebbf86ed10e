// With the rest in parallel_for.h.
#pragma once

#include "parallel_for.h"
