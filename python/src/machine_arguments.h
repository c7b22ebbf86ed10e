// Takes the keyword arguments that choose the machine for sessions and trainers: backend, threads, devices.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <winnow/machine.h>

#include "words.h"

#define WINNOW_MACHINE_PARAMETERS const BackendWord &backend, int threads, std::vector<int> devices
#define WINNOW_MACHINE_VALUES backend, threads, std::move(devices)
#define WINNOW_MACHINE_ARGUMENTS \
  nb::arg("backend") = "auto", nb::arg("threads") = 0, nb::arg("devices") = nb::make_tuple(0)

namespace winnow::python {

inline MachineOptions machine_of(const BackendWord& backend, int threads, std::vector<int> devices) {
  return {parse_backend(backend.text), threads, std::move(devices)};
}

}  // namespace winnow::python
