// Marks a function as compiled for host and device, so that a rule is written once for both.
#pragma once

#ifdef __CUDACC__
#define WINNOW_HOST_DEVICE __host__ __device__
#else
#define WINNOW_HOST_DEVICE
#endif
