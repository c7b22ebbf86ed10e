// Calls a Python function from a training, and lets Ctrl-C and exceptions stop the training.
//
// In:     a callable that takes a step, such as `TrainStep`; True for a bar; False or None for neither.
// Out:    a watcher of such steps, and the result of `train`.
// Thread: the thread that trains, which does not hold Python's lock.
#pragma once

#include <winnow/error.h>
#include <winnow/train.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "bind.h"

namespace winnow::python {

// The options of a training, and its result.
template <class Result, class Options>
struct Trained {
  Result result;
  Options options;
  RunOptions run;
};

// The callable to call between the steps of a training. If Python gave True, the callable shows a bar.
class ProgressCall {
 public:
  // `step`: the class of steps in Python.
  ProgressCall(nb::handle given, int units, const char* unit, nb::handle step) : call_(nb::borrow(given)) {
    shows_bar_ = given.is(nb::handle(Py_True));
    if (shows_bar_)
      call_ = nb::module_::import_("winnow._progress").attr("Bar")(units, unit);
    else if (given.is(nb::handle(Py_False)))
      call_ = nb::none();
    else if (!given.is_none() && PyCallable_Check(given.ptr()) == 0)
      throw nb::type_error(("progress is a function that takes a " +
                            nb::cast<std::string>(step.attr("__name__")) + ", or True for a bar")
                               .c_str());
  }
  ProgressCall(const ProgressCall&) = delete;
  ProgressCall& operator=(const ProgressCall&) = delete;
  ~ProgressCall() {
    if (!shows_bar_) return;
    try {
      call_.attr("close")();
    } catch (const nb::python_error&) {  // a bar that cannot be closed must not hide the training's error
    }
  }
  nb::handle get() const { return call_; }

 private:
  nb::object call_;
  bool shows_bar_ = false;
};

// Calls `progress` under Python's lock. After an exception in `progress`, or Ctrl-C, the training stops as
// if `progress` had returned False: it saves its state. `check` throws the exception afterwards.
template <class Step>
class Watcher {
 public:
  explicit Watcher(nb::handle progress) : progress_(progress) {}

  bool operator()(const Step& step) {
    const nb::gil_scoped_acquire python;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (progress_.is_none()) return true;
      const nb::object go_on = progress_(step);
      if (go_on.is_none()) return true;
      const int truth = PyObject_IsTrue(go_on.ptr());
      if (truth < 0) throw nb::python_error();
      return truth != 0;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }
  void check() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  nb::handle progress_;
  std::exception_ptr thrown_;
};

// Runs `train(options, run, watcher)`, which gives a `Result`, without Python's lock. The training has
// `units` stages or rounds; `unit` is the word for one. The watcher gets `Step`s.
template <class Result, class Step = TrainStep, class Options, class Train>
std::unique_ptr<Trained<Result, Options>> watch_training(Options options, RunOptions run, nb::handle progress,
                                                         int units, const char* unit, const Train& train) {
  const ProgressCall call(progress, units, unit, nb::type<Step>());
  Watcher<Step> watcher(call.get());
  try {
    const nb::gil_scoped_release free;
    Result result = train(options, run, std::function<bool(const Step&)>(std::ref(watcher)));
    auto trained = std::make_unique<Trained<Result, Options>>(
        Trained<Result, Options>{std::move(result), std::move(options), std::move(run)});
    const nb::gil_scoped_acquire python;
    watcher.check();
    return trained;
  } catch (const Error&) {
    // `train` throws an `Error` if it is stopped before anything is learned. Python's exception comes first.
    watcher.check();
    throw;
  }
}

}  // namespace winnow::python
