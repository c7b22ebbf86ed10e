// Checks the files that a training writes, and decides which of them a resumed training may overwrite.
//
// In:     the paths of model, log and page, and the folder of the state.
// Out:    the model on disk; kUsage errors for files that would be lost, kIo for files that cannot
//         be written.
// Memory: names are kept, never open files.
//
// A training keeps a copy of its model and a list of its logs and pages beside its state. A resumed training
// may overwrite its own model, logs and pages, and no other files.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace winnow::cli {

struct TrainFiles {
  std::string model;
  std::string log, report;  // "" for none
  std::string checkpoint;   // the folder of the state; "" for none
  bool resume = false;

  // Call this before the training. Throws unless the files differ from one another and from the packs, and
  // can be written. Unless `force` is true, also throws if a file would be overwritten that this training did
  // not write.
  void check(const std::vector<std::string>& packs, bool force) const;
  // Whether a log or page was written by the training that resumes.
  bool owns(const std::string& path) const;
  // Puts a log or page on the list. Call this before the file is written, so that a resumed training
  // recognises the file as its own. If the list cannot be written, the resumed training asks for --force.
  void remember(const std::string& path) const;
  // The copy of the model beside the state, which an earlier end of the training wrote.
  std::string copy_of_model() const;
  // Calls `write` for the copy of the model, if there is a checkpoint, and then for the model.
  void save(const std::function<void(const std::string& path)>& write) const;

 private:
  bool wrote_model() const;
  std::string replaced_model() const;
  std::string list() const;
  std::string name_in_list(const std::string& path) const;
};

}  // namespace winnow::cli
