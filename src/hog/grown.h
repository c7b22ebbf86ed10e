// Gives a scratch list at least so many items. A list never shrinks, so that no item is cleared again.
//
// Out:    the first item. What items hold is left from before.
// Memory: the list's own, which is used again.
#pragma once

#include <cstddef>
#include <vector>

namespace winnow {

template <class T>
T* grown(std::vector<T>& list, std::size_t count) {
  if (list.size() < count) list.resize(count);
  return list.data();
}

}  // namespace winnow
