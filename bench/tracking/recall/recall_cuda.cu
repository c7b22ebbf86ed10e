#include "tracking/recall/recall_cuda.h"

#include "pairs.h"
#include "tracking/recall/recall_state_cuda.cuh"

namespace bench {
using namespace winnow;

namespace {

constexpr const char* kDoing = kRecallDoing;

}  // namespace

void DeviceRecall::State::check_status(const std::vector<std::uint32_t>* order, const Recall& wanted,
                                       const std::string& what) const {
  const std::vector<std::uint32_t> got = download(status.data(), windows);
  std::vector<std::uint32_t> varied;
  for (std::uint32_t i = 0; i < windows; ++i)
    if (got[i] != 0) varied.push_back(order != nullptr ? (*order)[i] : i);
  std::sort(varied.begin(), varied.end());
  require(varied == wanted.varied, what);
}
void DeviceRecall::State::check_indices(std::span<const std::uint32_t> listed,
                                        std::span<const std::uint16_t> got, bool fern_first,
                                        const Recall& wanted, const std::string& what) const {
  require(listed.size() == wanted.varied.size(), what);
  for (std::size_t k = 0; k < listed.size(); ++k) {
    const auto at = std::lower_bound(wanted.varied.begin(), wanted.varied.end(), listed[k]);
    require(at != wanted.varied.end() && *at == listed[k], what);
    const FernPattern& pattern = wanted.patterns[static_cast<std::size_t>(at - wanted.varied.begin())];
    for (std::size_t fern = 0; fern < kFerns; ++fern)
      require(got[fern_first ? fern * listed.size() + k : k * kFerns + fern] == pattern[fern], what);
  }
}

void DeviceRecall::State::time_plain(const Recall& wanted, const Report& report) {
  const auto spoil_status = [&] {
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
  };
  spoil_status();
  const double us = board.time_us([&](cudaStream_t stream) { vary_plain(stream); });
  check_status(nullptr, wanted, "variance plain");
  report("variance plain", us / 1000);
  const double select_us = board.time_us([&](cudaStream_t stream) { select(stream); });
  const std::uint32_t number = download(kept.data(), 1).front();
  require(download(list.data(), number) == wanted.varied, "compaction select");
  report("compaction select", select_us / 1000);
  const auto time_indices = [&](bool fern_first, const std::string& name) {
    check_cuda(cudaMemset(indices.data(), 0xA5, indices.size() * sizeof(std::uint16_t)), kDoing);
    const double index_us = board.time_us(
        [&](cudaStream_t stream) { index(fern_first, list.data(), number, indices.data(), stream); });
    check_indices(wanted.varied, download(indices.data(), std::size_t{kFerns} * number), fern_first, wanted,
                  name);
    report(name, index_us / 1000);
  };
  time_indices(false, "indices box-fern plain");
  time_indices(true, "indices fern-box plain");
  if (number == 0) return;
  const double confidence_us = board.time_us([&](cudaStream_t stream) { sum(number, stream); });
  const std::vector<std::int32_t> got = download(confidences.data(), number);
  for (std::size_t i = 0; i < number; ++i)
    require(got[i] == wanted.confidences[wanted.varied[i]], "confidence device");
  report("confidence device", confidence_us / 1000);
}

void DeviceRecall::State::time_forms(const Recall& wanted, const Report& report) {
  for (const Form& form : forms) {
    const std::vector<Call> calls = calls_of(form, form.form.calls.blocks);
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
    const double us = board.time_us([&](cudaStream_t stream) {
      for (const Call& call : calls) vary(form, call, stream);
    });
    check_status(&form.order, wanted, "variance " + form.form.name);
    report("variance " + form.form.name, us / 1000);
    const Call all{0, 0, 0, windows};
    const double compact_us =
        board.time_us([&](cudaStream_t stream) { compact(form.order_list.data(), all, 0, stream); });
    const std::uint32_t number = download(kept.data(), 1).front();
    const std::vector<std::uint32_t> listed = download(list.data(), number);
    const double index_us =
        board.time_us([&](cudaStream_t stream) { index(true, list.data(), number, indices.data(), stream); });
    check_indices(listed, download(indices.data(), std::size_t{kFerns} * number), true, wanted,
                  "indices " + form.form.name);
    report("indices fern-box " + form.form.name, index_us / 1000);
    if (&form != &forms[1]) continue;
    report("compaction scan", compact_us / 1000);
    report("copy indices", board.time_us([&](cudaStream_t stream) {
      check_cuda(cudaMemcpyAsync(host_indices.data(), indices.data(),
                                 std::size_t{kFerns} * number * sizeof(std::uint16_t), cudaMemcpyDeviceToHost,
                                 stream),
                 kDoing);
    }) / 1000);
  }
}

void DeviceRecall::State::time_sieve(std::span<const LikelyWindow> wanted, const Report& report) {
  const std::size_t tile_count = std::max<std::size_t>(1, places_of_tables.tiles());
  tiles.reserve(tile_count);
  tile_places.reserve(tile_count);
  taken.reserve(1);
  count.reserve(1);
  const std::size_t room = std::max<std::size_t>(4096, wanted.size());
  scratch.reserve(room);
  likely.reserve(room);
  SiftWork work{};
  work.sizes = places_of_tables.sizes_in(tables.data());
  work.offsets = places_of_tables.offsets_in(tables.data());
  work.values = places_of_tables.values_in(tables.data());
  work.sums = sums.data();
  work.squares = squares.data();
  work.plane_stride = stride;
  work.blurred = blurred.data();
  work.pitch = level.width;
  work.size_count = places_of_tables.sizes();
  work.tile_count = places_of_tables.tiles();
  work.tiles = tiles.data();
  work.places = tile_places.data();
  work.scratch = scratch.data();
  work.capacity = std::min(scratch.size(), likely.size());
  work.taken = taken.data();
  work.list = likely.data();
  work.count = count.data();
  const double us = board.time_us([&](cudaStream_t stream) { sift_on_device(work, stream); });
  check_cuda(cudaDeviceSynchronize(), kDoing);
  require(count[0] == wanted.size(), "the sieve");
  for (std::size_t i = 0; i < wanted.size(); ++i)
    require(likely[i].window == wanted[i].window && likely[i].sum == wanted[i].sum &&
                likely[i].pattern == wanted[i].pattern,
            "the sieve");
  report("sieve", us / 1000);
}

// Algorithm 4: the same kernels, compactions and copies, call after call, or kind after kind.
void DeviceRecall::State::time_calls(const Recall& wanted, const Report& report) {
  const Form& form = forms[1];
  const auto clusters = static_cast<std::int64_t>(form.on_device.size());
  const std::int64_t least = static_cast<std::int64_t>(kLeastCalls);
  const std::vector<Call> calls = calls_of(
      form, std::max<std::int64_t>(1, std::min(form.form.calls.blocks, (clusters + least - 1) / least)));
  if (calls.size() > kept.size()) throw std::runtime_error("too many calls of the kernel");
  const auto copy = [&](std::size_t i) {
    const Call& call = calls[i];
    check_cuda(cudaMemcpyAsync(host_places.data() + call.first_place, places.data() + call.first_place,
                               call.places * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_of(i)),
               kDoing);
  };
  const auto one_by_one = [&] {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      vary(form, calls[i], stream_of(i));
      compact(form.order_list.data(), calls[i], i, stream_of(i));
      copy(i);
    }
    wait();
  };
  const auto by_kind = [&] {
    for (std::size_t i = 0; i < calls.size(); ++i) vary(form, calls[i], stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i) compact(form.order_list.data(), calls[i], i, stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i) copy(i);
    wait();
  };
  const auto check = [&](const char* what) {
    check_status(&form.order, wanted, what);
    const std::vector<std::uint32_t> flags = download(status.data(), windows);
    for (const Call& call : calls) {
      std::uint32_t before = 0;
      for (std::uint32_t i = call.first_place; i < call.first_place + call.places; ++i) {
        require(host_places[i] == before, what);
        before += flags[i];
      }
    }
  };
  std::vector<double> times[2];
  for (int run = -1; run < repeat; ++run) {  // the first run is not counted
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
    check_cuda(cudaDeviceSynchronize(), kDoing);
    const double first = milliseconds(one_by_one);
    if (run < 0) check("calls one by one");
    check_cuda(cudaMemset(status.data(), 0xA5, windows * sizeof(std::uint32_t)), kDoing);
    check_cuda(cudaDeviceSynchronize(), kDoing);
    const double second = milliseconds(by_kind);
    if (run < 0) {
      check("calls by kind");
      continue;
    }
    times[0].push_back(first);
    times[1].push_back(second);
  }
  report("calls one by one", median(times[0]));
  report("calls by kind", median(times[1]));
}

// The paper's whole search: the host waits for the number of windows, then for the indices.
void DeviceRecall::State::time_split(const SearchedFrame& in, const Recall& wanted, Team& team,
                                     const Report& report) {
  const Form& form = forms[1];
  const std::vector<Call> calls = calls_of(form, form.form.calls.blocks);
  if (calls.size() > kept.size()) throw std::runtime_error("too many calls of the kernel");
  double confidence_ms = 0;
  const auto search = [&] {
    for (std::size_t i = 0; i < calls.size(); ++i) vary(form, calls[i], stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i) compact(form.order_list.data(), calls[i], i, stream_of(i));
    for (std::size_t i = 0; i < calls.size(); ++i)
      check_cuda(cudaMemcpyAsync(host_kept.data() + i, kept.data() + i, sizeof(std::uint32_t),
                                 cudaMemcpyDeviceToHost, stream_of(i)),
                 kDoing);
    wait();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::uint32_t number = host_kept[i];
      const std::size_t at = calls[i].first_place;
      index(true, list.data() + at, number, indices.data() + at * kFerns, stream_of(i));
      check_cuda(cudaMemcpyAsync(host_indices.data() + at * kFerns, indices.data() + at * kFerns,
                                 std::size_t{kFerns} * number * sizeof(std::uint16_t), cudaMemcpyDeviceToHost,
                                 stream_of(i)),
                 kDoing);
      check_cuda(cudaMemcpyAsync(host_list.data() + at, list.data() + at, number * sizeof(std::uint32_t),
                                 cudaMemcpyDeviceToHost, stream_of(i)),
                 kDoing);
    }
    wait();
    confidence_ms = milliseconds([&] {
      for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::size_t at = calls[i].first_place, number = host_kept[i];
        confidence_sums.find({host_list.data() + at, number}, {host_indices.data() + at * kFerns, number, 1},
                             in.object.ferns.values(), true, team, by_window);
      }
    });
  };
  std::vector<double> times, confidence;
  for (int run = -1; run < repeat; ++run) {
    std::fill(by_window.begin(), by_window.end(), 0);
    const double ms = milliseconds(search);
    require(by_window == wanted.confidences, "split");
    if (run < 0) continue;
    times.push_back(ms);
    confidence.push_back(confidence_ms);
  }
  report("split", median(times));
  report("split confidence", median(confidence));
}

DeviceRecall::DeviceRecall(int repeat, double least_occupancy) {
  require_cuda_device(0);
  state_ = std::make_unique<State>(repeat, least_occupancy);
}
DeviceRecall::~DeviceRecall() = default;
void DeviceRecall::plan(const ObjectGrid& grid) { state_->plan(grid); }
const std::vector<ClusterForm>& DeviceRecall::forms() const { return state_->shown; }

void DeviceRecall::time(const SearchedFrame& in, const Recall& wanted, std::span<const LikelyWindow> likely,
                        Team& team, const Report& report) {
  state_->bring(in, report);
  state_->time_plain(wanted, report);
  state_->time_forms(wanted, report);
  state_->time_sieve(likely, report);
  state_->time_calls(wanted, report);
  state_->time_split(in, wanted, team, report);
}

void wait_for_device() { check_cuda(cudaDeviceSynchronize(), kDoing); }

std::string why_no_device() {
  std::string why;
  const std::vector<CudaDeviceInfo> devices = cuda_devices(&why);
  if (devices.empty()) return why.empty() ? "there is none" : why;
  return devices.front().usable ? "" : devices.front().why_not;
}

}  // namespace bench
