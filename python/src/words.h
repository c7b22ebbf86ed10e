// Names the words that an argument takes, so that type stubs and editors list them.
//
// In:     a str.
// Out:    a `Word`. The code that uses the `Word` checks the text. The `Error` for an unknown word lists the
//         known words.
// Memory: all values are copies.
#pragma once

#include <string>

#include "bind.h"

namespace winnow::python {

template <class Words>
struct Word {
  std::string text;
};

// Makes the type `Name` for an argument that takes one of `words`. `words` is a list for Python's
// typing.Literal.
#define WINNOW_WORDS(Name, words)                                                      \
  struct Name##s {                                                                     \
    static constexpr auto kName = nb::detail::const_name("typing.Literal[" words "]"); \
  };                                                                                   \
  using Name = Word<Name##s>

WINNOW_WORDS(BackendWord, "'auto', 'reference', 'cpu', 'cuda'");
WINNOW_WORDS(BetweenWord, "'steady', 'fit', 'carry'");
WINNOW_WORDS(BoxTrackFormatWord, "'otb', 'tld', 'vot', 'tlp', 'json', 'csv'");
WINNOW_WORDS(BoostWord, "'gentle', 'real', 'discrete'");
WINNOW_WORDS(CascadeFormatWord, "'opencv-xml', 'opencv-old-xml', 'winnow'");
WINNOW_WORDS(ChannelsWord, "'rgb', 'bgr'");
WINNOW_WORDS(CoverReasonWord, "'found', 'carried', 'joined', 'lingering'");
WINNOW_WORDS(FaceStateWord, "'found', 'tracked', 'lost'");
WINNOW_WORDS(FeaturesWord, "'haar', 'haar-more', 'haar-tilted', 'lbp'");
WINNOW_WORDS(HogColorsWord, "'use', 'leave', 'both'");
WINNOW_WORDS(HogFormatWord, "'opencv-xml', 'winnow'");
WINNOW_WORDS(LandmarkFormatWord, "'winnow', 'dlib'");
WINNOW_WORDS(LandmarkNormWord, "'pupils', 'eye_corners', 'side', 'root'");
WINNOW_WORDS(MatchWord, "'iou', 'points'");
WINNOW_WORDS(MergeWord, "'groups', 'meanshift', 'support'");
WINNOW_WORDS(PictureFormatWord, "'jpg', 'jpeg', 'png', 'pgm', 'ppm'");
WINNOW_WORDS(RankWord, "'score', 'neighbors'");
WINNOW_WORDS(TruthFormatWord, "'', 'info', 'csv', 'points', 'coco', 'yolo', 'voc', 'dlib', 'fddb', 'pts'");
WINNOW_WORDS(VerdictWord, "'right', 'wrong', 'ignored'");
WINNOW_WORDS(WeakWord, "'tree', 'table'");
WINNOW_WORDS(EventWord, "'frame', 'problem', 'end'");
WINNOW_WORDS(StepWord, "'mining', 'weak', 'stage'");

#undef WINNOW_WORDS

// Exactly True, or exactly False, for functions whose type of result depends on the value.
template <bool value>
struct Truth {};
using YesWord = Truth<true>;
using NoWord = Truth<false>;

}  // namespace winnow::python

namespace nanobind::detail {

template <bool wanted>
struct type_caster<winnow::python::Truth<wanted>> {
  NB_TYPE_CASTER(winnow::python::Truth<wanted>,
                 const_name<wanted>("typing.Literal[True]", "typing.Literal[False]"))
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    return from.is(handle(wanted ? Py_True : Py_False));
  }
  static handle from_cpp(const winnow::python::Truth<wanted>&, rv_policy, cleanup_list*) noexcept {
    return handle(wanted ? Py_True : Py_False).inc_ref();
  }
};

template <class Words>
struct type_caster<winnow::python::Word<Words>> {
  NB_TYPE_CASTER(winnow::python::Word<Words>, Words::kName)
  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(from.ptr()) ? PyUnicode_AsUTF8AndSize(from.ptr(), &size) : nullptr;
    if (text == nullptr) {
      PyErr_Clear();
      return false;
    }
    value.text.assign(text, static_cast<std::size_t>(size));
    return true;
  }
  static handle from_cpp(const winnow::python::Word<Words>& word, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_FromStringAndSize(word.text.data(), static_cast<Py_ssize_t>(word.text.size()));
  }
};

}  // namespace nanobind::detail
