#include "faces/primitive_tables.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include "faces/call_time.h"
#include "faces/moving_picture.h"
#include "primitives/compact.h"
#include "primitives/reduce.h"

#ifdef WINNOW_HAVE_CUDA
#include "faces/primitive_time_cuda.h"
#endif

namespace bench {
namespace {

using winnow::IntegralPlanes;
using winnow::PlaneView;

std::vector<std::uint32_t> random_values(std::size_t count) {
  std::mt19937 random(2);
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random());
  return values;
}

void require_same(bool same, const std::string& what) {
  if (!same) throw std::runtime_error(what + ": the values differ from those of the reference");
}

// Planes of one picture in host memory.
struct HostPlanes {
  std::vector<std::uint32_t> sum, square;
  int width, height;

  HostPlanes(winnow::Size size, bool with_square)
      : sum(static_cast<std::size_t>(size.width + 1) * static_cast<std::size_t>(size.height + 1), 1),
        square(with_square ? sum.size() : 0, 1),
        width(size.width + 1),
        height(size.height + 1) {}
  IntegralPlanes views() {
    const auto stride = static_cast<std::ptrdiff_t>(sizeof(std::uint32_t)) * width;
    return {{sum.data(), width, height, stride},
            square.empty() ? PlaneView{} : PlaneView{square.data(), width, height, stride},
            {}};
  }
  bool operator==(const HostPlanes&) const = default;
};

// Makes an integral plane row by row. `scan(from, end, to)` writes the prefix sums of a row.
template <class Scan>
void plane_std(winnow::GrayView picture, const PlaneView& plane, Scan scan) {
  std::fill_n(plane.row(0), plane.width, 0U);
  for (int y = 0; y < picture.height; ++y) {
    const std::uint32_t* above = plane.row(y) + 1;
    std::uint32_t* row = plane.row(y + 1);
    *row++ = 0;
    scan(picture.row(y), picture.row(y) + picture.width, row);
    std::transform(row, row + picture.width, above, row, std::plus<>());
  }
}

Calls calls_of(bool device, int repeat) { return {!device, repeat}; }

// Time Winnow's primitives on the device, in microseconds. They throw in builds without CUDA.
#ifdef WINNOW_HAVE_CUDA
double device_sum_us(const std::vector<std::uint32_t>& values, int repeat, std::uint64_t& sum) {
  return time_device_sum(values, repeat, sum);
}
double device_compaction_us(const LivingList& list, int repeat, std::vector<std::int64_t>& living) {
  return time_device_compaction(list.windows, list.mask, repeat, living);
}
double device_integral_us(winnow::GrayView picture, int repeat, const IntegralPlanes& planes) {
  return time_device_integral(picture, repeat, planes);
}
#else
[[noreturn]] void refuse() { throw std::runtime_error("this build has no CUDA"); }
double device_sum_us(const std::vector<std::uint32_t>&, int, std::uint64_t&) { refuse(); }
double device_compaction_us(const LivingList&, int, std::vector<std::int64_t>&) { refuse(); }
double device_integral_us(winnow::GrayView, int, const IntegralPlanes&) { refuse(); }
#endif

// Makes a table without rows, with columns for the rates of Winnow and of the standard library.
ResultList primitive_list(const std::string& name, const std::string& title, const std::string& unit,
                          const std::string& about, bool device, int repeat) {
  const std::string where = device ? "cuda" : "cpu";
  return {
      "face_" + name + "_" + where,
      title + " on `" + where + "`",
      unit + " a second",
      "winnow_face_tables " + std::string(device ? "--backend cuda " : "") + "--tables " + name,
      about +
          (device ? "Values lie in the device's memory before and after, and Winnow's times are medians of " +
                        std::to_string(repeat) +
                        " runs by device events. The standard library runs on one thread of the host. "
                  : "Both forms run on one thread, in host memory. ") +
          (device ? "" : calls_in_words(calls_of(device, repeat))) +
          "The thesis compares its GPU with plain Swift on its CPU, by the GPU's own time.",
      {"on", "size", "rate", "std rate"},
      {{"on", "on"}, {"size", name == "integral" ? "picture" : "values"}},
      {{"rate", "Winnow (the thesis: GPU)", 2}, {"std rate", "standard library (the thesis: CPU)", 2}}};
}

constexpr const char* kHere = "this machine";
constexpr const char* kThesis = "the thesis, iPhone 7";

double rate_of_us(double us) { return 1e6 / us; }
double rate_of_ms(double ms) { return 1e3 / ms; }

}  // namespace

LivingList living_list(std::size_t count) {
  LivingList list;
  list.windows.resize(count);
  list.mask.resize(count / 64 + 1);
  std::iota(list.windows.begin(), list.windows.end(), std::int64_t{7});
  const std::vector<std::uint32_t> dice = random_values(count);
  for (std::size_t i = 0; i < count; ++i) list.mask[i / 64] |= std::uint64_t{dice[i] >> 9 & 1} << (i % 64);
  return list;
}

std::size_t compact_std(const LivingList& list, std::span<std::int64_t> out) {
  std::size_t at = 0;
  const auto end = std::copy_if(list.windows.begin(), list.windows.end(), out.begin(), [&](std::int64_t) {
    const std::size_t here = at++;
    return (list.mask[here / 64] >> (here % 64) & 1) != 0;
  });
  return static_cast<std::size_t>(end - out.begin());
}

void integral_std(winnow::GrayView picture, const IntegralPlanes& planes) {
  plane_std(picture, planes.sum, [](const std::uint8_t* from, const std::uint8_t* end, std::uint32_t* to) {
    std::inclusive_scan(from, end, to, std::plus<>(), 0U);
  });
  if (planes.square.data == nullptr) return;
  plane_std(picture, planes.square, [](const std::uint8_t* from, const std::uint8_t* end, std::uint32_t* to) {
    std::transform_inclusive_scan(
        from, end, to, std::plus<>(), [](std::uint32_t pixel) { return pixel * pixel; }, 0U);
  });
}

ResultList reduction_results(std::span<const std::size_t> counts, bool device, int repeat) {
  ResultList list = primitive_list("reduction", "Sums of lists", "sums",
                                   "Values have 32 bits, and their sum has 64. ", device, repeat);
  const Calls host = calls_of(device, repeat);
  for (const std::size_t count : counts) {
    const std::vector<std::uint32_t> values = random_values(count);
    const std::uint64_t wanted = winnow::sum_ref(values);
    std::uint64_t sum = 0, sum_of_std = 0;
    const double rate = device
                            ? rate_of_us(device_sum_us(values, repeat, sum))
                            : rate_of_ms(median_milliseconds(host, [&] { sum = winnow::sum_cpu(values); }));
    const double std_ms = median_milliseconds(
        host, [&] { sum_of_std = std::accumulate(values.begin(), values.end(), std::uint64_t{0}); });
    require_same(sum == wanted && sum_of_std == wanted, "sums");
    list.rows.push_back({kHere, count, rate, rate_of_ms(std_ms)});
  }
  list.rows.push_back({kThesis, 10'000'000, 44.78, 0.39});
  return list;
}

ResultList compaction_results(std::span<const std::size_t> counts, bool device, int repeat) {
  ResultList list = primitive_list("compaction", "Compaction of lists", "compactions",
                                   "Numbers of windows have 64 bits. Half of them live, by a mask of bits. "
                                   "The thesis does not say what share it keeps. ",
                                   device, repeat);
  const Calls host = calls_of(device, repeat);
  for (const std::size_t count : counts) {
    const LivingList living = living_list(count);
    std::vector<std::int64_t> wanted(count), out(count), out_of_std(count);
    wanted.resize(winnow::compact_ref(living.windows, living.mask, wanted));
    std::size_t kept = 0, kept_by_std = 0;
    const double rate = device ? rate_of_us(device_compaction_us(living, repeat, out))
                               : rate_of_ms(median_milliseconds(host, [&] {
                                   kept = winnow::compact_cpu(living.windows, living.mask, out);
                                 }));
    if (!device) out.resize(kept);
    const double std_ms = median_milliseconds(host, [&] { kept_by_std = compact_std(living, out_of_std); });
    out_of_std.resize(kept_by_std);
    require_same(out == wanted && out_of_std == wanted, "compaction");
    list.rows.push_back({kHere, count, rate, rate_of_ms(std_ms)});
  }
  list.rows.push_back({kThesis, 250'000, 293.3, 16.22});
  list.rows.push_back({kThesis, 10'000'000, 16.23, 0.28});
  return list;
}

ResultList integral_results(std::span<const winnow::Size> sizes, bool device, int repeat) {
  ResultList list =
      primitive_list("integral", "Integral images", "pictures",
                     "Sums have 32 bits. The standard library scans each row and adds the row above. "
                     "The thesis prints that its GPU makes more than 60 a second at its largest size. "
                     "It has no form for its CPU. ",
                     device, repeat);
  list.columns.insert(list.columns.begin() + 2, "planes");
  list.by.emplace_back("planes", "planes");
  const Calls host = calls_of(device, repeat);
  const auto name_of = [](winnow::Size size) {
    return std::to_string(size.width) + "x" + std::to_string(size.height);
  };
  for (const winnow::Size size : sizes) {
    const winnow::GrayImage picture = textured_ground(size);
    for (const bool square : {false, true}) {
      HostPlanes wanted(size, square), got(size, square), of_std(size, square);
      winnow::integral_ref(picture.view(), wanted.views());
      const double rate = device ? rate_of_us(device_integral_us(picture.view(), repeat, got.views()))
                                 : rate_of_ms(median_milliseconds(
                                       host, [&] { winnow::integral_cpu(picture.view(), got.views()); }));
      const double std_ms = median_milliseconds(host, [&] { integral_std(picture.view(), of_std.views()); });
      require_same(got == wanted && of_std == wanted, "integral images");
      list.rows.push_back(
          {kHere, name_of(size), square ? "sums and squares" : "sums", rate, rate_of_ms(std_ms)});
    }
  }
  list.rows.push_back({kThesis, "4096x2160", "sums, more than", 60, nullptr});
  return list;
}

}  // namespace bench
