// Adds a constructor whose errors name the wrong argument.
//
// In:     the arguments of `nb::class_::def("__init__", ...)`: a function that makes a `T` in place, its
//         arguments and their defaults.
// Out:    a constructor with this signature. A call that does not fit the signature is a TypeError of one
//         sentence (`winnow._calls`). nanobind's own error would list all signatures.
// Thread: under Python's lock.
#pragma once

#include <string>
#include <utility>

#include "bind.h"

namespace winnow::python {

// Makes the signature of a constructor from the signature of `parse`, which parses its arguments.
std::string constructor_signature(nb::handle parse);
void construct(nb::handle parse, nb::handle type, nb::handle self, const nb::args& args,
               const nb::kwargs& kwargs);

template <class T, class... Base, class... Arguments, class... Extra>
void def_constructor(nb::class_<T, Base...>& shown, void (*make)(T*, Arguments...), const Extra&... extra) {
  const auto name = nb::cast<std::string>(shown.attr("__name__"));
  const nb::object parse = nb::cpp_function(
      [make](nb::handle self, Arguments... arguments) {
        make(nb::inst_ptr<T>(self), std::forward<Arguments>(arguments)...);
      },
      nb::name(name.c_str()), nb::arg("self"), extra...);
  const std::string signature = constructor_signature(parse);
  const nb::handle type = shown;
  shown.def(
      "__init__",
      [parse, type](nb::pointer_and_handle<T> self, const nb::args& args, const nb::kwargs& kwargs) {
        construct(parse, type, self.h, args, kwargs);
      },
      nb::sig(signature.c_str()));
}

}  // namespace winnow::python
