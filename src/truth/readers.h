// The readers of the formats, one a format: a whole text in, pictures and labels out. Each takes hostile
// bytes and throws `Error` with the line where it gave up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <winnow/box.h>

#include "truth/gather.h"

namespace winnow {

void read_info(std::string_view text, Gather& gather);
void read_csv(std::string_view text, Gather& gather);
void read_points(std::string_view text, Gather& gather);
void read_coco(std::string_view text, Gather& gather);
void read_voc(std::string_view text, Gather& gather);
void read_dlib(std::string_view text, Gather& gather);
void read_fddb(std::string_view text, Gather& gather);

// What the labels of YOLO need that is not in their file.
class YoloAround {
 public:
  virtual ~YoloAround() = default;
  // The names of the classes; empty: they have none, and a category is a number.
  virtual std::vector<std::string> classes() = 0;
  // Where the picture lies whose labels are in the file of this stem ("a" of "a.txt").
  virtual std::string picture(const std::string& stem) = 0;
  virtual Size size(const std::string& picture) = 0;
};
// The labels of one picture.
void read_yolo(std::string_view text, const std::string& stem, const std::vector<std::string>& classes,
               YoloAround& around, Gather& gather);

// What a first line is, by the names in it.
enum class Head {
  kNone,      // data
  kBoxes,     // a picture, x and y, and what else a box has
  kPoints,    // a picture, and names of points or of coordinates
  kEither,    // file,x1,y1,x2,y2: two corners or two points
  kNoCorner,  // a box's sides or its label, but not where it begins
};
Head judge_head(std::string_view line);

}  // namespace winnow
