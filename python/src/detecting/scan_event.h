// Holds an event of a scan as Python sees it.
//
// In:     an event of `Scan`, and the state that Python keeps for its input.
// Out:    the class `ScanEvent` of Python.
// Memory: picture and answer move from the scan's event into Python objects.
#pragma once

#include <winnow/scan.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "bind.h"

namespace winnow::python {

// The fields of a `ScanEvent` that Python sees.
struct Event {
  ScanEvent::Kind kind;
  std::string source;
  std::size_t input;
  std::int64_t frame;
  std::optional<double> time;
  double seconds;
  std::int64_t unread;
  nb::object picture, found, shapes, faces;  // None for all events but frames
  std::optional<std::string> problem;
  nb::object state;
};

// Needs Python's lock. `state`: None, or the state of the event's input.
Event seen_event(ScanEvent& event, nb::object state);
void bind_scan_event(nb::module_& module);

// Shows Python's collector the objects that events and scans hold. So the collector also frees a tracker
// that keeps events which hold the tracker.
inline int visit_all(visitproc visit, void* arg, std::initializer_list<const nb::object*> objects) {
  for (const nb::object* object : objects) {
    if (object->is_valid()) Py_VISIT(object->ptr());
  }
  return 0;
}
template <class Shown, class Visit>
int traverse(PyObject* self, visitproc visit, void* arg, Visit each) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? each(*nb::inst_ptr<Shown>(self)) : 0;
}

}  // namespace winnow::python
