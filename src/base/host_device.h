// Rules are plain functions for host and device alike.
#pragma once

#ifdef __CUDACC__
#define WINNOW_HOST_DEVICE __host__ __device__
#else
#define WINNOW_HOST_DEVICE
#endif
