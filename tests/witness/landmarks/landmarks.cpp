// Compares landmarks with dlib's, which the product never links: the bits of shapes before points are
// rounded, and bytes of files.
//
//   winnow_witness_landmarks [MODEL.dat]
//
// Without a model, dlib's 68-point model of Debian's package libdlib-data is used if it is there. A model
// that dlib's trainer makes here is always compared.
#include <dlib/image_processing/shape_predictor_trainer.h>
#include <winnow/winnow.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "landmarks/dlib_fit.h"

namespace {

using winnow::Box;

struct Face {
  std::string name;
  winnow::Picture picture;
  Box box;
};

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Reads pictures of faces. A picture's box lies around its middle, moved and resized at random, as a detector
// might give it.
std::vector<Face> read_faces(const std::string& folder, std::size_t most) {
  std::vector<Face> faces;
  std::mt19937 random(7);
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".jpg" || entry.path().extension() == ".png")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    if (faces.size() >= most) break;
    winnow::Picture picture = winnow::read_picture(path);
    const int side = std::min(picture.gray.width(), picture.gray.height());
    std::uniform_real_distribution<double> scale(0.4, 0.8), shift(-0.1, 0.1);
    const int length = static_cast<int>(side * scale(random));
    const Box box{static_cast<int>((picture.gray.width() - length) / 2 + shift(random) * side),
                  static_cast<int>((picture.gray.height() - length) / 2 + shift(random) * side), length,
                  length};
    faces.push_back({path, std::move(picture), box});
  }
  return faces;
}

struct Count {
  long equal = 0, different = 0;
  double furthest = 0;
};

// Compares all faces, on every backend that runs here.
bool compare(const char* name, const std::string& bytes, const std::vector<Face>& faces) {
  const winnow::Landmarks model =
      winnow::Landmarks::parse(std::as_bytes(std::span(bytes.data(), bytes.size())), name);
  const bench::DlibLists lists = bench::read_dlib_lists(bytes);
  bool good = true;
  const std::vector<std::byte> written = model.to_bytes(winnow::LandmarkFormat::kDlib);
  const bool same_bytes = written.size() == bytes.size() &&
                          std::equal(written.begin(), written.end(),
                                     std::as_bytes(std::span(bytes.data(), bytes.size())).begin());
  std::printf("%-28s written again: %s\n", name, same_bytes ? "same bytes" : "OTHER BYTES");
  good = good && same_bytes;
  for (const winnow::BackendInfo& backend : winnow::list_backends()) {
    if (!backend.available) continue;
    winnow::Landmarker landmarker(model, {.backend = backend.kind});
    Count count;
    for (const Face& face : faces) {
      const auto theirs =
          bench::dlib_shape(lists, bench::dlib_picture(face.picture.gray.view()), bench::dlib_box(face.box));
      const auto ours = landmarker.fit(face.picture.gray.view(), std::span(&face.box, 1));
      bool same = true;
      for (long i = 0; i < theirs.size() / 2; ++i) {
        const winnow::LandmarkPoint wanted = bench::dlib_point(theirs, i, face.box),
                                    got = ours[0].points[static_cast<std::size_t>(i)];
        same = same && got == wanted;
        count.furthest = std::max({count.furthest, std::abs(got.x - wanted.x), std::abs(got.y - wanted.y)});
      }
      ++(same ? count.equal : count.different);
    }
    std::printf("%-28s %-9s %5ld of %5zu faces equal to the bit, furthest %.3g pixels\n", name,
                winnow::backend_name(backend.kind), count.equal, faces.size(), count.furthest);
    good = good && count.equal * 100 >= static_cast<long>(faces.size()) * 99 && count.furthest < 1;
  }
  return good;
}

// A small model that dlib's trainer makes of random pictures.
std::string trained_by_dlib(std::size_t points) {
  std::mt19937 random(3);
  std::vector<dlib::array2d<unsigned char>> pictures(6);
  std::vector<std::vector<dlib::full_object_detection>> objects(6);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    pictures[i].set_size(80, 90);
    for (auto& pixel : pictures[i]) pixel = static_cast<unsigned char>(random() & 255);
    const dlib::rectangle box(10, 12, 69, 71);
    std::vector<dlib::point> parts;
    for (std::size_t p = 0; p < points; ++p)
      parts.emplace_back(static_cast<long>(10 + random() % 60), static_cast<long>(10 + random() % 60));
    objects[i].emplace_back(box, parts);
  }
  dlib::shape_predictor_trainer trainer;
  trainer.set_cascade_depth(3);
  trainer.set_num_trees_per_cascade_level(40);
  trainer.set_tree_depth(3);
  trainer.set_oversampling_amount(4);
  trainer.set_num_threads(1);
  const dlib::shape_predictor made = trainer.train(pictures, objects);
  std::ostringstream out;
  dlib::serialize(made, out);
  return out.str();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : bench::kDebianModel;
  const char* data = std::getenv("WINNOW_DATA");
  const std::string folder = data != nullptr ? data : std::string(WINNOW_SOURCE_DIR) + "/../shared/data";
  std::vector<Face> faces;
  for (const char* part : {"/faces/helen-train", "/faces/afw-train", "/photos"}) {
    if (!std::filesystem::is_directory(folder + part)) {
      std::printf("skipped: %s is not there\n", (folder + part).c_str());
      continue;
    }
    std::vector<Face> more = read_faces(folder + part, 250);
    std::move(more.begin(), more.end(), std::back_inserter(faces));
  }
  bool good = true;
  if (faces.empty()) return 0;
  for (const std::size_t points : {1, 2, 5, 23})
    good = compare(("dlib's trainer, " + std::to_string(points) + " points").c_str(), trained_by_dlib(points),
                   faces) &&
           good;
  if (std::filesystem::exists(path)) {
    const std::string bytes = read_bytes(path);
    const std::string name = std::filesystem::path(path).filename().string().substr(0, 18);
    good = compare(name.c_str(), bytes, faces) && good;
  } else {
    std::printf("skipped: %s is not there\n", path.c_str());
  }
  return good ? 0 : 1;
}
