// Makes a scratch list hold at least `count` items. The list never shrinks, so no item is cleared twice.
//
// Out:    the first item. Items keep their old values.
// Memory: the list owns its items and uses their memory again. The pointer is valid until the list grows.
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
