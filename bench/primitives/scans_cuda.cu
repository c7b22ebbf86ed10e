// winnow_scans_cuda: times integral planes, reductions, scans and compactions on a device in one run, beside
// papers' forms, NPP, CUB and the device's copy bandwidth. The program prints one JSON object per line:
//   case, variant   the task and its form; Winnow's own variants begin with "winnow"
//   us              median of device events; the host has enqueued everything before the work starts
//   bytes           bytes that any form must move: inputs read once, outputs written once
//   of_copy         bytes per second, as a fraction of those of a copy of 1 GiB in device memory
//   of_same_copy    the time of a copy that moves as many bytes, as a fraction of `us`
//   wrong           number of values that differ from the host's (floats: if the true sum is at most 2^24)
//   largest_error   the largest error of all floats
// The exit status is 1 if anything but NPP is wrong.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "machine_card.h"
#include "primitives/compact_cuda.h"
#include "primitives/npp.h"
#include "primitives/paper_scans_cuda.h"
#include "primitives/reduce_cuda.h"
#include "primitives/scan_cuda.h"
#include "scale/integral_cuda.h"
#include "schedulers/scoreboard_cuda.cuh"

namespace {

using namespace winnow;
using bench::Batch;
using bench::Count;
using bench::Difference;
using bench::PaperScan;
using bench::Scoreboard;
using bench::spoil;

struct Named {
  PaperScan scan;
  const char* name;
};
constexpr Named kPaperScans[] = {
    {PaperScan::kBlelloch, "blelloch, blocks of 512, padded"},
    {PaperScan::kKoggeStone, "kogge-stone, shared memory"},
    {PaperScan::kKoggeStoneTwoBuffers, "kogge-stone, shared memory, two buffers"},
    {PaperScan::kKoggeStoneGlobal, "kogge-stone, global memory"},
};

// Pictures of noise in one size, and their true sums.
class Pictures {
 public:
  explicit Pictures(const Batch& batch) : batch_(batch) {
    std::vector<std::uint8_t> pixels(batch.pixels());
    std::mt19937 random(1);
    for (std::uint8_t& p : pixels) p = static_cast<std::uint8_t>(random() >> 8);
    upload(std::span<const std::uint8_t>(pixels), pixels_);
    add_up(
        pixels, [](std::uint64_t p) { return p; }, sums_);
    add_up(
        pixels, [](std::uint64_t p) { return p * p; }, squares_);
  }
  const Batch& batch() const { return batch_; }
  const std::uint8_t* pixels() const { return pixels_.data(); }
  const DeviceBuffer<std::uint64_t>& sums() const { return sums_; }
  const DeviceBuffer<std::uint64_t>& squares() const { return squares_; }

 private:
  template <class Value>
  void add_up(const std::vector<std::uint8_t>& pixels, Value value,
              DeviceBuffer<std::uint64_t>& on_device) const {
    const auto columns = static_cast<std::size_t>(batch_.width) + 1;
    const auto rows = (static_cast<std::size_t>(batch_.height) + 1) * static_cast<std::size_t>(batch_.count);
    std::vector<std::uint64_t> plane(columns * rows);
    const std::uint8_t* pixel = pixels.data();
    for (std::size_t y = 0; y < rows; ++y) {
      if (y % (static_cast<std::size_t>(batch_.height) + 1) == 0) continue;
      std::uint64_t row = 0;
      for (std::size_t x = 1; x < columns; ++x) {
        row += value(*pixel++);
        plane[y * columns + x] = plane[(y - 1) * columns + x] + row;
      }
    }
    upload(std::span<const std::uint64_t>(plane), on_device);
  }

  Batch batch_;
  DeviceBuffer<std::uint8_t> pixels_;
  DeviceBuffer<std::uint64_t> sums_, squares_;
};

void time_integrals_of_planes(Scoreboard& board, const Pictures& pictures, const bench::Npp& npp,
                              const std::string& name) {
  const Batch& batch = pictures.batch();
  const std::size_t values = static_cast<std::size_t>(batch.width + 1) *
                             static_cast<std::size_t>(batch.height + 1) *
                             static_cast<std::size_t>(batch.count);
  const std::int64_t stride = (batch.width + 1 + 31) / 32 * 32;
  const std::int64_t plane = stride * (batch.height + 1);  // values in the plane of one picture
  DeviceBuffer<std::uint32_t> sum(static_cast<std::size_t>(plane * batch.count)), square(sum.size());
  std::vector<LevelImage> list;
  std::vector<Size> sizes;
  std::vector<DeviceIntegral::Place> places;
  for (int i = 0; i < batch.count; ++i) {
    list.push_back({static_cast<std::int64_t>(i) * batch.width * batch.height, batch.width, batch.height,
                    batch.width, 0});
    sizes.push_back({batch.width, batch.height});
    places.push_back({i * plane, stride, stride});
  }
  DeviceBuffer<LevelImage> images;
  upload(std::span<const LevelImage>(list), images);
  const PyramidView view{nullptr, pictures.pixels(), images.data(), 0, 0};

  for (const bool with_square : {false, true}) {
    board.begin(name + (with_square ? ", sums and squares" : ", sums"),
                batch.pixels() + values * sizeof(std::uint32_t) * (with_square ? 2 : 1));
    // `enqueue(stream)` fills the planes.
    const auto measure = [&](const std::string& variant, auto enqueue) {
      spoil(sum, board.stream());
      spoil(square, board.stream());
      const double us = board.time_us(enqueue);
      Difference difference = board.compare(sum.data(), stride, true, pictures.sums(), batch);
      if (with_square)
        difference = Scoreboard::both(difference,
                                      board.compare(square.data(), stride, true, pictures.squares(), batch));
      board.report(variant, us, difference);
    };
    if (batch.width % 4 == 0) {
      board.report("no sums: pixels read, planes written", board.time_us([&](cudaStream_t on) {
        bench::no_sums(pictures.pixels(), batch, sum.data(), with_square ? square.data() : nullptr, stride,
                       on);
      }));
    }
    DeviceIntegral integral;
    integral.plan(sizes, places, with_square);
    measure("winnow, one pass",
            [&](cudaStream_t on) { integral.enqueue(view, 0, sum.data(), square.data(), on); });
    measure("plain passes: a warp a row, a thread a column", [&](cudaStream_t on) {
      bench::plain_passes(pictures.pixels(), batch, sum.data(), with_square ? square.data() : nullptr, stride,
                          on);
    });
    if (!npp.why_not().empty()) continue;
    const int bytes = static_cast<int>(stride) * 4;
    measure("npp, 32-bit integers", [&](cudaStream_t on) {
      for (int i = 0; i < batch.count; ++i) {
        const std::uint8_t* from = pictures.pixels() + list[static_cast<std::size_t>(i)].offset;
        auto* to = reinterpret_cast<std::int32_t*>(sum.data() + i * plane);
        if (with_square) {
          npp.integral(from, batch.width, to, bytes,
                       reinterpret_cast<std::int32_t*>(square.data() + i * plane), bytes, batch.width,
                       batch.height, on);
        } else {
          npp.integral(from, batch.width, to, bytes, batch.width, batch.height, on);
        }
      }
    });
  }
  if (!npp.why_not().empty()) return;
  DeviceBuffer<double> squares(sum.size());
  board.begin(name + ", sums and squares in double", batch.pixels() + values * 12);
  spoil(sum, board.stream());
  spoil(squares, board.stream());
  const double us = board.time_us([&](cudaStream_t on) {
    for (int i = 0; i < batch.count; ++i)
      npp.integral(pictures.pixels() + list[static_cast<std::size_t>(i)].offset, batch.width,
                   reinterpret_cast<std::int32_t*>(sum.data() + i * plane), static_cast<int>(stride) * 4,
                   squares.data() + i * plane, static_cast<int>(stride) * 8, batch.width, batch.height, on);
  });
  board.report("npp, squares in double", us,
               Scoreboard::both(board.compare(sum.data(), stride, true, pictures.sums(), batch),
                                board.compare(squares.data(), stride, true, pictures.squares(), batch)));
}

template <class T>
void time_transposes(Scoreboard& board, const Pictures& pictures, const std::string& name, const char* type) {
  const Batch& batch = pictures.batch();
  DeviceBuffer<T> a(batch.pixels()), b(batch.pixels());
  board.begin(name + ", sums in " + type, batch.pixels() * (1 + sizeof(T)));
  for (const Named& paper : kPaperScans) {
    spoil(a, board.stream());
    spoil(b, board.stream());
    const T* sums = nullptr;
    const double us = board.time_us([&](cudaStream_t on) {
      sums = bench::integral_by_transposes(paper.scan, pictures.pixels(), batch, a.data(), b.data(), on);
    });
    board.report(std::string("rows, transpose, rows, transpose: ") + paper.name, us,
                 board.compare(sums, batch.width, false, pictures.sums(), batch));
  }
}

void time_integrals(Scoreboard& board, const Batch& batch, const bench::Npp& npp) {
  const std::string name = "integral " + std::to_string(batch.count) + " x " + std::to_string(batch.width) +
                           "x" + std::to_string(batch.height);
  const Pictures pictures(batch);
  time_integrals_of_planes(board, pictures, npp, name);
  time_transposes<std::uint32_t>(board, pictures, name, "u32");
  time_transposes<float>(board, pictures, name, "float");
  time_transposes<double>(board, pictures, name, "double");
}

template <class T>
std::vector<T> from_device(const T* values, std::size_t count) {
  std::vector<T> list(count);
  check_cuda(cudaMemcpy(list.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost), "copying");
  return list;
}

template <class T>
Count differing(const std::vector<T>& wanted, const DeviceBuffer<T>& got) {
  const std::vector<T> list = from_device(got.data(), wanted.size());
  Count wrong = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) wrong += list[i] != wanted[i] ? 1 : 0;
  return wrong;
}

// Times `call(work, bytes, stream)`. As CUB requires, the first call only asks for the bytes of `work`.
template <class Call>
double time_cub(Scoreboard& board, Call call) {
  std::size_t bytes = 0;
  check_cuda(call(nullptr, bytes, board.stream()), "planning");
  DeviceBuffer<std::byte> work(std::max<std::size_t>(bytes, 1));
  return board.time_us([&](cudaStream_t on) { check_cuda(call(work.data(), bytes, on), "launching"); });
}

std::vector<std::uint32_t> random_numbers(std::size_t count) {
  std::mt19937 random(2);
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t& n : numbers) n = static_cast<std::uint32_t>(random());
  return numbers;
}

void time_reductions(Scoreboard& board, std::size_t count) {
  const std::vector<std::uint32_t> numbers = random_numbers(count);
  const std::string of = " of " + std::to_string(count) + " u32";
  DeviceBuffer<std::uint32_t> in;
  upload(std::span<const std::uint32_t>(numbers), in);
  const std::span<const std::uint32_t> list(in.data(), count);
  DeviceReduce reduce;
  reduce.plan(count);

  board.begin("sum" + of, count * 4);
  DeviceBuffer<std::uint64_t> sum(1);
  spoil(sum, board.stream());
  double us = board.time_us([&](cudaStream_t on) { reduce.enqueue_sum(list, sum.data(), on); });
  board.report("winnow, in 64 bits", us, differing({sum_ref(numbers)}, sum));
  DeviceBuffer<std::uint32_t> short_sum(1);
  spoil(short_sum, board.stream());
  us = time_cub(board, [&](void* work, std::size_t& bytes, cudaStream_t on) {
    return cub::DeviceReduce::Sum(work, bytes, in.data(), short_sum.data(), static_cast<int>(count), on);
  });
  board.report("cub, in 32 bits", us, differing({static_cast<std::uint32_t>(sum_ref(numbers))}, short_sum));

  board.begin("extremes" + of, count * 4);
  DeviceBuffer<Extremes> extremes(1);
  spoil(extremes, board.stream());
  us = board.time_us([&](cudaStream_t on) { reduce.enqueue_extremes(list, extremes.data(), on); });
  board.report("winnow", us, differing({extremes_ref(numbers)}, extremes));
}

void time_scans(Scoreboard& board, std::size_t count) {
  const std::vector<std::uint32_t> numbers = random_numbers(count);
  std::vector<std::uint32_t> wanted(count);
  std::exclusive_scan(numbers.begin(), numbers.end(), wanted.begin(), 0u);
  DeviceBuffer<std::uint32_t> in, out(count), total(1), sums(bench::sums_of_blocks(count) + 1);
  upload(std::span<const std::uint32_t>(numbers), in);
  board.begin("exclusive scan of " + std::to_string(count) + " u32", count * 8);
  const auto measure = [&](const std::string& variant, auto time) {
    spoil(out, board.stream());
    const double us = time();
    board.report(variant, us, differing(wanted, out));
  };
  DeviceScan scan;
  scan.plan(count);
  for (const bool with_total : {false, true}) {
    measure(with_total ? "winnow, with the total" : "winnow", [&] {
      return board.time_us([&](cudaStream_t on) {
        scan.enqueue_exclusive({in.data(), count}, {out.data(), count}, with_total ? total.data() : nullptr,
                               on);
      });
    });
  }
  measure("cub", [&] {
    return time_cub(board, [&](void* work, std::size_t& bytes, cudaStream_t on) {
      return cub::DeviceScan::ExclusiveSum(work, bytes, in.data(), out.data(), static_cast<int>(count), on);
    });
  });
  for (const Named& paper : kPaperScans) {
    if (paper.scan == PaperScan::kKoggeStoneGlobal) continue;
    measure(std::string("three phases: ") + paper.name, [&] {
      return board.time_us([&](cudaStream_t on) {
        bench::exclusive_scan(paper.scan, in.data(), out.data(), count, sums.data(), on);
      });
    });
  }
}

// Times CUB's compaction in its plain form, with one byte per flag.
template <class T>
void time_cub_compaction(Scoreboard& board, const char* name, const std::vector<T>& values,
                         const std::vector<std::uint8_t>& flags) {
  std::vector<T> living;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (flags[i] != 0) living.push_back(values[i]);
  DeviceBuffer<T> in, out(values.size());
  DeviceBuffer<std::uint8_t> flags_on_device;
  DeviceBuffer<std::uint32_t> kept(1);
  upload(std::span<const T>(values), in);
  upload(std::span<const std::uint8_t>(flags), flags_on_device);
  board.begin("compaction of " + std::to_string(values.size()) + " " + name + ", half of them living",
              values.size() * (sizeof(T) + 1) + living.size() * sizeof(T));
  spoil(out, board.stream());
  const double us = time_cub(board, [&](void* work, std::size_t& bytes, cudaStream_t on) {
    return cub::DeviceSelect::Flagged(work, bytes, in.data(), flags_on_device.data(), out.data(), kept.data(),
                                      static_cast<std::int64_t>(values.size()), on);
  });
  board.report("cub, a byte a flag", us,
               differing(living, out) + differing({static_cast<std::uint32_t>(living.size())}, kept));
}

void time_compactions(Scoreboard& board, std::size_t count) {
  const std::vector<std::uint32_t> dice = random_numbers(count);
  std::vector<std::int64_t> windows(count), living;
  std::vector<std::uint64_t> mask(count / 64 + 1);
  std::vector<std::uint8_t> flags(count);
  std::iota(windows.begin(), windows.end(), std::int64_t{7});
  for (std::size_t i = 0; i < count; ++i) {
    flags[i] = static_cast<std::uint8_t>(dice[i] >> 9 & 1);
    mask[i / 64] |= std::uint64_t{flags[i]} << (i % 64);
    if (flags[i] != 0) living.push_back(windows[i]);
  }
  DeviceBuffer<std::int64_t> in, out(count);
  DeviceBuffer<std::uint64_t> mask_on_device, kept(1);
  upload(std::span<const std::int64_t>(windows), in);
  upload(std::span<const std::uint64_t>(mask), mask_on_device);
  DeviceCompact compact;
  compact.plan(count);
  board.begin("compaction of " + std::to_string(count) + " windows, half of them living",
              count * 8 + count / 8 + living.size() * 8);
  spoil(out, board.stream());
  const double us = board.time_us([&](cudaStream_t on) {
    compact.enqueue({in.data(), count}, {mask_on_device.data(), mask.size()}, {out.data(), count},
                    kept.data(), on);
  });
  board.report("winnow, a bit a flag", us,
               differing(living, out) + differing({std::uint64_t{living.size()}}, kept));
  time_cub_compaction<std::int64_t>(board, "i64", windows, flags);
  time_cub_compaction<std::uint32_t>(board, "u32", dice, flags);
}

void print_machine(const bench::Npp& npp) {
  nlohmann::ordered_json report;
  report["machine"] = machine_card();
  for (const CudaDeviceInfo& device : cuda_devices())
    if (device.number == 0) report["device"] = device.name;
  int runtime = 0;
  check_cuda(cudaRuntimeGetVersion(&runtime), "asking for a version");
  report["cuda_runtime"] = runtime;
  report["cub"] = CUB_VERSION;
  report["npp"] = npp.why_not().empty() ? npp.version() : "not here: " + npp.why_not();
  std::printf("%s\n", report.dump().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  int repeat = 20;
  std::size_t count = 10'000'000;
  bool large = false;
  CLI::App app("Times integral planes, reductions, scans and compactions on a device.");
  app.add_option("--repeat", repeat, "runs of each variant")->check(CLI::PositiveNumber);
  app.add_option("--count", count, "numbers to reduce, scan and compact")->check(CLI::Range(1, 1 << 30));
  app.add_flag("--large", large, "16384x16384, too (16 GB of device memory)");
  CLI11_PARSE(app, argc, argv);
  try {
    require_cuda_device(0);
    const bench::Npp npp;
    print_machine(npp);
    Scoreboard board(repeat);
    board.measure_copy();
    time_integrals(board, {4096, 4096, 1}, npp);
    time_integrals(board, {640, 480, 64}, npp);
    time_integrals(board, {640, 480, 512}, npp);
    if (large) time_integrals(board, {16384, 16384, 1}, npp);
    time_reductions(board, count);
    time_scans(board, count);
    time_compactions(board, count);
    return board.all_right() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_scans_cuda: %s\n", error.what());
    return 1;
  }
}
