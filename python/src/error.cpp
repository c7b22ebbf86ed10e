// Binds the exception `winnow.Error`, and raises it for `Error`.
#include <winnow/error.h>

#include <winnow/version.h>

#include "values.h"

namespace winnow::python {
namespace {

constexpr const char* kDoc =
    "An error of Winnow, in one sentence. `code` is usage, io, format, unsupported, limit, backend "
    "or "
    "device.\n"
    "`file` and `place` (\"line 12\") are \"\" if they are not known.\n\n"
    ">>> try:\n"
    "...     winnow.load('no-such-model')\n"
    "... except winnow.Error as error:\n"
    "...     error.code\n"
    "'usage'";

PyObject* error_type = nullptr;

void raise(const Error& error) {
  const nb::object instance = nb::handle(error_type)(text_of(error.what()));
  instance.attr("code") = error_code_name(error.code());
  instance.attr("sentence") = text_of(error.sentence());
  instance.attr("file") = text_of(error.file());
  instance.attr("place") = text_of(error.place());
  PyErr_SetObject(error_type, instance.ptr());
}

}  // namespace

void bind_error(nb::module_& module) {
  error_type = PyErr_NewExceptionWithDoc("winnow.Error", kDoc, nullptr, nullptr);
  module.attr("Error") = nb::handle(error_type);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
  module.attr("__version__") = version();
}

}  // namespace winnow::python
