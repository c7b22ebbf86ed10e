// Makes a scratch list hold at least this many items. A list never shrinks, so no item is cleared again.
//
// Out:    the first item. Items keep their old values.
// Memory: the list's own, which is used again. The pointer lives until the list grows.
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
