// Reads what people marked in pictures: boxes and points, from nine formats in common use.
//
//   winnow::Truth truth = winnow::read_truth("info.dat");
//   for (const auto& picture : truth.pictures)
//     std::printf("%s: %zu\n", picture.path.c_str(), picture.labels.size());
//
// In:     a file of labels, or a folder with one file per picture; hostile bytes are refused.
// Out:    pictures with their labels, each picture once, in the order of the file. A folder's files are
//         sorted by name. Sub-folders are read if a folder leads to no labels of its own.
// Exact:  numbers as the file gives them; VOC, YOLO and FDDB are converted to boxes in pixels from 0.
//         Points of .pts files count from 1, so 1 is subtracted. Conversions are computed in doubles;
//         FDDB's also take the C library's sine and cosine.
// Memory: the result belongs to the caller. A file has at most 1 GiB. `truth_format_name` returns a string
//         that lives as long as the program.
// Thread: any thread may call the functions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/point_scheme.h>

namespace winnow {

// All numbers are pixels of the picture. Boxes may extend beyond the picture.
struct Label {
  RealBox box;                // if only points are marked: the box around them (of size 0 for one point)
  std::vector<Point> points;  // in the order of the file; dlib's <part>s sorted by name; may be empty
  std::string category;       // "" if the format has none; a number for a YOLO class without a name
  bool ignore = false;        // finding the object is neither right nor wrong; not finding it is no miss
  bool operator==(const Label&) const = default;
};

struct LabelledPicture {
  // The picture's file. A relative name was joined to the truth file's folder, or to
  // `TruthOptions::pictures`.
  std::string path;
  std::string name;  // the name in the truth file
  std::vector<Label> labels;
  bool operator==(const LabelledPicture&) const = default;
};

// Formats of labels.
// - Lists are text, one entry a line. A name with blanks or commas stands in "quotes". '#' begins a comment,
//   except in a CSV with a head line.
// - A CSV may give boxes as xmin,ymin,xmax,ymax; the width is xmax - xmin. A CSV without a head line is read
//   only if `format` names it.
// - A .pts file has one object. All objects of a points file, or of a folder of .pts files, have the same
//   number of points.
// - COCO's crowds and VOC's "difficult" are ignored labels. COCO's few boxes without an area are left out.
// - YOLO's labels may lie in labels/ beside images/, in sub-folders of the same names (train, val). A
//   folder of either kind, the folder around them, a data.yaml and a list of pictures all lead to the
//   labels. In YOLO's folders a picture without labels has no objects. A polygon of YOLO becomes the box
//   around it.
// - A folder of pictures leads to COCO's labels in it, in its annotations/, in annotations/ beside images/, or
//   in annotations/instances_NAME.json beside a folder NAME. Pictures that these do not name are left out.
// - With .pts files, a picture without a file of labels is left out.
enum class TruthFormat {
  kInfo,    // OpenCV's info.dat: "picture count x y w h ..."
  kCsv,     // a head line that names columns: file,x,y,width,height[,category][,ignore]
  kPoints,  // one object per line: a picture and its points, separated by commas or blanks, or by semicolons
            // below a head line that has them
  kCoco,    // COCO's JSON: images, annotations, categories; or a folder of pictures that leads to it
  kYolo,    // .txt files: a folder of them, the folder of their pictures, a list of pictures, or a data.yaml
  kVoc,     // a folder of PASCAL VOC's XML files, or one of them
  kDlib,    // dlib's imglab XML: boxes and points (<part>)
  kFddb,    // FDDB's ellipses: picture, count, "major minor angle x y 1"; a label's box is the box around
            // the ellipse
  kPts,     // iBUG's points (300-W): a folder of .pts files beside the pictures, or one such file
};
// "info", "csv", "points", "coco", "yolo", "voc", "dlib", "fddb" or "pts".
WINNOW_API const char* truth_format_name(TruthFormat format);

struct Truth {
  TruthFormat format = TruthFormat::kCsv;
  std::vector<LabelledPicture> pictures;  // each picture once, in the order of the file, even without objects
  // The names of the points that an object has, from the head line of a list or from dlib's parts. Empty if
  // points have numbers only.
  std::vector<std::string> point_names = {};
  // What a reader of the labels should know, in sentences: pictures without labels, polygons, several
  // classes.
  std::vector<std::string> notes = {};
};

struct TruthOptions {
  std::string pictures;  // the folder of the pictures; "": the truth file's folder
  std::string category;  // keep all pictures, but only labels of this category; "": all. kUsage if unknown
  std::string format;    // a name from `truth_format_name`; "": recognised by content
};

// Errors name the file, and the line if one is at fault: kIo for a file that cannot be read, kFormat for
// bytes that are no labels or name no picture. kLimit for a file or list that is too large, kUsage for
// options that make no sense.
//
// Only YOLO opens pictures, since its numbers are fractions of their size. A .pts file needs its picture in
// its own folder or in `pictures`, under the same name with another ending. In other formats a missing
// picture is no error here. Some text has two meanings: a name and four numbers may be a box or two points.
// Then `format` decides.
WINNOW_API Truth read_truth(const std::string& path, const TruthOptions& options = {});

// Finds the box that belongs to each label of the picture. Returns for each label the number of its box, or
// no value.
//
// - Let `face` be the box around a label's points. A box may belong to the label if the box holds the middle
//   of `face`, and `face` holds the middle of the box. Edges count as inside.
// - Pairs of a label and a box are taken by falling intersection over union of `face` and the box. Each label
//   and each box is taken once. Equal pairs are taken in the order of labels, then of boxes.
// - Labels that are ignored or have no points get no box.
WINNOW_API std::vector<std::optional<std::size_t>> match_faces(const LabelledPicture& picture,
                                                               std::span<const Box> boxes);

// What points mean, and how that is known.
struct KnownScheme {
  PointScheme scheme;
  std::string reason;  // "names", "places" or ""
};
// Reads the meaning of points from their names. Without names, looks where the points of the labels lie. Only
// three orders are certain by their places: iBUG's 68 points, `kFiveOf68`, and the five points of dlib's
// model. Of other points nothing is known, and the scheme is empty. Labels that are ignored or have another
// number of points than the first do not count.
WINNOW_API KnownScheme known_scheme(std::span<const LabelledPicture> pictures,
                                    const std::vector<std::string>& names = {});

// The numbers of the five points within the 68 points of the iBUG scheme: the corners of both eyes, and the
// point below the nose.
inline constexpr std::array<std::size_t, 5> kFiveOf68 = {36, 39, 42, 45, 33};

}  // namespace winnow
