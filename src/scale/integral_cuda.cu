#include "scale/integral_cuda.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <winnow/error.h>

#include "base/device/cuda_uploads.h"
#include "base/device/warp_cuda.cuh"
#include "scale/look_back_cuda.cuh"

namespace winnow {
namespace {

// The rows that a warp takes, and the blocks that a multiprocessor runs at once.
struct TileForm {
  int rows, blocks;
};

// A block of threads makes one tile of kWide columns. Its warps take rows one below the other, and a lane
// makes four columns of its warp's rows. A line of a tile is a column or a row. Lines 0 to
// kWide - 1 are the columns; the rows follow. Each thread takes one line.
constexpr int kWide = 128, kWarps = 8, kThreads = 32 * kWarps, kLines = kThreads;
constexpr int kStrips = kWide / 32;  // the number of strips of 32 columns in a tile
// The number of values in a memory sector. If a row's last value begins a sector that is not filled, the
// write also costs a read. Sums and squares of 512 pictures of 640x480 take 508 us with filled sectors, and
// 575 us without.
constexpr int kSector = 32 / sizeof(std::uint32_t);
static_assert(kWide == 4 * 32);
// Blocks run in rounds, and a round takes the time in which its blocks move their bytes. Tiles of 15 rows a
// warp suit heights that are multiples of 120 but not of 128 (480, 720, 1080). Five blocks per multiprocessor
// suit lists of pictures whose last round with four blocks would be nearly empty.
constexpr std::array<TileForm, 4> kForms{{{16, 4}, {15, 4}, {16, 5}, {15, 5}}};
static_assert(std::all_of(kForms.begin(), kForms.end(),
                          [](TileForm form) { return kWide + form.rows * kWarps <= kLines; }));
// Threads that a multiprocessor holds: 1,024 in compute capability 7.5, 1,536 in 8.6, 8.7, 8.9 and 12.0.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kProcessorThreads = 1024;
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
constexpr int kProcessorThreads = 1536;
#else
constexpr int kProcessorThreads = 2048;
#endif

struct TilesJob {
  PyramidView pictures;
  std::int32_t frame;
  std::uint32_t tile_count;
  const DeviceIntegral::Tile* tiles;  // all tiles, picture by picture and row by row
  const DeviceIntegral::Grid* grids;
  Word *tickets, *lines, *corners;  // one counter; kLines and kStrips words per tile and plane
  std::uint32_t* planes[2];
};

// Returns `to` plus the bytes of `word` that `mask` keeps, or plus their squares for channel 1.
__device__ std::uint32_t add_bytes(int channel, std::uint32_t word, std::uint32_t mask, std::uint32_t to) {
  return channel == 0 ? __dp4a(word, mask & 0x01010101u, to) : __dp4a(word & mask, word, to);
}

// Transposes 4 x 4 bytes: four words that each hold a row become four words that each hold a column.
__device__ void transpose(const std::uint32_t* rows, std::uint32_t (&columns)[4]) {
  const std::uint32_t a = __byte_perm(rows[0], rows[1], 0x5140), b = __byte_perm(rows[0], rows[1], 0x7362);
  const std::uint32_t c = __byte_perm(rows[2], rows[3], 0x5140), d = __byte_perm(rows[2], rows[3], 0x7362);
  columns[0] = __byte_perm(a, c, 0x5410);
  columns[1] = __byte_perm(a, c, 0x7632);
  columns[2] = __byte_perm(b, d, 0x5410);
  columns[3] = __byte_perm(b, d, 0x7632);
}

// The sum of the values of all lanes up to this lane. The shuffle's own predicate says whether there is a
// lane to the left, which saves a selection per step.
__device__ std::uint32_t sum_up_to_lane(std::uint32_t value) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    asm volatile(
        "{ .reg .pred there; .reg .u32 before; shfl.sync.up.b32 before|there, %0, %1, 0, -1; "
        "@there add.u32 %0, %0, before; }"
        : "+r"(value)
        : "r"(step));
  }
  return value;
}

__device__ uint4 four(const std::uint32_t* at) { return *reinterpret_cast<const uint4*>(at); }

// Decoupled look-back in two directions. A value of a plane is the sum of four areas: within the tile,
// straight above it, straight to the left of it, and both above and to the left. A tile publishes the sums of
// its own columns and rows before it reads the sums of other tiles. A tile reads only tiles with earlier
// tickets. These have started, and they publish before they wait. So no tile waits forever.
template <int kChannels, int kForm>
__global__ void __launch_bounds__(kThreads, std::min(kForms[kForm].blocks, kProcessorThreads / kThreads))
    tiles_kernel(const __grid_constant__ TilesJob job) {
  constexpr int kRows = kForms[kForm].rows, kTall = kRows * kWarps, kPaddedRows = (kRows + 3) / 4 * 4;
  __shared__ std::uint32_t ticket, ticket_run;
  __shared__ __align__(16) std::uint32_t columns[kChannels][kWarps][kWide];  // sums over each warp's rows
  __shared__ __align__(16) std::uint32_t lines[kChannels][kLines];
  __shared__ __align__(16) std::uint32_t corners[kChannels][kStrips];
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;

  // The counter is never reset. Divided by the number of tiles, a ticket gives the number of the run, so a
  // launch need not clear anything.
  if (thread == 0) {
    const Word number = atomicAdd(job.tickets, Word{1}), run = number / job.tile_count;
    ticket = static_cast<std::uint32_t>(number - run * job.tile_count);
    ticket_run = 2 * static_cast<std::uint32_t>(run + 1);
  }
  __syncthreads();
  const std::uint32_t number = ticket, run = ticket_run;
  const DeviceIntegral::Tile tile = job.tiles[number];
  const DeviceIntegral::Grid grid = job.grids[tile.picture];
  const LevelImage image = job.pictures.images[tile.picture];
  const int x = static_cast<int>(tile.column) * kWide + 4 * lane;
  const int y = static_cast<int>(tile.row) * kTall + warp * kRows;

  std::uint32_t pixels[kPaddedRows];
  const int inside = image.width - x, rows_inside = inside > 0 ? image.height - y : 0;
  const std::uint32_t mask = inside >= 4 ? ~0u : inside > 0 ? (1u << (8 * inside)) - 1 : 0;
  const std::uint8_t* from =
      job.pictures.pixels(job.frame, image) + static_cast<std::int64_t>(y) * image.pitch + x;
#pragma unroll
  for (int i = 0; i < kRows; ++i, from += image.pitch)
    pixels[i] = i < rows_inside ? __ldcs(reinterpret_cast<const std::uint32_t*>(from)) : 0;
#pragma unroll
  for (int i = 0; i < kPaddedRows; ++i) pixels[i] = i < kRows ? pixels[i] & mask : 0;

  std::uint32_t own_columns[kChannels][4] = {}, own_row[kChannels] = {};
#pragma unroll
  for (int i = 0; i < kPaddedRows; i += 4) {
    std::uint32_t transposed[4];
    transpose(pixels + i, transposed);
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
#pragma unroll
      for (int k = 0; k < 4; ++k) own_columns[c][k] = add_bytes(c, transposed[k], ~0u, own_columns[c][k]);
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      const std::uint32_t row = warp_sum(add_bytes(c, pixels[i], ~0u, 0));
      if (lane == i) own_row[c] = row;
    }
  }
#pragma unroll
  for (int c = 0; c < kChannels; ++c) {
    *reinterpret_cast<uint4*>(&columns[c][warp][4 * lane]) =
        make_uint4(own_columns[c][0], own_columns[c][1], own_columns[c][2], own_columns[c][3]);
    if (lane < kRows) lines[c][kWide + warp * kRows + lane] = own_row[c];
  }
  __syncthreads();

  {
    // Threads behind the last row have no line. They still run, since a warp's sums need all of its lanes.
    const bool is_column = thread < kWide, is_line = thread < kWide + kTall;
    Sums<kChannels> own;
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      own.of[c] = 0;
      if (is_column) {  // each warp's place then holds the sum over the warps above it
#pragma unroll
        for (int w = 0; w < kWarps; ++w) {
          const std::uint32_t here = columns[c][w][thread];
          columns[c][w][thread] = own.of[c];
          own.of[c] += here;
        }
      } else {
        own.of[c] = is_line ? lines[c][thread] : 0;
      }
    }
    const std::uint32_t before = is_column ? tile.row : is_line ? tile.column : 0;
    const bool last = !is_line || before + 1 == (is_column ? grid.rows : grid.columns);
    const std::int64_t distance = is_column ? grid.columns : 1;
    Word* at = job.lines + (static_cast<std::int64_t>(number) * kLines + thread) * kChannels;
    if (!last) publish(at, own, run + (before == 0 ? kAll : kTile));
    // Sums of strips of 32 columns are published in the same way as sums of lines. The area above and to
    // the left of a tile consists of all strips of the tiles that lie both above it and to the left.
    Word* strip = job.corners + (static_cast<std::int64_t>(number) * kStrips + warp) * kChannels;
    const bool publishes_strip = is_column && !last && tile.column + 1 < grid.columns;
    if (publishes_strip) publish_sum(strip, own, run + (before == 0 ? kAll : kTile));
    const Sums<kChannels> outside = look_back<kChannels>(at, distance * kLines * kChannels, before, run);
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      lines[c][thread] = outside.of[c];
      own.of[c] += outside.of[c];
    }
    if (!last && before > 0) {
      publish(at, own, run + kAll);
      if (publishes_strip) publish_sum(strip, own, run + kAll);
    }
    if (!is_column) {
      Sums<kChannels> corner{};
      const Word* first = job.corners + static_cast<std::int64_t>(number - tile.column) * kStrips * kChannels;
      for (std::uint32_t i = static_cast<std::uint32_t>(thread) - kWide; i < tile.column * kStrips;
           i += kThreads - kWide) {
        const Sums<kChannels> down = look_back<kChannels>(
            first + i * kChannels, static_cast<std::int64_t>(grid.columns) * kStrips * kChannels, tile.row,
            run);
#pragma unroll
        for (int c = 0; c < kChannels; ++c) corner.of[c] += down.of[c];
      }
      __syncwarp();
#pragma unroll
      for (int c = 0; c < kChannels; ++c) {
        corner.of[c] = warp_sum(corner.of[c]);
        if (lane == 0) corners[c][warp - kWide / 32] = corner.of[c];
      }
    }
  }
  __syncthreads();

  const int rows = image.height + 1 - y;  // rows of the planes from this warp's first row on
  if (rows <= 0) return;
  std::uint32_t values[kChannels][5];  // a row: the lane's four values, and the first value of the next lane
#pragma unroll
  for (int c = 0; c < kChannels; ++c) {
    const uint4 above = four(&lines[c][4 * lane]), here = four(&columns[c][warp][4 * lane]);
    const uint4 corner = four(corners[c]);
    const std::uint32_t sums[4] = {above.x + here.x, above.y + here.y, above.z + here.z, above.w + here.w};
    const std::uint32_t all = sums[0] + sums[1] + sums[2] + sums[3];
    std::uint32_t left = 0;  // this lane's part of the sum left of the tile, above this warp's rows
    if (const int above_here = warp * kRows - 4 * lane; above_here > 0) {
      const uint4 rows_above = four(&lines[c][kWide + 4 * lane]);
      left = rows_above.x + (above_here > 1 ? rows_above.y : 0) + (above_here > 2 ? rows_above.z : 0) +
             (above_here > 3 ? rows_above.w : 0);
    }
    values[c][0] = sum_up_to_lane(all) - all + warp_sum(left) + corner.x + corner.y + corner.z + corner.w;
#pragma unroll
    for (int k = 0; k < 4; ++k) values[c][k + 1] = values[c][k] + sums[k];
  }

  // A plane has one column and one row more than the picture, and perhaps padding. The tiles at the right and
  // lower edge write these values.
  const std::int64_t first = grid.place.first + y * grid.place.stride + x;
  std::uint32_t* to[kChannels];
  bool aligned = grid.place.stride % 4 == 0;
#pragma unroll
  for (int c = 0; c < kChannels; ++c) {
    to[c] = job.planes[c] + first;
    aligned = aligned && reinterpret_cast<std::uintptr_t>(to[c]) % 16 == 0;
  }
  const int room = (aligned ? grid.values : image.width + 1) - x;  // columns from this lane's first column on
  const bool whole = aligned && room >= 4;
  const bool ends_here = lane == 31 && image.width == x + 4;
  const bool one_more = ends_here && room == 5, sector_more = ends_here && room == 4 + kSector;
  const auto store = [&](int c) {
    if (whole) {
      __stcs(reinterpret_cast<uint4*>(to[c]),
             make_uint4(values[c][0], values[c][1], values[c][2], values[c][3]));
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (k < room) to[c][k] = values[c][k];
      }
    }
    const std::uint32_t end = values[c][4];
    if (one_more) to[c][4] = end;
    if (sector_more) {
      __stcs(reinterpret_cast<uint4*>(to[c] + 4), make_uint4(end, end, end, end));
      __stcs(reinterpret_cast<uint4*>(to[c] + 8), make_uint4(end, end, end, end));
    }
    to[c] += grid.place.stride;
  };
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    if (i == rows) return;
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      store(c);
      const std::uint32_t all = add_bytes(c, pixels[i], ~0u, 0), up_to = sum_up_to_lane(all);
      const std::uint32_t left = lines[c][kWide + warp * kRows + i];
#pragma unroll
      for (int k = 0; k < 4; ++k)
        values[c][k] = add_bytes(c, pixels[i], (1u << (8 * k)) - 1, values[c][k] + up_to - all + left);
      values[c][4] += up_to + left;
    }
  }
  if (warp == kWarps - 1 && rows == kRows + 1) {
#pragma unroll
    for (int c = 0; c < kChannels; ++c) store(c);
  }
}

std::uint32_t tiles_for(int pixels, int side) {
  return static_cast<std::uint32_t>(std::max((pixels + side - 1) / side, 1));
}

std::uint32_t tiles_down(int height, TileForm form) { return tiles_for(height, form.rows * kWarps); }

// Returns the form whose rounds move the fewest bytes.
int best_form(std::span<const Size> sizes) {
  const int processors = current_processors(), most_blocks = device_room().processor_threads / kThreads;
  const auto cost = [&](TileForm form) {
    form.blocks = std::min(form.blocks, most_blocks);
    std::int64_t tiles = 0;
    for (const Size size : sizes)
      tiles += std::int64_t{tiles_for(size.width, kWide)} * tiles_down(size.height, form);
    const std::int64_t round = std::int64_t{processors} * form.blocks;
    // Five blocks per multiprocessor are up to a twentieth slower if there are many rounds.
    return (tiles + round - 1) / round * form.blocks * form.rows * (form.blocks == 5 ? 21 : 20);
  };
  const auto best = std::min_element(kForms.begin(), kForms.end(),
                                     [&](TileForm a, TileForm b) { return cost(a) < cost(b); });
  return static_cast<int>(best - kForms.begin());
}

template <int kChannels>
auto kernel_of(int form) {
  constexpr void (*kKernels[])(TilesJob) = {tiles_kernel<kChannels, 0>, tiles_kernel<kChannels, 1>,
                                            tiles_kernel<kChannels, 2>, tiles_kernel<kChannels, 3>};
  static_assert(std::size(kKernels) == kForms.size());
  return kKernels[form];
}

}  // namespace

void DeviceIntegral::plan(std::span<const Size> sizes, std::span<const Place> places, bool square) {
  if (sizes.size() != places.size())
    throw Error(ErrorCode::kUsage, "each picture needs a place for its planes");
  form_ = best_form(sizes);
  const TileForm form = kForms[static_cast<std::size_t>(form_)];
  std::vector<Tile> tiles;
  std::vector<Grid> grids;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t own = sizes[i].width + 1, sectors = (own + kSector - 1) / kSector * kSector;
    const std::int64_t values = sectors <= places[i].room ? sectors : own;
    const Grid grid{places[i], tiles_for(sizes[i].width, kWide), tiles_down(sizes[i].height, form),
                    static_cast<std::int32_t>(values)};
    grids.push_back(grid);
    for (std::uint32_t row = 0; row < grid.rows; ++row) {
      for (std::uint32_t column = 0; column < grid.columns; ++column)
        tiles.push_back({static_cast<std::uint32_t>(i), column, row});
    }
  }
  square_ = square;
  tile_count_ = static_cast<std::uint32_t>(tiles.size());
  upload(std::span<const Tile>(tiles), tiles_);
  upload(std::span<const Grid>(grids), grids_);
  words_.reserve(2 + tiles.size() * (kLines + kStrips) * (square ? 2 : 1));
  check_cuda(cudaMemsetAsync(words_.data(), 0, words_.size() * sizeof(Word), upload_stream()),
             "clearing tiles' words");
  end_uploads("clearing tiles' words");
}

void DeviceIntegral::enqueue(const PyramidView& pictures, int frame, std::uint32_t* sum,
                             std::uint32_t* square, cudaStream_t stream) const {
  if (tile_count_ == 0) return;
  Word* lines = words_.data() + 2;  // two words are read at once, so lines begin at a multiple of 16 bytes
  Word* corners = lines + static_cast<std::size_t>(tile_count_) * kLines * (square_ ? 2 : 1);
  const TilesJob job{pictures,      frame, tile_count_, tiles_.data(), grids_.data(),
                     words_.data(), lines, corners,     {sum, square}};
  const auto kernel = square_ ? kernel_of<2>(form_) : kernel_of<1>(form_);
  kernel<<<tile_count_, kThreads, 0, stream>>>(job);
  check_launch("launching the tiles of integral planes");
}

}  // namespace winnow
