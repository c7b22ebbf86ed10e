#include "pipeline/follow_devices_cuda.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "base/device/cuda_device.h"
#include "base/device/cuda_range.h"
#include "base/fan_out.h"
#include "pipeline/carry_step_cuda.h"
#include "pipeline/mark_step_cuda.h"
#include "pipeline/refit_step_cuda.h"
#include "scale/frames/frame_batch_cuda.h"
#include "scale/gaussian/kept_videos_cuda.h"

namespace winnow {
namespace {

// The most frames of a batch, a power of two. The frames of a call are cut into batches, so that the host
// stages one batch while a device works on another.
constexpr std::size_t kMostFrames = 16;
// The most batches on a device that are kept with their memory. kTurns batches of the same kind take turns.
constexpr std::size_t kMostFlights = 8;
constexpr std::size_t kTurns = 2;

// A batch of frames. Points are carried to each frame, the frame is kept, and points are fitted in the
// carried boxes. If `searches` is true, each frame is also searched, and points are marked in its objects.
// The fits in carried boxes then run beside the search.
class Flight {
 public:
  Flight(const DeviceKind& kind, const std::shared_ptr<const DeviceShapeProgram>& marks, bool searches,
         Size picture, std::size_t turn, cudaStream_t stream)
      : batch_(stream),
        carry_(batch_.add(std::make_unique<CarryStep>())),
        refit_(batch_.add(std::make_unique<RefitStep>(carry_, marks, kind.marks->place, searches))),
        searches_(searches),
        picture_(picture),
        turn_(turn) {
    if (!searches) return;
    search_ = &batch_.add(std::make_unique<DeviceSearch>(kind.make_sieve(), 0, ObjectsHome::kDevice));
    marked_ = &batch_.add(std::make_unique<MarkStep>(*search_, marks, kind.marks->place));
    batch_.add(std::make_unique<JoinStep>(refit_));
  }

  bool serves(bool searches, Size picture, std::size_t turn) const {
    return searches == searches_ && picture == picture_ && turn == turn_;
  }

  // `places`: for each job the place of its video among the kept videos.
  void start(std::span<const FollowJob* const> jobs, std::span<const int> places,
             const DeviceKeptVideos& kept, const FlowRules& rules, std::vector<PictureView>& views) {
    const auto frames = static_cast<int>(jobs.size());
    std::size_t points = 0, boxes = 0;
    for (const FollowJob* job : jobs) {
      points = std::max(points, job->carried.points.size());
      boxes += job->carried.boxes.size();
    }
    bool anew = frames > planned_;
    const int most = std::max(frames, planned_);
    const LevelPlan* levels = nullptr;
    if (search_ != nullptr) {
      const SearchRequest& request = *jobs.front()->request;
      anew |= search_->plan(request, most);
      levels = request.plan;
    }
    if (anew) {
      planned_ = 0;  // stays 0 if memory is short
      const FrameWish wish{levels, {}};
      batch_.plan(picture_, {&wish, 1}, most);
      planned_ = most;
    }
    if (marked_ != nullptr) marked_->plan(most);
    carry_.plan(kept, rules, most, points);
    refit_.plan(boxes);
    refit_.clear();
    views.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const CarriedBoxes& carried = jobs[i]->carried;
      carry_.set(static_cast<int>(i), places[i], carried.points);
      refit_.add(static_cast<int>(i), carried.boxes, carried.places);
      views.push_back(jobs[i]->frame);
    }
    jobs_.assign(jobs.begin(), jobs.end());
    batch_.start(views, {}, frames);
  }

  // Waits for the batch that was started last, and gives its answers to the jobs.
  void finish(ResultReader& reader) {
    if (jobs_.empty()) return;
    batch_.wait();
    const CudaRange range("winnow: read answers");
    std::size_t fitted = 0;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const FollowJob& job = *jobs_[i];
      const auto frame = static_cast<int>(i);
      const std::span<const FlowResult> results = carry_.results(frame);
      std::copy(results.begin(), results.end(), job.carried.flown);
      if (job.carried.fits != nullptr) refit_.read(fitted, job.carried.boxes.size(), *job.carried.fits);
      fitted += job.carried.boxes.size();
      if (search_ == nullptr) continue;
      reader.read(*search_, batch_.view(), frame, *job.found);
      marked_->read(frame, *job.shapes);
    }
    jobs_.clear();
  }

 private:
  FrameBatch batch_;
  CarryStep& carry_;
  RefitStep& refit_;
  DeviceSearch* search_ = nullptr;
  MarkStep* marked_ = nullptr;
  bool searches_;
  Size picture_;
  std::size_t turn_;
  int planned_ = 0;  // frames that the batch was planned for
  std::vector<const FollowJob*> jobs_;
};

}  // namespace

// One device. It must be current for each call.
class FollowDevices::Device {
 public:
  Device(const DeviceKind& kind, int number)
      : kind_(kind),
        number_(number),
        marks_(std::make_shared<const DeviceShapeProgram>(*kind.marks->program)),
        reader_(kind.make_sieve, kind.merge) {}

  int number() const { return number_; }
  std::vector<const FollowJob*>& jobs() { return jobs_; }

  void follow(const FlowRules& rules) {
    const auto kind_of = [](const FollowJob* job) {
      const Size size = job->frame.size();
      return std::tuple(size.width, size.height, searches(*job) ? job->request->plan_number : 0);
    };
    std::stable_sort(jobs_.begin(), jobs_.end(),
                     [&](const FollowJob* a, const FollowJob* b) { return kind_of(a) < kind_of(b); });
    for (const FollowJob* job : jobs_)
      if (job->request != nullptr && !searches(*job)) nothing_in(*job);
    for (std::size_t first = 0, last = 0; first < jobs_.size(); first = last) {
      while (last < jobs_.size() && kind_of(jobs_[last]) == kind_of(jobs_[first])) ++last;
      follow_alike(std::span(jobs_).subspan(first, last - first), rules);
    }
    for (const auto& flight : flights_) flight->finish(reader_);
  }

  void forget(int video) {
    const auto at = place_of(video);
    if (at == videos_.end()) return;
    at->kept->free.push_back(at->place);
    videos_.erase(at);
  }

 private:
  // The last frames of videos of one size.
  struct Kept {
    DeviceKeptVideos frames;
    std::vector<int> free;  // places without a video
    int used = 0;           // places that have or had a video
  };
  struct Video {
    int number, place;
    Kept* kept;
  };

  static bool searches(const FollowJob& job) {
    return job.request != nullptr && job.request->plan->window_count > 0;
  }
  // Gives the answer for a frame without windows.
  void nothing_in(const FollowJob& job) const {
    job.found->objects.clear();
    job.found->counters = {};
    job.found->counters.reached.assign(kind_.stages + 1, 0);
  }

  std::vector<Video>::iterator place_of(int video) {
    return std::find_if(videos_.begin(), videos_.end(),
                        [&](const Video& each) { return each.number == video; });
  }

  Kept& kept_of(Size picture, int levels) {
    for (const auto& kept : kept_)
      if (kept->frames.picture() == picture && kept->frames.levels() == levels) return *kept;
    // Frees memory of sizes that no video has any more.
    std::erase_if(kept_, [&](const auto& kept) {
      return std::none_of(videos_.begin(), videos_.end(),
                          [&](const Video& video) { return video.kept == kept.get(); });
    });
    return *kept_.emplace_back(std::make_unique<Kept>(Kept{DeviceKeptVideos(picture, levels), {}, 0}));
  }

  int keep(int video, Kept& kept) {
    const auto at = place_of(video);
    if (at != videos_.end() && at->kept == &kept) return at->place;
    forget(video);
    if (kept.free.empty()) kept.free.push_back(kept.used++);
    const int place = kept.free.back();
    kept.free.pop_back();
    videos_.push_back({video, place, &kept});
    return place;
  }

  void follow_alike(std::span<const FollowJob* const> jobs, const FlowRules& rules) {
    const Size picture = jobs.front()->frame.size();
    Kept& kept = kept_of(picture, flow_levels(picture.width, picture.height, rules));
    places_.clear();
    for (const FollowJob* job : jobs) places_.push_back(keep(job->video, kept));
    if (kept.used > kept.frames.places()) {
      for (const auto& flight : flights_) flight->finish(reader_);
      kept.frames.plan(static_cast<int>(std::bit_ceil(static_cast<unsigned>(kept.used))), stream_.get());
    }
    const std::size_t half = std::bit_ceil((jobs.size() + 1) / 2);
    const std::size_t most = jobs.size() <= 4 ? kMostFrames : std::min(half, kMostFrames);
    std::size_t turn = 0;
    for (std::size_t first = 0, count; first < jobs.size(); first += count, turn = (turn + 1) % kTurns) {
      count = std::min(std::bit_floor(jobs.size() - first), most);
      Flight& flight = flight_of(searches(*jobs.front()), picture, turn);
      flight.finish(reader_);
      flight.start(jobs.subspan(first, count), std::span(places_).subspan(first, count), kept.frames, rules,
                   views_);
    }
  }

  Flight& flight_of(bool searches, Size picture, std::size_t turn) {
    const auto at = std::find_if(flights_.begin(), flights_.end(),
                                 [&](const auto& flight) { return flight->serves(searches, picture, turn); });
    if (at != flights_.end()) {
      std::rotate(flights_.begin(), at, at + 1);  // the flight used last comes first
      return *flights_.front();
    }
    if (flights_.size() == kMostFlights) {
      flights_.back()->finish(reader_);
      flights_.pop_back();
    }
    flights_.insert(flights_.begin(),
                    std::make_unique<Flight>(kind_, marks_, searches, picture, turn, stream_.get()));
    return *flights_.front();
  }

  DeviceKind kind_;
  int number_;
  std::shared_ptr<const DeviceShapeProgram> marks_;
  ResultReader reader_;
  CudaStream stream_ = make_stream();
  std::vector<std::unique_ptr<Kept>> kept_;
  std::vector<Video> videos_;
  std::vector<std::unique_ptr<Flight>> flights_;
  std::vector<const FollowJob*> jobs_;
  std::vector<int> places_;
  std::vector<PictureView> views_;
};

FollowDevices::FollowDevices(const DeviceKind& kind, std::span<const int> devices) {
  for (const int number : devices) {
    const OnDevice on(number);
    devices_.push_back(std::make_unique<Device>(kind, number));
  }
}

FollowDevices::~FollowDevices() = default;

void FollowDevices::follow(std::span<const FollowJob> jobs, const FlowRules& rules) {
  for (const auto& device : devices_) device->jobs().clear();
  for (const FollowJob& job : jobs)
    devices_[static_cast<std::size_t>(job.video) % devices_.size()]->jobs().push_back(&job);
  fan_out(devices_.size(), [&](std::size_t i) {
    const OnDevice on(devices_[i]->number());
    devices_[i]->follow(rules);
  });
}

void FollowDevices::forget(int video) {
  Device& device = *devices_[static_cast<std::size_t>(video) % devices_.size()];
  const OnDevice on(device.number());
  device.forget(video);
}

}  // namespace winnow
