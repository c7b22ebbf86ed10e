// A batch of pictures in flight on a device: frames with all their levels, and the steps that read them.
//
// In:     pictures of one size: in host memory (staged by a few threads), in pinned memory (copied from
//         there directly), or on the device.
// Out:    for each wish a `PyramidView`. When a batch of one kind comes a second time, its upload, levels and
//         steps become one graph.
// Exact:  frames are the grey views of the pictures, or the channels of their colour views in the order blue,
//         green, red; with a margin, mirrored at their edges (`image/border.h`); with a table, its values
//         instead of the pixels. Levels are as `DevicePyramid` makes them. The caller's pictures stay as they
//         are.
// Memory: the batch owns its memory, which `plan` allocates. `plan` does not keep the level plans, and makes
//         earlier views invalid. A step that `add` takes lives as long as the batch. `start` allocates
//         nothing but graphs. Staged pictures may be freed when `start` returns. Other pictures must stay
//         until `wait` returns.
// Thread: one thread at a time. The device on which the object was made must be current.
//
// Several models may search the same frames, which are uploaded once. Further steps read the objects that a
// search found. All steps run on the device:
//
//   FrameBatch batch;
//   auto& faces = batch.add(std::make_unique<DeviceSearch>(..., 0));   // on the levels of the first wish
//   auto& points = batch.add(std::make_unique<...>(faces));            // a step that reads faces.objects()
//   faces.plan(request, 1);
//   batch.plan(size, wishes, 1);
//   batch.start({&picture, 1}, {}, 1);                                 // returns at once
//   batch.wait();
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <winnow/image.h>

#include "base/device/cuda_device.h"
#include "base/device/cuda_memory.h"
#include "scale/frames/frame.h"
#include "scale/frames/pixel_table_cuda.h"
#include "scale/frames/stager.h"
#include "scale/pyramid_cuda.h"

namespace winnow {

class FrameBatch;

// Work on a batch's frames. A step runs after the frames' levels are made, and after all steps that were
// added before it.
class FrameStep {
 public:
  virtual ~FrameStep() = default;
  // Puts the work for the first `count` frames on the stream. Allocates nothing and does not wait, so that a
  // graph can hold it.
  virtual void enqueue(const FrameBatch& batch, int count, cudaStream_t stream) const = 0;
  // A number that changes whenever `enqueue` would put other work on the stream. The number never returns to
  // an earlier value.
  virtual std::uint64_t version() const = 0;
};

// How a frame is made from a picture.
struct FrameForm {
  int planes = 1;  // 1: the grey view; 3: the colour view, which pictures must then have in host memory
  std::optional<PixelTable> table = {};  // replaces the pixels before levels are made
  // The width of the mirrored border that the device adds to each picture. The size of the batch includes it.
  // All forms of a batch have the same margin.
  int margin = 0;
  bool operator==(const FrameForm&) const = default;
};

// Asks a batch for frames of a form, with the levels of a plan. Without a plan the batch makes no levels.
struct FrameWish {
  const LevelPlan* plan = nullptr;
  FrameForm form = {};
};

class FrameBatch {
 public:
  FrameBatch() : own_(make_stream()), stream_(own_.get()) {}
  // Uses a stream of the caller's, which must outlive this batch. Batches on one stream run one after the
  // other. So a step may use data that a step of the previous batch left (`kept_videos_cuda.h`).
  explicit FrameBatch(cudaStream_t stream) : stream_(stream), done_(make_event()) {}

  // Adds a step, before `plan` or between two batches. Steps run in the order in which they were added.
  template <class Step>
  Step& add(std::unique_ptr<Step> step) {
    Step& added = *step;
    steps_.push_back(std::move(step));
    return added;
  }

  // Allocates memory for `frames` frames and for the wishes. If two wishes of the same form have levels
  // of the same size, these levels are made once. Waits for the previous batch.
  void plan(Size picture, std::span<const FrameWish> wishes, int frames);

  // Starts the work on a batch of `frames` frames, the first of which are these pictures. All further frames
  // hold undefined pixels. Not checked: every picture has the planned size, less the margin of its form, there
  // are at most `frames` pictures, and no more frames than planned. The previous batch must have ended.
  void start(std::span<const PictureView> pictures, PictureSource source, int frames);
  // Waits for the batch that was started last, but not for later batches on the same stream.
  void wait() const;

  // The frames of a wish. They are valid for later work on the batch's stream, and after `wait` on any
  // stream.
  PyramidView view(std::size_t wish = 0) const;
  Size picture() const { return picture_; }
  cudaStream_t stream() const { return stream_; }

 private:
  // Pixels as they are copied to the device: grey rows, or rows of colours, without a border.
  struct Pixels {
    int channels = 1;
    PinnedBuffer<std::uint8_t> staging;
    DeviceBuffer<std::uint8_t> there;
  };
  struct Frames {
    FrameForm form;
    std::size_t from = 0;            // index of the copied pixels in `pixels_`
    bool in_place = false;           // the frames are the copied pixels themselves
    DeviceBuffer<std::uint8_t> own;  // the frames, if not in place
    DevicePyramid pyramid;
  };
  struct Place {
    std::size_t frames;               // the wish's index in `frames_`
    std::optional<std::size_t> plan;  // index among the plans of these frames; none without a plan
  };
  struct Graph {
    bool staged;
    int frames;
    std::vector<std::uint64_t> versions;  // `versions_` at the last batch of this kind
    CudaGraph captured;
  };

  std::size_t pixels_of(int channels);
  Size inside() const { return {picture_.width - 2 * margin_, picture_.height - 2 * margin_}; }
  std::size_t bytes_of(int channels) const {
    const Size size = inside();
    return static_cast<std::size_t>(frame_bytes({size.width * channels, size.height}));
  }
  std::uint8_t* memory_of(const Frames& frames) const {
    return frames.in_place ? pixels_[frames.from].there.data() : frames.own.data();
  }
  bool upload(std::span<const PictureView> pictures, PictureSource source);
  void enqueue(bool staged, int frames) const;
  void launch(bool staged, int frames);
  Graph& graph_of(bool staged, int frames);

  CudaStream own_;
  cudaStream_t stream_;
  CudaEvent done_;              // recorded at the end of a batch on the caller's stream
  mutable bool flies_ = false;  // a batch was started and not waited for
  Stager stager_;
  Size picture_;
  int margin_ = 0;             // the margin of all forms
  std::uint64_t planned_ = 0;  // the number of calls of `plan`
  std::vector<Pixels> pixels_;
  std::vector<Frames> frames_;
  std::vector<Place> places_;
  std::vector<std::unique_ptr<FrameStep>> steps_;
  std::vector<Graph> graphs_;
  std::vector<std::uint64_t> versions_;  // the number of the plan, then each step's version
  std::vector<PictureView> rows_;        // the batch's pictures, as bytes in rows
  CudaEvent written_;                    // recorded after the caller's work that writes pixels on the device
};

// Returns a batch's view with `frame` as its only frame.
inline PyramidView view_of_frame(PyramidView view, int frame) {
  view.frames += std::int64_t{frame} * view.planes * view.frame_bytes;
  view.levels += std::int64_t{frame} * view.planes * view.level_bytes;
  return view;
}

}  // namespace winnow
