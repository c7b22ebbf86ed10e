#include "constructor.h"

#include <cctype>

namespace winnow::python {
namespace {

// A default value as the source text of a signature shows it. "..." stands for an object without such a text.
std::string default_text(nb::handle value) {
  if (value.is_none() || PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()) ||
      PyUnicode_Check(value.ptr()) || PyTuple_Check(value.ptr()))
    return nb::cast<std::string>(nb::repr(value));
  return PyList_Check(value.ptr()) && nb::len(value) == 0 ? "()" : "...";
}

}  // namespace

std::string constructor_signature(nb::handle parse) {
  const nb::tuple signature = nb::cast<nb::tuple>(parse.attr("__nb_signature__")[0]);
  const auto given = nb::cast<std::string>(signature[0]);
  const nb::object defaults = nb::object(signature[2]);
  std::string text = "def __init__(self" + given.substr(given.find("self: object") + 12);
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
    std::size_t end = at + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string value = default_text(defaults[std::stoi(text.substr(at + 1, end - at - 1))]);
    text.replace(at, end - at, value);
    at += value.size();
  }
  return text;
}

void construct(nb::handle parse, nb::handle type, nb::handle self, const nb::args& args,
               const nb::kwargs& kwargs) {
  try {
    parse(self, *args, **kwargs);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    const nb::object better =
        nb::module_::import_("winnow._calls").attr("explain_constructor")(type, error.value(), args, kwargs);
    PyErr_SetObject(PyExc_TypeError, better.ptr());
    throw nb::python_error();
  }
}

}  // namespace winnow::python
