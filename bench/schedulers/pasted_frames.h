// Makes frames with a chosen density of objects, so that a bench can vary the rate of survivors.
//
// In:     pictures and a cascade; then a picture, an object and a density.
// Out:    the object that the cascade finds most surely; then a copy of the picture with copies of the
//         object.
// Exact:  the same pixels for the same input and seed on every machine.
// Memory: the caller owns the returned pictures.
#pragma once

#include <winnow/winnow.h>

#include <span>

namespace bench {

// Returns the pixels of the object with the largest group. If no picture has a group, returns the candidate
// with the highest score, or an empty picture if there is no candidate. Searches with the cpu backend.
winnow::GrayImage surest_object(const winnow::Cascade& cascade, std::span<const winnow::GrayView> pictures,
                                winnow::Size min_size);

// Returns a copy of `picture` with the object pasted on `percent` of a grid's cells. `seed` chooses the cells
// and the size of the object: 1.2 to 2.6 times `smallest`, or less if the picture is too small. With 0
// percent, `object` may be empty.
winnow::GrayImage paste_objects(winnow::GrayView picture, winnow::GrayView object, winnow::Size smallest,
                                int percent, unsigned seed);

}  // namespace bench
