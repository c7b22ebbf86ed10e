// Moves the bias of a linear SVM so that windows with a score of 0 or more give a wanted rate of false
// alarms.
//
// In:     a trained SVM, a pack with pictures without the object, and the wanted false alarms per window.
// Out:    the SVM with a new bias. In a search of these pictures at scale factor 1.2, at most the wanted
//         fraction of the windows scores 0 or more.
// Exact:  the same for every backend and number of threads.
// Memory: the highest scores, up to 64 MiB.
// Thread: any; the searches use the threads of the machine options.
#pragma once

#include <functional>

#include <winnow/hog.h>
#include <winnow/machine.h>
#include <winnow/pack.h>

namespace winnow {

// Calls `go_on` before each picture. If `go_on` returns false, returns `svm` unchanged. Pictures that cannot
// be decoded are left out. If no window was searched, the bias does not change.
HogSvm set_working_point(const HogSvm& svm, const Pack& pack, bool color, double false_alarms,
                         const MachineOptions& machine, const std::function<bool()>& go_on);

}  // namespace winnow
