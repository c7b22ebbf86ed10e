// Makes videos in which faces from photographs walk over a picture, and hides the faces from a search in some
// frames.
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

// The picture files of a folder, sorted by name. Throws if there is none.
std::vector<std::string> pictures_in(const std::string& folder);
// Resizes a picture, with interpolation between its pixels.
GrayImage resized(GrayView picture, Size size);
// Cuts the middle seven tenths out of a picture of LFW, which show the face, and resizes them to `side`
// pixels a side.
GrayImage lfw_face(const std::string& file, int side);
// The box that counts as the face, if a picture of `lfw_face` is pasted with its left top corner at (x, y).
Box place_of(int x, int y, int side);
double overlap(const Box& a, const Box& b);

// What makes a search miss a face in some frames.
enum class Hiding {
  kNoise,   // noise lies over the face
  kDark,    // the frame is nearly black
  kGround,  // the face is left out of the frame
  kTurned,  // the face is rolled by up to 70 degrees and back
  kDim,     // the frame begins dark and noisy and becomes light slowly
};
const char* name_of(Hiding hiding);

struct Walk {
  double x = 0, y = 0, dx = 0, dy = 0;
};
// Moves a walk on by one frame. The walk turns back at the edges of the frame.
void step(Walk& walk, Size frame, int side);

// Puts the face into the frame, as an ellipse that is rolled by `roll` degrees.
void paste(GrayImage& frame, GrayView face, int x, int y, double roll = 0);
// Multiplies pixels by `light`, and adds noise whose standard deviation is `noise` grey values.
void darken(GrayImage& frame, double light, double noise, std::mt19937& random);
void cover_with_noise(GrayImage& frame, const Box& box, std::mt19937& random);

}  // namespace bench
