// Gives one reader for each format of labels.
//
// In:     a whole text, possibly hostile, not copied.
// Out:    pictures and labels in the caller's `Gather`, or an `Error` with the line where reading stopped.
// Exact:  numbers as the file gives them. Labels of VOC, YOLO and FDDB are converted in doubles to boxes,
//         whose pixels count from 0. The conversion of FDDB also uses the C library's sine and cosine.
//         Pixels of .pts files count from 1, so 1 is subtracted in doubles.
// Memory: pictures and labels belong to the `Gather`; nothing of the text is kept.
// Thread: any; each thread needs a `Gather` of its own.
#pragma once

#include <cstddef>
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

// Finds what YOLO's labels and .pts files do not hold: class names, and each picture's path and size.
class AroundLabels {
 public:
  virtual ~AroundLabels() = default;
  // The names of YOLO's classes. If there are none, a label's category is the number of its class.
  virtual std::vector<std::string> classes() = 0;
  // The path of the picture whose label file has this stem ("a" of "a.txt").
  virtual std::string picture(const std::string& stem) = 0;
  // The picture's name in a truth: by default the last part of its path.
  virtual std::string name(const std::string& picture) {
    return picture.substr(picture.find_last_of('/') + 1);
  }
  virtual Size size(const std::string& picture) = 0;
};
// Reads the labels of one picture. A line of a class and three corners or more is a polygon, whose box is
// taken. Returns how many polygons there were.
std::size_t read_yolo(std::string_view text, const std::string& stem, const std::vector<std::string>& classes,
                      AroundLabels& around, Gather& gather);

// The first object of the .pts files that are read together. All objects must have its number of points.
struct FirstPts {
  std::size_t points = 0;  // 0: there is no object yet
  std::string picture;
};
// Reads the object of one picture.
void read_pts(std::string_view text, const std::string& stem, AroundLabels& around, FirstPts& first,
              Gather& gather);

// What the first line of a file is, judged by the column names in it.
enum class Head {
  kNone,      // data, or names that fit nothing below
  kBoxes,     // a picture, x and y, and other columns of a box
  kPoints,    // a picture, and names of points or of coordinates
  kEither,    // file,x1,y1,x2,y2: two corners or two points
  kNoCorner,  // a box's sides or its label, but no corner
};
Head judge_head(std::string_view line);
// The character between the columns of a head line: ',' or else ';' or else a tab or else ' '.
char head_separator(std::string_view line);
// The fields of a head line. A '#' before the first name is ignored.
std::vector<std::string> head_fields(std::string_view line);
// Whether a line names the coordinates of points and no picture, as CelebA's lists do.
bool is_bare_head(std::string_view line);

}  // namespace winnow
