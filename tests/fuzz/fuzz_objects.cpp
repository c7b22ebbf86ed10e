// Fuzzes the reader of saved objects with any bytes, as they are and with the right head put in.
// The bytes are refused, or writing what was read gives the same bytes, and the object can be searched for.
#include <winnow/error.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "signed_bytes.h"
#include "track/saved/object_bytes.h"
#include "track/tld/object_steps.h"
#include "track/tld/object_tracker.h"

namespace {

void read(std::span<const std::byte> bytes) {
  try {
    const std::vector<winnow::SavedObject> found = winnow::parse_objects(bytes);
    const std::vector<std::byte> back = winnow::write_objects(found);
    if (back.size() != bytes.size() || !std::equal(back.begin(), back.end(), bytes.begin())) std::abort();
    for (const winnow::SavedObject& saved : found) {
      constexpr winnow::Size kFrame{64, 48};
      std::vector<std::uint8_t> pixels(64 * 48);
      for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 37 % 251);
      const winnow::GrayView frame{pixels.data(), kFrame.width, kFrame.height, kFrame.width};
      const auto frames = winnow::make_sieve_frames_cpu(1, 0);
      const auto sieve = frames->make_sieve();
      winnow::ObjectTracker tracker(winnow::kObjectStepsCpu, saved.object, saved.place, kFrame);
      const winnow::FlowRules rules = winnow::ObjectTracker::flow_rules(saved.object.halvings);
      for (int i = 0; i < 2; ++i) frames->keep(frame, rules);
      tracker.begin(kFrame, *sieve);
      std::vector<winnow::FlowPlace> points;
      tracker.points(points);
      std::vector<winnow::FlowResult> flow(points.size());
      if (!points.empty()) frames->carry(points, rules, flow.data());
      tracker.next(kFrame, *sieve, points, flow);
      const winnow::ObjectPatch& patch = saved.object.templates.all_objects().front().patch;
      const winnow::Likeness like = saved.object.templates.compare(patch);
      if (!(like.relative >= 0 && like.relative <= 1)) std::abort();
    }
  } catch (const winnow::Error& error) {
    if (error.sentence().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  read(bytes);
  read(signed_bytes("WNTO", bytes, 2));
  return 0;
}
