// Converts small values of Winnow to Python's, and back: sizes and boxes as tuples, paths, enumerators as
// words.
//
// In:     any sequence of whole numbers for a size or box; str, bytes or os.PathLike for a path; a word.
// Out:    tuples of int. A wrong type is Python's TypeError; a wrong word is an `Error` that lists the words.
// Memory: all values are copies.
#pragma once

#include <cstddef>
#include <string>

#include <winnow/box.h>
#include <winnow/error.h>

#include "bind.h"

namespace winnow::python {

// A path, as the bytes that the system knows.
struct Path {
  std::string text;
};

// A width and a height, or one number for both.
struct Sides {
  Size size;
};

// The text of a C++ string. Bytes that are no UTF-8 become surrogates, which os.fsencode converts back.
inline nb::str text_of(const std::string& bytes) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

// "1 face", "2 faces".
inline std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

// Writes the `count` whole numbers of a sequence to `to`. False if the object is no sequence of this length,
// or has other items.
inline bool whole_numbers(nb::handle from, int* to, Py_ssize_t count) {
  if (!PySequence_Check(from.ptr()) || PySequence_Size(from.ptr()) != count) {
    PyErr_Clear();
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    const nb::object item = nb::steal(PySequence_GetItem(from.ptr(), i));
    const nb::object number = item.is_valid() ? nb::steal(PyNumber_Index(item.ptr())) : nb::object();
    if (!number.is_valid() || !nb::try_cast(number, to[i])) {
      PyErr_Clear();
      return false;
    }
  }
  return true;
}

// The enumerator from `first` to `last` whose name, by `name_of`, is this word. kUsage for another word; the
// error calls it a `what`, and lists all names.
template <class Kind, class NameOf>
Kind enumerator(const std::string& word, const char* what, Kind first, Kind last, NameOf name_of) {
  std::string words;
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
    const std::string name = name_of(static_cast<Kind>(i));
    if (name == word) return static_cast<Kind>(i);
    words += (words.empty() ? "" : ", ") + name;
  }
  throw Error(ErrorCode::kUsage, "'" + word + "' is no " + what + "; known are " + words);
}

}  // namespace winnow::python

namespace nanobind::detail {

template <>
struct type_caster<winnow::Size> {
  NB_TYPE_CASTER(winnow::Size, io_name("collections.abc.Sequence[int]", "tuple[int, int]"))
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    int to[2];
    if (!winnow::python::whole_numbers(from, to, 2)) return false;
    value = {to[0], to[1]};
    return true;
  }
  static handle from_cpp(const winnow::Size& size, rv_policy, cleanup_list*) noexcept {
    return make_tuple(size.width, size.height).release();
  }
};

template <>
struct type_caster<winnow::python::Sides> {
  NB_TYPE_CASTER(winnow::python::Sides, io_name("int | collections.abc.Sequence[int]", "tuple[int, int]"))
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    int to[2];
    if (PyIndex_Check(from.ptr()) && !PySequence_Check(from.ptr())) {
      const object number = steal(PyNumber_Index(from.ptr()));
      if (!number.is_valid() || !try_cast(number, to[0])) {
        PyErr_Clear();
        return false;
      }
      to[1] = to[0];
    } else if (!winnow::python::whole_numbers(from, to, 2)) {
      return false;
    }
    value.size = {to[0], to[1]};
    return true;
  }
  static handle from_cpp(const winnow::python::Sides& sides, rv_policy, cleanup_list*) noexcept {
    return make_tuple(sides.size.width, sides.size.height).release();
  }
};

template <>
struct type_caster<winnow::PixelPoint> {
  NB_TYPE_CASTER(winnow::PixelPoint, io_name("collections.abc.Sequence[int]", "tuple[int, int]"))
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    int to[2];
    if (!winnow::python::whole_numbers(from, to, 2)) return false;
    value = {to[0], to[1]};
    return true;
  }
  static handle from_cpp(const winnow::PixelPoint& point, rv_policy, cleanup_list*) noexcept {
    return make_tuple(point.x, point.y).release();
  }
};

template <>
struct type_caster<winnow::Box> {
  NB_TYPE_CASTER(winnow::Box, io_name("collections.abc.Sequence[int]", "tuple[int, int, int, int]"))
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    int to[4];
    if (!winnow::python::whole_numbers(from, to, 4)) return false;
    value = {to[0], to[1], to[2], to[3]};
    return true;
  }
  static handle from_cpp(const winnow::Box& box, rv_policy, cleanup_list*) noexcept {
    return make_tuple(box.x, box.y, box.width, box.height).release();
  }
};

template <>
struct type_caster<winnow::python::Path> {
  NB_TYPE_CASTER(winnow::python::Path, io_name("str | bytes | os.PathLike[str]", "str"))
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    PyObject* bytes = nullptr;
    if (!PyUnicode_FSConverter(from.ptr(), &bytes)) {
      PyErr_Clear();
      return false;
    }
    const object owner = steal(bytes);
    value.text.assign(PyBytes_AsString(bytes), static_cast<std::size_t>(PyBytes_Size(bytes)));
    return true;
  }
  static handle from_cpp(const winnow::python::Path& path, rv_policy, cleanup_list*) noexcept {
    return winnow::python::text_of(path.text).release();
  }
};

}  // namespace nanobind::detail
