// Sifts the windows of a frame for an object: those that vary enough go to the ferns. Those that the ferns
// find a little alike are likely.
//
// In:     a frame with sums, a grid of windows for its size, and the object.
// Out:    the likely windows, in the order of their numbers.
// Exact:  both forms give the same lists. `ref` judges one window after the other.
// Memory: the caller owns the list, whose memory is used again. `cpu` with several threads also has a list
//         for each part of the windows.
// Thread: any. `cpu` uses up to `threads` threads.
#pragma once

#include <vector>

namespace winnow {

class ObjectFrame;
struct LearntObject;
struct LikelyWindow;
struct ObjectGrid;

using SiftStep = void (*)(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                          int threads, std::vector<LikelyWindow>& likely);

void sift_windows_ref(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                      int threads, std::vector<LikelyWindow>& likely);
void sift_windows_cpu(const ObjectFrame& frame, const ObjectGrid& grid, const LearntObject& object,
                      int threads, std::vector<LikelyWindow>& likely);

}  // namespace winnow
