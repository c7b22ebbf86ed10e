// Frames with as many objects as one likes, so that the rate of survivors is an axis: copies of the surest
// object that a cascade finds in some pictures, pasted into them.
#pragma once

#include <winnow/winnow.h>

#include <span>

namespace bench {

// Of the largest group, or, where no picture has one, the candidate of the highest score. Empty if there is
// none. Looks with the cpu backend.
winnow::GrayImage surest_object(const winnow::Cascade& cascade, std::span<const winnow::GrayView> pictures,
                                winnow::Size min_size);

// A copy of `picture` with the object on `percent` of a grid's cells, which are chosen by `seed`, as the
// object's size is: a little larger than `smallest`, up to 2.6 times. With 0 percent there need be no object.
winnow::GrayImage paste_objects(winnow::GrayView picture, winnow::GrayView object, winnow::Size smallest,
                                int percent, unsigned seed);

}  // namespace bench
