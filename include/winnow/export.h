// Marks the names that the shared library exports; a static library (WINNOW_STATIC) marks none.
#pragma once

#if defined(WINNOW_STATIC)
#define WINNOW_API
#else
#define WINNOW_API __attribute__((visibility("default")))
#endif
