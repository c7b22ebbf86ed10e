// Resizes a level in plain loops, as scale/resize.h declares; its opening comment holds here.
#include "scale/resize.h"

namespace winnow {

void resize_ref(GrayView source, ImageView<std::uint8_t> target) {
  for (int y = 0; y < target.height; ++y) {
    const ResizeTap down = resize_tap(y, source.height, target.height);
    const std::uint8_t* top = source.row(down.offset);
    const std::uint8_t* bottom = source.row(down.weight > 0 ? down.offset + 1 : down.offset);
    for (int x = 0; x < target.width; ++x) {
      const ResizeTap across = resize_tap(x, source.width, target.width);
      const int left = across.offset, right = across.weight > 0 ? left + 1 : left;
      target.row(y)[x] = resize_down(resize_across(top[left], top[right], across.weight),
                                     resize_across(bottom[left], bottom[right], across.weight), down.weight);
    }
  }
}

}  // namespace winnow
