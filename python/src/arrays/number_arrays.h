// Takes arrays of numbers from Python, and gives NumPy's arrays of numbers and points.
//
// In:     anything that numpy.asarray takes.
// Out:    lists of C++ numbers or points, or new arrays. Another shape or another kind of values is a kUsage
//         error that says what is needed.
// Memory: all values are copies, except those of `view_of`.
// Thread: under Python's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <winnow/error.h>

#include "bind.h"
#include "typed.h"

namespace winnow::python {

// The lengths of an array along its axes.
using Lengths = std::vector<std::size_t>;

[[noreturn]] inline void refuse(const std::string& sentence) { throw Error(ErrorCode::kUsage, sentence); }

inline nb::object numpy(const char* function) { return nb::module_::import_("numpy").attr(function); }

inline char kind_of(nb::handle array) { return nb::cast<std::string>(array.attr("dtype").attr("kind"))[0]; }

inline std::string text_of_shape(const Lengths& shape) {
  std::string text = "(";
  for (const std::size_t side : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + (shape.size() == 1 ? ",)" : ")");
}

inline Lengths shape_of(nb::handle array) { return nb::cast<Lengths>(array.attr("shape")); }

// Converts the object to an array of `dimensions` dimensions. kUsage for another number of dimensions. The
// error uses `what`, which is a plural, and `sides`, such as "(stages, pixels)".
inline nb::object array_of(nb::handle object, const std::string& what, std::size_t dimensions,
                           const char* sides) {
  nb::object array = numpy("asarray")(object);
  if (nb::cast<std::size_t>(array.attr("ndim")) != dimensions)
    refuse(what + " are an array " + sides + ", and this one has the shape " +
           text_of_shape(shape_of(array)));
  return array;
}

inline void check_shape(nb::handle array, const std::string& what, const Lengths& wanted, const char* sides) {
  const Lengths shape = shape_of(array);
  if (shape != wanted)
    refuse(what + " have the shape " + text_of_shape(shape) + ", and " + text_of_shape(wanted) +
           " is needed: " + sides);
}

template <class Number>
std::vector<Number> packed(nb::handle array, const char* type) {
  const nb::object ready = numpy("ascontiguousarray")(array, type);
  const auto view = nb::cast<nb::ndarray<const Number, nb::c_contig, nb::device::cpu>>(ready);
  return std::vector<Number>(view.data(), view.data() + view.size());
}

// The array's numbers as float or double. kUsage for values that are no numbers.
template <class Number>
std::vector<Number> reals_of(nb::handle array, const std::string& what) {
  if (std::string_view("fiu").find(kind_of(array)) == std::string_view::npos) refuse(what + " are numbers");
  return packed<Number>(array, std::is_same_v<Number, float> ? "float32" : "float64");
}

// The array's whole numbers. kUsage for other values, and for a number outside the range of `Number`.
template <class Number>
std::vector<Number> wholes_of(nb::handle array, const std::string& what) {
  if (std::string_view("iu").find(kind_of(array)) == std::string_view::npos)
    refuse(what + " are whole numbers");
  if constexpr (std::is_same_v<Number, std::int16_t>) {
    if (nb::cast<std::string>(array.attr("dtype").attr("name")) == "int16")
      return packed<std::int16_t>(array, "int16");
  }
  std::vector<Number> numbers;
  if (kind_of(array) == 'u') {
    for (const std::uint64_t number : packed<std::uint64_t>(array, "uint64")) {
      if (number > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
        refuse(what + " are numbers of " + std::to_string(8 * sizeof(Number)) + " bits, and " +
               std::to_string(number) + " is out of range");
      numbers.push_back(static_cast<Number>(number));
    }
    return numbers;
  }
  for (const std::int64_t number : packed<std::int64_t>(array, "int64")) {
    if (number < std::numeric_limits<Number>::min() || number > std::numeric_limits<Number>::max())
      refuse(what + " are numbers of " + std::to_string(8 * sizeof(Number)) + " bits, and " +
             std::to_string(number) + " is out of range");
    numbers.push_back(static_cast<Number>(number));
  }
  return numbers;
}

// Makes points from an array (points, 2). `Struct` is any struct of x and y. An empty array of any shape
// gives no points.
template <class Struct>
std::vector<Struct> points_from(nb::handle object) {
  const std::string what = "points";
  const nb::object any = numpy("asarray")(object);
  if (nb::cast<std::size_t>(any.attr("size")) == 0) return {};
  const nb::object array = array_of(any, what, 2, "(points, 2)");
  check_shape(array, what, {shape_of(array)[0], 2}, "(points, 2)");
  const std::vector<double> coordinates = reals_of<double>(array, what);
  std::vector<Struct> points(coordinates.size() / 2);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = {coordinates[2 * i], coordinates[2 * i + 1]};
  return points;
}

// Shows numbers inside `self` as a read-only array, without a copy. The array keeps `self` alive.
template <class Number>
nb::object view_of(const Number* numbers, const Lengths& sides, nb::handle self) {
  return nb::cast(nb::ndarray<nb::numpy, const Number>(numbers, sides.size(), sides.data(), self));
}

inline std::size_t side(std::int32_t count) { return static_cast<std::size_t>(count); }

// A new array that owns its numbers.
template <class Number>
nb::object owned_numbers(std::vector<Number> numbers, std::initializer_list<std::size_t> lengths) {
  auto* const kept = new std::vector<Number>(std::move(numbers));
  const nb::capsule owner(kept, [](void* at) noexcept { delete static_cast<std::vector<Number>*>(at); });
  return nb::cast(nb::ndarray<nb::numpy, Number>(kept->data(), lengths, owner));
}

// A new array (points, 2) of x and y.
template <class Struct>
DoubleArray points_array(const std::vector<Struct>& points) {
  std::vector<double> numbers;
  for (const Struct& point : points) numbers.insert(numbers.end(), {point.x, point.y});
  return {owned_numbers(std::move(numbers), {points.size(), 2})};
}

}  // namespace winnow::python
