#include "faces/grouping_tables.h"

#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "faces/overlap_groups.h"
#include "pairs.h"
#include "pipeline/pipeline.h"
#ifdef WINNOW_HAVE_CUDA
#include "faces/group_time_cuda.h"
#endif

namespace bench {
namespace {

using winnow::Box;
using winnow::Candidate;

constexpr int kMostAlone = 2;  // a group is kept if it has more boxes than this

// The median processor time of a call in microseconds. One more call comes first and is not counted.
template <class Work>
double processor_us(int repeat, Work work) {
  std::vector<double> times;
  work();
  for (int i = 0; i < repeat; ++i) times.push_back(1000 * processor_milliseconds(work));
  return median(std::move(times));
}

void check_equal(const std::vector<Candidate>& got, const std::vector<Candidate>& boxes) {
  winnow::GroupScratch scratch;
  std::vector<Candidate> wanted;
  winnow::group_ref(boxes, kMostAlone, winnow::kGroupEps, scratch, wanted);
  if (got != wanted) throw std::runtime_error("the groups differ from those of the reference");
}

// Returns the time of `group_cpu` in microseconds. Its objects go into `objects`.
double host_us(const std::vector<Candidate>& boxes, int repeat, std::vector<Candidate>& objects) {
  winnow::GroupScratch scratch;
  const double us = processor_us(
      repeat, [&] { winnow::group_cpu(boxes, kMostAlone, winnow::kGroupEps, scratch, objects); });
  check_equal(objects, boxes);
  return us;
}

std::string layouts_in_words() {
  return "Random boxes have 24 to 83 pixels in 1280x720. Boxes that do not overlap lie in a grid. "
         "Neighbours lie in one heap, all of them or every second box. Objects need 3 boxes. ";
}

}  // namespace

const char* layout_name(BoxLayout layout) {
  switch (layout) {
    case BoxLayout::kRandom:
      return "random";
    case BoxLayout::kNoOverlap:
      return "no overlap";
    case BoxLayout::kAllNeighbours:
      return "all neighbours";
    case BoxLayout::kHalfNeighbours:
      return "half neighbours";
  }
  return "";
}

std::vector<Candidate> layout_boxes(BoxLayout layout, int count) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto in_grid = [](int i) { return Box{i % 64 * 30, i / 64 * 30, 24, 24}; };
  // The heap lies to the right of the grid.
  const auto in_heap = [&] { return Box{2000 + below(5), 360 + below(5), 60 + below(4), 60 + below(4)}; };
  std::vector<Candidate> list;
  for (int i = 0; i < count; ++i) {
    Box box;
    switch (layout) {
      case BoxLayout::kRandom:
        box = {below(1196), below(636), 24 + below(60), 24 + below(60)};
        break;
      case BoxLayout::kNoOverlap:
        box = in_grid(i);
        break;
      case BoxLayout::kAllNeighbours:
        box = in_heap();
        break;
      case BoxLayout::kHalfNeighbours:
        box = i % 2 == 0 ? in_heap() : in_grid(i);
        break;
    }
    list.push_back({box, below(1000) / 8.0, 1});
  }
  return list;
}

ResultList grouping_results(std::span<const int> counts, int repeat) {
  ResultList list{
      "grouping_layouts_cpu",
      "Grouping by layout on a processor",
      "microseconds",
      "winnow_face_tables --tables grouping",
      layouts_in_words() +
          "Winnow joins boxes that are similar, and gives the objects of the reference. The thesis "
          "joins boxes that overlap, which plain loops do here "
          "(`bench/faces/overlap_groups.cpp`). One thread; times are medians of " +
          std::to_string(repeat) + " calls, in processor time.",
      {"layout", "boxes", "on", "us", "objects", "overlap us", "clusters"},
      {{"layout", "layout"}, {"boxes", "boxes"}, {"on", "on"}},
      {{"us", "Winnow", 1},
       {"objects", "objects", 0},
       {"overlap us", "by overlap, plain", 1},
       {"clusters", "clusters", 0}}};
  for (const BoxLayout layout : kBoxLayouts) {
    for (const int count : counts) {
      const std::vector<Candidate> boxes = layout_boxes(layout, count);
      std::vector<Box> plain, clusters;
      for (const Candidate& candidate : boxes) plain.push_back(candidate.box);
      std::vector<Candidate> objects;
      const double us = host_us(boxes, repeat, objects);
      const double overlap_us = processor_us(repeat, [&] { clusters = overlap_groups(plain); });
      list.rows.push_back(
          {layout_name(layout), count, "this machine", us, objects.size(), overlap_us, clusters.size()});
    }
  }
  list.rows.push_back(
      {layout_name(BoxLayout::kAllNeighbours), 1024, "the thesis, iPhone 7", nullptr, nullptr, 103'000, 1});
  return list;
}

#ifdef WINNOW_HAVE_CUDA
ResultList device_grouping_results(std::span<const int> counts, int repeat) {
  ResultList list{
      "grouping_layouts_cuda",
      "Grouping by layout on a device",
      "microseconds",
      "winnow_face_tables --backend cuda --tables grouping",
      layouts_in_words() +
          "The kernel's steps are those of a search on a device: one block of threads groups boxes "
          "in device memory into objects there. Up to " +
          std::to_string(most_grouped_in_a_block()) +
          " boxes lie in the block's own memory, more in the device's. In a search the host groups those. "
          "Objects equal those of the reference. Times are "
          "medians of " +
          std::to_string(repeat) +
          " runs: of device events, and of processor time of one thread of the host.",
      {"layout", "boxes", "device us", "host us", "objects"},
      {{"layout", "layout"}, {"boxes", "boxes"}},
      {{"device us", "on the device", 1}, {"host us", "on its host", 1}, {"objects", "objects", 0}}};
  for (const BoxLayout layout : kBoxLayouts) {
    for (const int count : counts) {
      const std::vector<Candidate> boxes = layout_boxes(layout, count);
      std::vector<Candidate> objects;
      const double us = host_us(boxes, repeat, objects);
      nlohmann::ordered_json row{layout_name(layout), count, nullptr, us, objects.size()};
      if (const auto device = time_device_grouping(boxes, kMostAlone, winnow::kGroupEps, repeat)) {
        check_equal(device->objects, boxes);
        row[2] = device->us;
      }
      list.rows.push_back(row);
    }
  }
  return list;
}
#else
ResultList device_grouping_results(std::span<const int>, int) {
  throw std::runtime_error("this build has no CUDA");
}
#endif

}  // namespace bench
