#include "pipeline/device_search_cuda.h"

#include <algorithm>

#include <winnow/error.h>

#include "base/device/cuda_range.h"

namespace winnow {

bool DeviceSearch::plan(const SearchRequest& request, int frames, int capacity) {
  const bool anew = request.plan_number != planned_ || frames > frames_ || capacity > sieve_->capacity();
  const bool options = sieve_->set_options({request.min_score, request.gray});
  const bool merged =
      request.device_neighbors() != request_.device_neighbors() || request.mean != request_.mean ||
      request.merge != request_.merge ||
      (results_.home() == ObjectsHome::kDevice && request.object_rule() != request_.object_rule());
  if (anew || options || merged) ++version_;
  request_ = request;
  if (!anew) return false;
  const CudaRange range("winnow: plan");
  frames_ = std::max(frames, request.plan_number == planned_ ? frames_ : 0);
  planned_ = 0;  // stays 0 if memory for the plan is short
  sieve_->plan(*request.plan, frames_, std::max(capacity, sieve_->capacity()));
  results_.plan(*request.plan, frames_, sieve_->counts_per_frame());
  planned_ = request.plan_number;
  return true;
}

void DeviceSearch::enqueue(const PyramidView& frames, int count, cudaStream_t stream) const {
  sieve_->enqueue(frames, count, stream);
  std::optional<ObjectRule> rule;
  if (finishes()) rule = request_.object_rule();
  results_.enqueue(*sieve_, count, request_.device_neighbors(), request_.mean, rule, stream);
}

void DeviceSearch::copy_survivors(int frame, std::vector<Survivor>& list) const {
  sieve_->copy_survivors(frame, static_cast<std::size_t>(results_.counts(frame)[kFound]), list);
}

ObjectsView DeviceSearch::objects(int count) const {
  if (results_.home() != ObjectsHome::kDevice)
    throw Error(ErrorCode::kUsage, "this search does not keep its objects on the device");
  if (request_.merge != Merge::kGroups)
    throw Error(ErrorCode::kUnsupported,
                std::string("the host merges by ") + merge_name(request_.merge) +
                    ", so these objects are not on the device; merge by groups, or collect them");
  return results_.on_device(count);
}

void ResultReader::read(const DeviceSearch& search, const PyramidView& frames, int frame,
                        Detections& result) {
  const SearchRequest& request = search.request();
  search.sieve().read_counts(search.results().counts(frame), *request.plan, result.counters);
  if (!search.results().grouped(frame)) {
    const CudaRange range("winnow: group a crowd");
    find_survivors(search, frames, frame, survivors_);
    return merger_.merge(survivors_, request, result);
  }
  const std::span<const Candidate> objects = search.results().objects(frame);
  if (!search.finishes()) return merger_.finish(objects, request, result);
  result.objects.clear();
  for (const Candidate& object : objects) result.objects.push_back({object.box, object.score, object.count});
}

void ResultReader::read(const DeviceSearch& search, const PyramidView& frames, int frame,
                        SieveResult& result) {
  search.sieve().read_counts(search.results().counts(frame), *search.request().plan, result);
  find_survivors(search, frames, frame, result.survivors);
  sort_survivors(result.survivors, spare_);
}

void ResultReader::find_survivors(const DeviceSearch& search, const PyramidView& frames, int frame,
                                  std::vector<Survivor>& list) {
  const int room = room_for(search.results().counts(frame)[kFound]);
  if (room <= search.capacity()) {
    search.copy_survivors(frame, list);
  } else {
    if (crowd_ == nullptr) {
      crowd_ = std::make_unique<DeviceSearch>(make_sieve_());
      stream_ = make_stream();
    }
    crowd_->plan(search.request(), 1, room);
    crowd_->enqueue(view_of_frame(frames, frame), 1, stream_.get());
    check_cuda(cudaStreamSynchronize(stream_.get()), "searching a crowd");
    crowd_->copy_survivors(0, list);
  }
}

}  // namespace winnow
