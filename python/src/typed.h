// Names the Python types of objects that C++ does not convert, for type stubs.
//
// In:     any object. The code that uses the object checks it.
// Out:    the same object.
// Memory: holds a reference.
#pragma once

#include "bind.h"

namespace winnow::python {

template <class Type>
struct Typed {
  nb::object object;
};

#define WINNOW_TYPED(Name, type)                                \
  struct Name##Type {                                           \
    static constexpr auto kName = nb::detail::const_name(type); \
  };                                                            \
  using Name = Typed<Name##Type>

WINNOW_TYPED(ByteArray, "numpy.typing.NDArray[numpy.uint8]");
WINNOW_TYPED(BoolArray, "numpy.typing.NDArray[numpy.bool_]");
WINNOW_TYPED(FloatArray, "numpy.typing.NDArray[numpy.float32]");
WINNOW_TYPED(DoubleArray, "numpy.typing.NDArray[numpy.float64]");
WINNOW_TYPED(IntArray, "numpy.typing.NDArray[numpy.int32]");
WINNOW_TYPED(RecordArray, "numpy.typing.NDArray[numpy.void]");
WINNOW_TYPED(AnyArray, "numpy.typing.ArrayLike");

// A picture in each form that `PictureArgument` takes. `object` stands for forms without a common type, such
// as Pillow's images and tensors.
WINNOW_TYPED(AnyPicture, "object");
WINNOW_TYPED(
    PlainPicture,
    "Picture[typing.Any] | numpy.typing.NDArray[numpy.uint8] | str | bytes | bytearray | memoryview | "
    "typing.BinaryIO | "
    "os.PathLike[str]");
WINNOW_TYPED(ManyPictures,
             "collections.abc.Sequence[object] | collections.abc.Iterator[object] | "
             "collections.abc.Set[object] | collections.abc.ValuesView[object]");
WINNOW_TYPED(ColorPicture, "Picture[numpy.typing.NDArray[numpy.uint8]]");
WINNOW_TYPED(GrayPicture, "Picture[None]");
WINNOW_TYPED(SomePicture, "Picture[numpy.typing.NDArray[numpy.uint8] | None]");
// The answers of a search, of a fit, of both and of a follower: for one picture, and for many.
WINNOW_TYPED(OneAnswer, "Detections");
WINNOW_TYPED(ManyAnswers, "list[Detections]");
WINNOW_TYPED(OneFit, "list[Shape]");
WINNOW_TYPED(ManyFits, "list[list[Shape]]");
WINNOW_TYPED(OneFaces, "FoundFaces");
WINNOW_TYPED(ManyFaces, "list[FoundFaces]");
WINNOW_TYPED(OneFollowed, "list[Followed]");
WINNOW_TYPED(ManyFollowed, "list[list[Followed]]");
WINNOW_TYPED(OneTracks, "list[Track]");
WINNOW_TYPED(ManyTracks, "list[list[Track]]");

WINNOW_TYPED(AnyModel, "str | os.PathLike[str] | DetectorModel | Cascade | HogSvm | HogCascade");
WINNOW_TYPED(OneModel, "Cascade | HogSvm | HogCascade | Model");
WINNOW_TYPED(NamedModel, "str | os.PathLike[str] | Model | Cascade | HogSvm | HogCascade | Landmarks");
WINNOW_TYPED(AnyLandmarks, "str | os.PathLike[str] | Landmarks | Model");
// Objects in each form that `parse_detections` takes.
WINNOW_TYPED(AnyDetections, "Detections | numpy.typing.ArrayLike | collections.abc.Sequence[object]");
WINNOW_TYPED(
    ManyDetections,
    "collections.abc.Iterable[Detections | numpy.typing.ArrayLike | collections.abc.Sequence[object]]");

WINNOW_TYPED(Color, "collections.abc.Sequence[int]");
WINNOW_TYPED(Paths,
             "str | bytes | os.PathLike[str] | collections.abc.Sequence[str | bytes | os.PathLike[str]]");
WINNOW_TYPED(StateMaker, "collections.abc.Callable[[str], object]");
WINNOW_TYPED(Progress, "collections.abc.Callable[[TrainStep], bool | None] | bool");
WINNOW_TYPED(LandmarkProgress, "collections.abc.Callable[[LandmarkStep], bool | None] | bool");

#undef WINNOW_TYPED

}  // namespace winnow::python

namespace nanobind::detail {

template <class Type>
struct type_caster<winnow::python::Typed<Type>> {
  NB_TYPE_CASTER(winnow::python::Typed<Type>, Type::kName)
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    value.object = borrow(from);
    return true;
  }
  static handle from_cpp(const winnow::python::Typed<Type>& typed, rv_policy, cleanup_list*) noexcept {
    return handle(typed.object).inc_ref();
  }
};

}  // namespace nanobind::detail
