// Compares landmarks with dlib's, which the product never links: the bits of shapes before points are
// rounded, and bytes of files.
//
//   winnow_witness_landmarks [--time] [MODEL.dat]
//
// Without a model, dlib's 68-point model of Debian's package libdlib-data is used if it is there. A model
// that dlib's trainer makes here is always compared.
#include <dlib/image_processing/shape_predictor.h>
#include <dlib/image_processing/shape_predictor_trainer.h>
#include <winnow/winnow.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using winnow::Box;
using winnow::GrayView;

constexpr const char* kDebianModel = "/usr/share/dlib/shape_predictor_68_face_landmarks.dat";

struct Face {
  std::string name;
  winnow::Picture picture;
  Box box;
};

// The lists of a dlib model. dlib's predictor does not give them out, so the file is read a second time. The
// lists give the shape before rounding.
struct DlibLists {
  dlib::matrix<float, 0, 1> initial;
  std::vector<std::vector<dlib::impl::regression_tree>> forests;
  std::vector<std::vector<unsigned long>> anchors;
  std::vector<std::vector<dlib::vector<float, 2>>> deltas;
};

DlibLists read_lists(const std::string& bytes) {
  std::istringstream in(bytes);
  DlibLists lists;
  int version = 0;
  dlib::deserialize(version, in);
  dlib::deserialize(lists.initial, in);
  dlib::deserialize(lists.forests, in);
  dlib::deserialize(lists.anchors, in);
  dlib::deserialize(lists.deltas, in);
  return lists;
}

dlib::rectangle rectangle_of(const Box& box) {
  return {box.x, box.y, box.x + box.width - 1, box.y + box.height - 1};
}

dlib::array2d<unsigned char> dlib_picture(GrayView view) {
  dlib::array2d<unsigned char> picture(view.height, view.width);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) picture[y][x] = view.row(y)[x];
  return picture;
}

// Returns dlib's shape before its points are rounded. Calls dlib's functions in the order in which dlib's
// predictor calls them.
dlib::matrix<float, 0, 1> dlib_shape(const DlibLists& lists, const dlib::array2d<unsigned char>& picture,
                                     const dlib::rectangle& box) {
  dlib::matrix<float, 0, 1> shape = lists.initial;
  std::vector<float> values;
  unsigned long leaf = 0;
  for (std::size_t stage = 0; stage < lists.forests.size(); ++stage) {
    dlib::impl::extract_feature_pixel_values(picture, box, shape, lists.initial, lists.anchors[stage],
                                             lists.deltas[stage], values);
    for (const auto& tree : lists.forests[stage]) shape += tree(values, leaf);
  }
  return shape;
}

// A point of dlib's shape in the picture, without rounding to whole pixels.
winnow::LandmarkPoint placed(const dlib::matrix<float, 0, 1>& shape, long point, const Box& box) {
  return {box.x + (box.width - 1.) * static_cast<double>(shape(2 * point)),
          box.y + (box.height - 1.) * static_cast<double>(shape(2 * point + 1))};
}

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
  const DlibLists lists = read_lists(bytes);
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
      const auto theirs = dlib_shape(lists, dlib_picture(face.picture.gray.view()), rectangle_of(face.box));
      const auto ours = landmarker.fit(face.picture.gray.view(), std::span(&face.box, 1));
      bool same = true;
      for (long i = 0; i < theirs.size() / 2; ++i) {
        const winnow::LandmarkPoint wanted = placed(theirs, i, face.box),
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

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Times one face per call on one thread. Winnow and dlib take turns.
void time_it(const char* name, const std::string& bytes, const std::vector<Face>& faces) {
  using Clock = std::chrono::steady_clock;
  const winnow::Landmarks exact =
      winnow::Landmarks::parse(std::as_bytes(std::span(bytes.data(), bytes.size())), name);
  winnow::Landmarker ours(exact, {.backend = winnow::BackendKind::kCpu, .threads = 1});
  winnow::Landmarker small(exact.with_16_bits(), {.backend = winnow::BackendKind::kCpu, .threads = 1});
  dlib::shape_predictor theirs;
  std::istringstream in(bytes);
  dlib::deserialize(theirs, in);
  std::vector<double> our_ms, small_ms, their_ms;
  std::vector<winnow::Shape> shapes;
  double unused = 0;
  for (int round = 0; round < 5; ++round) {
    for (const Face& face : faces) {
      const auto picture = dlib_picture(face.picture.gray.view());
      const auto box = rectangle_of(face.box);
      const auto start = Clock::now();
      ours.fit(face.picture.gray.view(), std::span(&face.box, 1), shapes);
      const auto middle = Clock::now();
      unused += static_cast<double>(theirs(picture, box).part(0).x());
      const auto after = Clock::now();
      small.fit(face.picture.gray.view(), std::span(&face.box, 1), shapes);
      const auto end = Clock::now();
      const auto ms = [](auto time) { return std::chrono::duration<double, std::milli>(time).count(); };
      our_ms.push_back(ms(middle - start));
      their_ms.push_back(ms(after - middle));
      small_ms.push_back(ms(end - after));
    }
  }
  std::printf("%-28s a face: Winnow %.3f ms, dlib %.3f ms, ratio %.2f; with 16 bits %.3f ms, ratio %.2f%s\n",
              name, median(our_ms), median(their_ms), median(their_ms) / median(our_ms), median(small_ms),
              median(their_ms) / median(small_ms), unused == 0.5 ? " " : "");
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
  bool timed = false;
  std::string path = kDebianModel;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--time") {
      timed = true;
    } else {
      path = argv[i];
    }
  }
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
    if (timed) time_it(name.c_str(), bytes, faces);
  } else {
    std::printf("skipped: %s is not there\n", path.c_str());
  }
  return good ? 0 : 1;
}
