#include "scale/frames/frame_batch_cuda.h"

#include <algorithm>
#include <cstring>

#include <winnow/error.h>

#include "base/device/cuda_range.h"
#include "scale/frames/border_frames_cuda.h"
#include "scale/frames/color_planes_cuda.h"
#include "scale/frames/pinned_picture_cuda.h"

namespace winnow {

namespace {

// Gives the bytes of a picture that are copied to the device: grey rows, or rows of colours.
GrayView bytes_of_picture(const PictureView& picture, int channels) {
  if (channels == 1) return picture.gray;
  static_assert(sizeof(Rgb) == 3);
  return {reinterpret_cast<const std::uint8_t*>(picture.color.data), picture.color.width * channels,
          picture.color.height, picture.color.stride};
}

}  // namespace

std::size_t FrameBatch::pixels_of(int channels) {
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    if (pixels_[i].channels == channels) return i;
  }
  pixels_.push_back({channels, {}, {}});
  return pixels_.size() - 1;
}

void FrameBatch::plan(Size picture, std::span<const FrameWish> wishes, int frames) {
  const CudaRange range("winnow: plan frames");
  if (flies_) wait();  // only then: tables for the next batch may be on their way already
  ++planned_;
  graphs_.clear();
  picture_ = picture;
  margin_ = wishes.empty() ? 0 : wishes.front().form.margin;
  // Lists the forms of frames in the order in which the wishes first name them. A form that the previous
  // plan had, too, keeps its buffers.
  std::vector<Frames> before = std::exchange(frames_, {});
  places_.clear();
  std::vector<std::vector<const LevelPlan*>> plans;  // the plans of each form
  for (const FrameWish& wish : wishes) {
    auto at = std::find_if(frames_.begin(), frames_.end(),
                           [&](const Frames& known) { return known.form == wish.form; });
    if (at == frames_.end()) {
      const auto old = std::find_if(before.begin(), before.end(), [&](const Frames& known) {
        return known.form.planes == wish.form.planes && known.form.table == wish.form.table;
      });
      frames_.push_back(old != before.end() ? std::move(*old) : Frames{wish.form, 0, false, {}, {}});
      frames_.back().form = wish.form;
      plans.emplace_back();
      at = frames_.end() - 1;
    }
    const auto form = static_cast<std::size_t>(at - frames_.begin());
    places_.push_back({form, std::nullopt});
    if (wish.plan == nullptr) continue;
    places_.back().plan = plans[form].size();
    plans[form].push_back(wish.plan);
  }
  std::erase_if(pixels_, [&](const Pixels& pixels) {
    return std::none_of(frames_.begin(), frames_.end(),
                        [&](const Frames& each) { return each.form.planes == pixels.channels; });
  });
  const auto count = static_cast<std::size_t>(frames);
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    Frames& each = frames_[i];
    const int planes = each.form.planes;
    each.from = pixels_of(planes);
    // A table may overwrite the pixels if no other form needs them.
    each.in_place =
        planes == 1 && margin_ == 0 &&
        (!each.form.table || std::count_if(frames_.begin(), frames_.end(),
                                           [](const Frames& other) { return other.form.planes == 1; }) == 1);
    if (!each.in_place)
      each.own.reserve(static_cast<std::size_t>(frame_bytes(picture)) * count *
                       static_cast<std::size_t>(planes));
    each.pyramid.plan(picture, plans[i], frames * planes);
  }
  for (Pixels& pixels : pixels_) {
    // New memory is cleared once, so that the padding behind rows has values. Which ones does not matter.
    const std::size_t all = bytes_of(pixels.channels) * count;
    if (pixels.staging.reserve(all)) std::memset(pixels.staging.data(), 0, pixels.staging.size());
    if (pixels.there.reserve(all))
      check_cuda(cudaMemsetAsync(pixels.there.data(), 0, pixels.there.size(), stream_), "clearing frames");
  }
}

// Returns true if the pictures are staged for `enqueue`, and false if their copies to the device have begun.
bool FrameBatch::upload(std::span<const PictureView> pictures, PictureSource source) {
  cudaStream_t stream = stream_;
  if (source.on_device()) {
    const CudaRange range("winnow: copy pictures on the device");
    if (!written_) written_ = make_event();
    // The caller's stream may be the default stream, whose handle is null.
    check_cuda(cudaEventRecord(written_.get(), static_cast<cudaStream_t>(source.stream)),
               "recording an event");
    check_cuda(cudaStreamWaitEvent(stream, written_.get()), "waiting for pictures on the device");
    for (const Pixels& pixels : pixels_) {
      for (std::size_t i = 0; i < pictures.size(); ++i)
        copy_on_device(pictures[i].gray, pixels.there.data() + i * bytes_of(pixels.channels), stream);
    }
    return false;
  }
  const auto is_pinned = [&](const PictureView& picture) {
    return std::all_of(pixels_.begin(), pixels_.end(), [&](const Pixels& pixels) {
      return lies_pinned(bytes_of_picture(picture, pixels.channels));
    });
  };
  const bool pinned = std::all_of(pictures.begin(), pictures.end(), is_pinned);
  const CudaRange range(pinned ? "winnow: copy pinned pictures" : "winnow: stage pictures");
  for (const Pixels& pixels : pixels_) {
    rows_.clear();
    for (const PictureView& picture : pictures)
      rows_.emplace_back(bytes_of_picture(picture, pixels.channels));
    if (pinned) {
      for (std::size_t i = 0; i < rows_.size(); ++i)
        copy_pinned(rows_[i].gray, {0, rows_[i].gray.height},
                    pixels.there.data() + i * bytes_of(pixels.channels), stream);
    } else {
      stager_.stage(rows_, pixels.staging.data());
    }
  }
  return !pinned;
}

// Uploads the pictures if they are staged, makes the frames' levels, and runs the steps.
void FrameBatch::enqueue(bool staged, int frames) const {
  cudaStream_t stream = stream_;
  for (const Pixels& pixels : pixels_) {
    if (!staged) break;
    check_cuda(cudaMemcpyAsync(pixels.there.data(), pixels.staging.data(),
                               bytes_of(pixels.channels) * static_cast<std::size_t>(frames),
                               cudaMemcpyHostToDevice, stream),
               "copying frames to the device");
  }
  for (const Frames& each : frames_) {
    const int planes = each.form.planes;
    const std::int64_t bytes = frame_bytes(picture_) * frames * planes;
    std::uint8_t* memory = memory_of(each);
    if (margin_ > 0) {
      add_borders(pixels_[each.from].there.data(), inside(), planes, margin_, frames, memory, stream);
    } else if (planes > 1) {
      split_colors(pixels_[each.from].there.data(), picture_, frames, memory, stream);
    } else if (!each.in_place) {
      check_cuda(cudaMemcpyAsync(memory, pixels_[each.from].there.data(), static_cast<std::size_t>(bytes),
                                 cudaMemcpyDeviceToDevice, stream),
                 "copying frames on the device");
    }
    if (each.form.table) replace_pixels(*each.form.table, memory, bytes, stream);
    each.pyramid.enqueue(memory, frames * planes, stream);
  }
  for (const auto& step : steps_) step->enqueue(*this, frames, stream);
}

FrameBatch::Graph& FrameBatch::graph_of(bool staged, int frames) {
  for (Graph& graph : graphs_) {
    if (graph.staged == staged && graph.frames == frames) return graph;
  }
  graphs_.push_back({staged, frames, {}, {}});
  return graphs_.back();
}

void FrameBatch::start(std::span<const PictureView> pictures, PictureSource source, int frames) {
  const bool staged = upload(pictures, source);
  const CudaRange range("winnow: start batch");
  flies_ = true;
  launch(staged, frames);
  if (done_) check_cuda(cudaEventRecord(done_.get(), stream_), "recording an event");
}

void FrameBatch::launch(bool staged, int frames) {
  versions_.assign(1, planned_);
  for (const auto& step : steps_) versions_.push_back(step->version());
  Graph& graph = graph_of(staged, frames);
  if (graph.versions != versions_) {
    // The first batch of a kind runs without a graph. If pictures have many sizes, a second batch of this
    // kind may never come, and a graph would cost more than it saves.
    graph.versions = versions_;
    graph.captured = {};
    return enqueue(staged, frames);
  }
  if (!graph.captured) {
    const CudaRange making("winnow: make graph");
    graph.captured = capture_graph(stream_, [&](cudaStream_t) { enqueue(staged, frames); });
  }
  check_cuda(cudaGraphLaunch(graph.captured.get(), stream_), "starting a batch");
}

void FrameBatch::wait() const {
  const CudaRange range("winnow: wait for batch");
  check_cuda(done_ ? cudaEventSynchronize(done_.get()) : cudaStreamSynchronize(stream_), "searching a batch");
  flies_ = false;
}

PyramidView FrameBatch::view(std::size_t wish) const {
  const Place& place = places_[wish];
  const Frames& frames = frames_[place.frames];
  PyramidView view{memory_of(frames), nullptr, nullptr, frame_bytes(picture_), 0};
  if (place.plan) view = frames.pyramid.view(memory_of(frames), *place.plan);
  view.planes = frames.form.planes;
  return view;
}

}  // namespace winnow
