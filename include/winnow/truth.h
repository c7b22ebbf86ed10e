// What people have marked in pictures: boxes and points, read from the formats that are about.
//
//   winnow::Truth truth = winnow::read_truth("info.dat");
//   for (const auto& picture : truth.pictures) std::printf("%s: %zu\n", picture.path.c_str(),
//   picture.labels.size());
#pragma once

#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>

namespace winnow {

// In pixels of the picture. Numbers are the file's own, but for VOC, which counts from 1, and YOLO. Boxes may
// reach out of the picture.
struct Label {
  RealBox box;                // of an object with points only: what holds them (of one point: 0 wide)
  std::vector<Point> points;  // in the order of the file, dlib's parts in that of their names; empty: none
  std::string category;       // "" where the format has none; YOLO's is a number where nobody names it
  bool ignore = false;        // neither to be found nor wrong to be found (crowds, "difficult")
  bool operator==(const Label&) const = default;
};

struct LabelledPicture {
  std::string path;  // where it lies: relative names are looked for beside the truth file, or in `pictures`
  std::string name;  // as the truth has it
  std::vector<Label> labels;
  bool operator==(const LabelledPicture&) const = default;
};

// Lists are text, a line at a time; a name with blanks or commas stands in "quotes", and '#' begins a comment
// (but in a CSV with a head line). Boxes in a CSV may be xmin,ymin,xmax,ymax too; only who names the format
// may leave its head line out. All objects of points have as many. COCO's crowds and VOC's "difficult" are
// ignored, COCO's few boxes without an area left out. YOLO's labels may lie in labels/ beside images/; an
// empty file is a picture without objects, a picture without a file is no part of the truth.
enum class TruthFormat {
  kInfo,    // OpenCV's info.dat: "picture count x y w h ..."
  kCsv,     // a head line that names columns: file,x,y,width,height[,category][,ignore]
  kPoints,  // a picture and its points on a line, one object a line: CSV or blanks
  kCoco,    // COCO's JSON: images, annotations, categories
  kYolo,    // a folder of .txt files beside the pictures, or one such file
  kVoc,     // a folder of PASCAL VOC's XML files, or one of them
  kDlib,    // dlib's imglab XML: boxes and parts
  kFddb,    // FDDB's ellipses: picture, count, "major minor angle x y 1"; the box is what holds the ellipse
};
WINNOW_API const char* truth_format_name(TruthFormat format);

struct Truth {
  TruthFormat format = TruthFormat::kCsv;
  std::vector<LabelledPicture> pictures;  // each once, in the order of the file; those without objects too
};

struct TruthOptions {
  std::string pictures;  // the folder of the pictures; "": where the truth is
  std::string category;  // only this one's labels, of all pictures; "": all. If there is none such: kUsage
  std::string format;    // as `truth_format_name` has it; "": known by its content
};

// Pictures themselves are opened only where the format counts in parts of their size (YOLO). Errors name file
// and line; a picture that is missing is an error of who reads it. A text that may be two things (a name and
// four numbers: a box or two points) is refused unless the format is named.
WINNOW_API Truth read_truth(const std::string& path, const TruthOptions& options = {});

}  // namespace winnow
