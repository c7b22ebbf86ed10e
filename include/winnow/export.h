// Marks the names that the shared library exports.
#pragma once

#define WINNOW_API __attribute__((visibility("default")))
