// Moves the bias of a linear SVM so that a score of 0 allows a given rate of false alarms.
//
// In:     a trained SVM, the pictures without the object of its pack, and false alarms per window.
// Out:    the SVM with another bias. Of all windows of the pictures, at scale factor 1.2, at most that
//         fraction scores 0 or more.
// Exact:  the same for every backend and number of threads.
// Memory: the best scores, up to 64 MiB.
// Thread: the searches use those of the machine options.
#pragma once

#include <functional>

#include <winnow/hog.h>
#include <winnow/machine.h>
#include <winnow/pack.h>

namespace winnow {

// `go_on` is called after each picture; the SVM is returned as it was once it gives false. Pictures that
// cannot be decoded are left out. With no windows the bias stays.
HogSvm set_working_point(const HogSvm& svm, const Pack& pack, bool color, double false_alarms,
                         const MachineOptions& machine, const std::function<bool()>& go_on);

}  // namespace winnow
