// Makes videos in which faces of photographs walk over a picture, and hides them where a search misses them.
//
// In:     pictures of one face each, ground without faces, and how the faces walk and hide.
// Out:    grey frames, and the place of each face in each frame.
// Exact:  same frames for the same arguments.
// Memory: one frame; the pictures are copied.
// Thread: one thread at a time.
#pragma once

#include <random>
#include <string>
#include <vector>

#include <winnow/image.h>

namespace bench {

using winnow::Box;
using winnow::GrayImage;
using winnow::GrayView;
using winnow::Size;

// The pictures of a folder, by name. An error if there is none.
std::vector<std::string> pictures_in(const std::string& folder);
// The picture in another size, between its pixels.
GrayImage resized(GrayView picture, Size size);
// The face of a picture of LFW: its middle seven tenths, `side` pixels wide.
GrayImage lfw_face(const std::string& file, int side);
// The part of such a face that counts as the face.
Box place_of(int x, int y, int side);
double overlap(const Box& a, const Box& b);

// How a face cannot be found although it is there.
enum class Hiding {
  kNoise,   // noise lies over it
  kDark,    // the frame is nearly black
  kGround,  // it is not there
  kTurned,  // it is rolled by up to 70 degrees and back
  kDim,     // the frame begins dark and noisy and becomes light slowly
};
const char* name_of(Hiding hiding);

struct Walk {
  double x = 0, y = 0, dx = 0, dy = 0;
};
// One step of a walk that turns at the edges of the frame.
void step(Walk& walk, Size frame, int side);

// Puts the face into the frame, as an ellipse, rolled by some degrees.
void paste(GrayImage& frame, GrayView face, int x, int y, double roll = 0);
// Multiplies by `light`, and adds noise of this deviation.
void darken(GrayImage& frame, double light, double noise, std::mt19937& random);
void cover_with_noise(GrayImage& frame, const Box& box, std::mt19937& random);

}  // namespace bench
