// What the shared library shows to the outside.
#pragma once

#if defined(WINNOW_STATIC)
#define WINNOW_API
#else
#define WINNOW_API __attribute__((visibility("default")))
#endif
