// Answers the pictures of a scan one by one, each on all ranks of a run (`split_sieve.h`).
//
// In:     single pictures, and a cascade of Haar or LBP features. kUsage for other models.
// Out:    each frame's `found`. A frame of a video, camera or stream ends the scan with kUsage.
// Exact:  the answer of `make_detect_work`.
// Memory: that of a `Detector`.
// Thread: one thread at a time uses the transport: the scan's.
#pragma once

#include <winnow/detector.h>
#include <winnow/scan.h>

#include "cluster/transport.h"

namespace winnow {

class WINNOW_API SplitWork final : public ScanWork {
 public:
  // The transport's other ranks run `sift_as_rank` and are ready. With kAuto, rank 0 uses the processor.
  SplitWork(Transport& transport, const DetectorModel& model, DetectOptions options,
            const MachineOptions& machine);

  void answer(std::span<ScanEvent* const> frames) override;
  int threads() const override { return detector_.threads(); }

  // kUsage if the windows of such a model cannot be divided among ranks.
  static void check_model(const DetectorModel& model);

 private:
  DetectOptions options_;
  Detector detector_;
};

}  // namespace winnow
