// Moves the bias of a linear SVM so that a score of 0 allows a given rate of false alarms.
//
// In:     a trained SVM, a pack with pictures without the object, and the wanted false alarms per window.
// Out:    the SVM with another bias. In a search of the pictures at scale factor 1.2, at most the wanted
//         fraction of the windows scores 0 or more.
// Exact:  the same for every backend and number of threads.
// Memory: the best scores, up to 64 MiB.
// Thread: any; the searches use the threads of the machine options.
#pragma once

#include <functional>

#include <winnow/hog.h>
#include <winnow/machine.h>
#include <winnow/pack.h>

namespace winnow {

// `go_on` is called before each picture. If `go_on` returns false, the SVM is returned unchanged. Pictures
// that cannot be decoded are left out. Without windows the bias stays.
HogSvm set_working_point(const HogSvm& svm, const Pack& pack, bool color, double false_alarms,
                         const MachineOptions& machine, const std::function<bool()>& go_on);

}  // namespace winnow
