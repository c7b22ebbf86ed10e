// Adds to a class of models the methods that all of Python's classes of models have.
//
// In:     a class that is a `Model`, `Landmarks` or becomes a `DetectorModel`, and has `parse(bytes, name)`.
// Out:    `with_card`, and the methods that `pickle` and `copy` call.
// Thread: the same rule as for the class.
#pragma once

#include <winnow/detector_model.h>
#include <winnow/landmarks.h>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "bytes.h"

namespace winnow::python {

// The bytes of a model's file, in the form that keeps everything.
inline std::vector<std::byte> file_of(const Model& model) { return model.to_bytes(); }
template <class Class>
requires(!std::derived_from<Class, Model>) std::vector<std::byte> file_of(const Class& model) {
  return DetectorModel(model).to_bytes();
}

inline std::vector<std::byte> file_of(const Landmarks& model) {
  return model.to_bytes(LandmarkFormat::kWinnow);
}

template <class Class, class... Base>
void def_model_state(nb::class_<Class, Base...>& shown) {
  shown.def("__getstate__", [](const Class& self) { return python_bytes(file_of(self)); })
      .def("__setstate__",
           [](Class& self, const nb::bytes& bytes) { new (&self) Class(Class::parse(span_of(bytes), "")); });
}

// These two functions serve classes whose `model()` holds the card.
template <class Class>
ModelCard card_inside(const Class& self) {
  return self.model().card;
}
template <class Class>
Class with_card_inside(const Class& self, const ModelCard& card) {
  auto model = self.model();
  model.card = card;
  return Class(std::move(model));
}

// `card_of` gives a model's card, and `with` gives the same model with another card.
template <class Class, class CardOf, class With, class... Base>
void def_with_card(nb::class_<Class, Base...>& shown, const char* example, CardOf card_of, With with) {
  const std::string doc =
      std::string("A copy with another card. A keyword that is None keeps its value in the card.\n\n") +
      example;
  shown.def(
      "with_card",
      [card_of, with](const Class& self, std::optional<std::string> name, std::optional<std::string> kind,
                      std::optional<std::string> source, std::optional<std::string> terms,
                      const std::optional<SearchDefaults>& search,
                      const std::optional<std::tuple<double, double>>& place) {
        ModelCard card = card_of(self);
        if (name) card.name = std::move(*name);
        if (kind) card.kind = std::move(*kind);
        if (source) card.source = std::move(*source);
        if (terms) card.terms = std::move(*terms);
        if (search) card.search = search;
        if (place) card.place = ObjectPlace{std::get<0>(*place), std::get<1>(*place)};
        return with(self, card);
      },
      nb::kw_only(), nb::arg("name") = nb::none(), nb::arg("kind") = nb::none(),
      nb::arg("source") = nb::none(), nb::arg("terms") = nb::none(), nb::arg("search") = nb::none(),
      nb::arg("place") = nb::none(), doc.c_str());
}

}  // namespace winnow::python
