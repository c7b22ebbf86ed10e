// Reads the pictures of an evaluation one after the other, and the truth that names them.
//
// In:     paths, and the work for each picture.
// Out:    calls of the work; progress and problems on standard error.
// Memory: one picture at a time, and those that are read ahead (`feed.h`).
// Thread: the main thread; one thread reads ahead. More threads would take time from the work that is timed.
#pragma once

#include <winnow/image.h>
#include <winnow/truth.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "terminal/progress.h"
#include "terminal/stop.h"

namespace winnow::cli {

class EvalPictures {
 public:
  // Begins to show progress. `pictures`: how many are read in all.
  // `noun`: as for `Progress`.
  void start(std::size_t pictures, const char* noun, bool quiet) { progress_.emplace(pictures, noun, quiet); }
  void report(const std::string& problem);
  std::int64_t problems() const { return progress_->problems(); }
  void finish() { progress_->finish(); }

  // Does the work for a picture, and returns the number of objects that were found.
  using Work = std::function<std::size_t(const PictureView&)>;
  // Calls `work` for each picture, reports errors, then calls `then`. `done` tells whether the work was done.
  // `color` tells whether pictures are read with their colours. Returns false after a stop.
  bool each(const std::vector<std::string>& paths, const Work& work,
            const std::function<void(std::size_t index, bool done)>& then, bool color);

 private:
  std::string try_work(const PictureView& picture, const std::string& path, const Work& work);

  std::optional<Progress> progress_;
  StopRelay stop_;
};

// `folder_of` returns the folder that --pictures gives for a truth; "" if --pictures was not given. One
// folder serves all truths, or each truth has its own. `check_folders` throws for other numbers of folders.
void check_folders(const std::vector<std::string>& folders, std::size_t truths);
std::string folder_of(const std::vector<std::string>& folders, std::size_t truth);
// kUsage if the truth names a picture twice, or names one that is in `places` already. Adds the places of the
// pictures (`real_place`) to `places`.
void check_places(const Truth& truth, std::set<std::string>& places);
// Names a truth for the report: "faces.csv (csv)".
std::string truth_words(const std::string& path, const Truth& truth);
// Makes the folder. Throws if the folder cannot be made, or one of the files cannot be written.
void check_folder(const std::string& folder, const std::vector<std::string>& files);
// The paths of the pictures.
std::vector<std::string> paths_of(const std::vector<LabelledPicture>& pictures);

}  // namespace winnow::cli
