#include "pipeline/device_search_cuda.h"

#include <algorithm>

#include <winnow/error.h>

#include "base/cuda_range.h"

namespace winnow {

bool DeviceSearch::plan(const SearchRequest& request, int frames, int capacity) {
  if (request.plan_number == planned_ && frames <= frames_ && capacity <= sieve_->capacity()) return false;
  const CudaRange range("winnow: plan");
  frames_ = std::max(frames, request.plan_number == planned_ ? frames_ : 0);
  planned_ = 0;  // in case there is no memory for the plan
  sieve_->plan(*request.plan, frames_, std::max(capacity, sieve_->capacity()));
  answers_.plan(*request.plan, frames_, sieve_->counts_per_frame());
  planned_ = request.plan_number;
  return true;
}

void DeviceSearch::enqueue(const PyramidView& frames, int count, const SearchRequest& request,
                           cudaStream_t stream) const {
  sieve_->enqueue(frames, count, stream);
  answers_.enqueue(*sieve_, count, request.device_neighbors(), request.mean, stream);
}

void DeviceSearch::copy_survivors(int frame, std::vector<Survivor>& list) const {
  sieve_->copy_survivors(frame, static_cast<std::size_t>(answers_.counts(frame)[kFound]), list);
}

void AnswerReader::read(const DeviceSearch& search, const PyramidView& frames, int frame,
                        const SearchRequest& request, Detections& result) {
  search.sieve().read_counts(search.answers().counts(frame), *request.plan, result.counters);
  if (search.answers().grouped(frame)) {
    grouping_.finish(search.answers().objects(frame), request, result);
  } else {
    const CudaRange range("winnow: group a crowd");
    find_survivors(search, frames, frame, request, survivors_);
    grouping_.group(survivors_, request, result);
  }
}

void AnswerReader::read(const DeviceSearch& search, const PyramidView& frames, int frame,
                        const SearchRequest& request, SieveResult& result) {
  search.sieve().read_counts(search.answers().counts(frame), *request.plan, result);
  find_survivors(search, frames, frame, request, result.survivors);
  sort_survivors(result.survivors, spare_);
}

void AnswerReader::find_survivors(const DeviceSearch& search, const PyramidView& frames, int frame,
                                  const SearchRequest& request, std::vector<Survivor>& list) {
  const int room = room_for(search.answers().counts(frame)[kFound]);
  if (room <= search.capacity()) {
    search.copy_survivors(frame, list);
  } else {
    if (crowd_ == nullptr) {
      crowd_ = std::make_unique<DeviceSearch>(make_sieve_());
      stream_ = make_stream();
    }
    crowd_->set_options(request);
    crowd_->plan(request, 1, room);
    crowd_->enqueue(view_of_frame(frames, frame), 1, request, stream_.get());
    check_cuda(cudaStreamSynchronize(stream_.get()), "searching a crowd");
    crowd_->copy_survivors(0, list);
  }
}

DeviceSession::DeviceSession(MakeDeviceSieve make_sieve, int most_pending, ObjectsHome home)
    : reader_(make_sieve) {
  for (int i = 0; i < most_pending; ++i) {
    std::unique_ptr<DeviceSieve> sieve = make_sieve();
    if (sieve->wants_table())
      throw Error(ErrorCode::kUnsupported, "frames that sessions share have no table for this kind of model");
    flights_.push_back(std::make_unique<Flight>(Flight{DeviceSearch(std::move(sieve), home), make_stream()}));
  }
}

void DeviceSession::enqueue(DeviceFrames& frames, int slot, std::size_t plan, const SearchRequest& request) {
  if (pending_ == static_cast<int>(flights_.size()))
    throw Error(ErrorCode::kUsage, "as many searches as this session takes are pending: collect one first");
  Flight& flight = *flights_[(oldest_ + static_cast<std::size_t>(pending_)) % flights_.size()];
  const int count = frames.count(slot);
  flight.search.set_options(request);
  flight.search.plan(request, count);
  frames.wait_for(slot, flight.stream.get());
  flight.search.enqueue(frames.batch(slot).view(plan), count, request, flight.stream.get());
  flight.frames = &frames;
  flight.slot = slot;
  flight.plan = plan;
  flight.request = request;
  frames.hold(slot);
  ++pending_;
}

void DeviceSession::collect(std::span<Detections> results) {
  if (pending_ == 0) throw Error(ErrorCode::kUsage, "no search is pending: enqueue one first");
  const Flight& flight = *flights_[oldest_];
  if (results.size() != static_cast<std::size_t>(flight.frames->count(flight.slot)))
    throw Error(ErrorCode::kUsage, "there must be a result for each picture of the search");
  {
    const CudaRange range("winnow: wait for a search");
    check_cuda(cudaStreamSynchronize(flight.stream.get()), "searching frames");
  }
  const PyramidView view = flight.frames->batch(flight.slot).view(flight.plan);
  for (std::size_t i = 0; i < results.size(); ++i)
    reader_.read(flight.search, view, static_cast<int>(i), flight.request, results[i]);
  flight.frames->release(flight.slot);
  oldest_ = (oldest_ + 1) % flights_.size();
  --pending_;
}

ObjectsView DeviceSession::objects() const {
  if (pending_ == 0) throw Error(ErrorCode::kUsage, "no search is pending: enqueue one first");
  const Flight& last = *flights_[(oldest_ + static_cast<std::size_t>(pending_) - 1) % flights_.size()];
  return last.search.answers().on_device(last.frames->count(last.slot));
}

cudaStream_t DeviceSession::stream() const {
  if (pending_ == 0) throw Error(ErrorCode::kUsage, "no search is pending: enqueue one first");
  return flights_[(oldest_ + static_cast<std::size_t>(pending_) - 1) % flights_.size()]->stream.get();
}

}  // namespace winnow
