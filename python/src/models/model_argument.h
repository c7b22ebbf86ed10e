// Takes a model from Python: its name, its path, or a model of any kind.
//
// Out:    the model, which shares its data with the given model. A name that is not known is an `Error`.
// Memory: a model read from a file belongs to the caller.
#pragma once

#include <winnow/detector_model.h>
#include <winnow/landmarks.h>

#include "bind.h"

namespace winnow::python {

DetectorModel parse_model(nb::handle object);  // kUsage for a model that finds no objects
Model parse_any_model(nb::handle object);
Landmarks parse_landmarks(nb::handle object);  // kUsage for a model of another kind

}  // namespace winnow::python
