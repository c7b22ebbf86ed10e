#include "evaluation/eval_pictures.h"

#include <winnow/error.h>
#include <winnow/feed.h>

#include <filesystem>
#include <new>
#include <utility>

#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/terminal.h"

namespace winnow::cli {

void EvalPictures::report(const std::string& problem) {
  progress_->problem_found();
  say(problem);
}

bool EvalPictures::each(const std::vector<std::string>& paths, const Work& work,
                        const std::function<void(std::size_t index, bool done)>& then, bool color) {
  std::vector<Input> inputs;
  for (const std::string& path : paths) inputs.push_back({InputKind::kPicture, path, {}, {}});
  FrameReaderOptions options;
  options.color = color;
  FrameReader reader(std::move(inputs), options, stop_.token());
  std::string problem;
  for (FrameEvent event; reader.next(event); event = FrameEvent()) {
    switch (event.kind) {
      case FrameEvent::Kind::kFrame:
        problem = event.video ? paths[event.input] + ": is a video, not a picture"
                              : try_work(event.picture.view(), paths[event.input], work);
        break;
      case FrameEvent::Kind::kProblem:
        problem = event.problem;
        break;
      case FrameEvent::Kind::kEnd:
        progress_->input_done();
        if (!problem.empty()) report(problem);
        then(event.input, problem.empty());
        problem.clear();
    }
  }
  return !stop_requested();
}

// Calls `work` for the picture. Returns the error in words; "" if there is none.
std::string EvalPictures::try_work(const PictureView& picture, const std::string& path, const Work& work) {
  try {
    progress_->frame_done(work(picture), -1);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kBackend) throw;
    return error.file().empty() ? path + ": " + error.what() : error.what();
  } catch (const std::bad_alloc&) {
    return path + ": there is not enough memory to search it";
  }
  return {};
}

void check_folders(const std::vector<std::string>& folders, std::size_t truths) {
  require(folders.size() <= 1 || folders.size() == truths,
          "give --pictures once for all truths, or once for each");
}

std::string folder_of(const std::vector<std::string>& folders, std::size_t truth) {
  return folders.empty() ? "" : folders[folders.size() == 1 ? 0 : truth];
}

void check_places(const Truth& truth, std::set<std::string>& places) {
  for (const LabelledPicture& picture : truth.pictures)
    require(places.insert(real_place(picture.path)).second,
            "the truth names a picture twice, in one file or in two: " + picture.path);
}

std::string truth_words(const std::string& path, const Truth& truth) {
  return path + " (" + truth_format_name(truth.format) + ")";
}

void check_folder(const std::string& folder, const std::vector<std::string>& files) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw Error(ErrorCode::kIo, "this folder cannot be made", folder);
  for (const std::string& file : files) check_writable(file, true);
}

std::vector<std::string> paths_of(const std::vector<LabelledPicture>& pictures) {
  std::vector<std::string> paths;
  for (const LabelledPicture& picture : pictures) paths.push_back(picture.path);
  return paths;
}

}  // namespace winnow::cli
