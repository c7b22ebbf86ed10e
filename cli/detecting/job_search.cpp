#include "detecting/job_search.h"

#include <winnow/error.h>
#include <winnow/face_search.h>

#include <string>
#include <utility>

#include "search_arguments.h"
#include "terminal/arguments.h"

namespace winnow::cli {

Landmarks load_landmarks(const std::string& path) {
  try {
    return Landmarks::load(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kFormat) throw;
    // If the file holds a valid model of another kind, the user named the wrong file: kUsage.
    std::optional<Model> other;
    try {
      other = Model::load(path);
    } catch (const Error&) {
    }
    if (!other) throw;
    throw Error(ErrorCode::kUsage, "--landmarks wants a model that marks points, and " + path + " is " +
                                       other->kind_words() + ", which " + other->does());
  }
}

RecordRules rules_of(const DetectJob& job, const DetectorModel& model,
                     const std::optional<Landmarks>& landmarks) {
  RecordRules rules{job.format, job.timing, model_name(model.card(), job.model), model.window(),
                    landmarks ? landmarks->points() : 0};
  check_windows(model, rules.model, job.options);
  if (landmarks) check_kinds(model, *landmarks);
  return rules;
}

JobSearch make_job_search(const DetectJob& job, const DetectorModel& model,
                          const std::optional<Landmarks>& landmarks) {
  JobSearch search;
  search.rules = rules_of(job, model, landmarks);
  if (!landmarks) {
    search.work = make_detect_work(model, job.options, job.detector);
    return search;
  }
  FollowOptions follow = job.follow;
  follow.search = job.options;
  FollowScan parts = make_follow_scan(model, *landmarks, follow, job.detector);
  search.work = std::move(parts.work);
  search.make_state = [raw = job.options.raw, neighbors = job.options.min_neighbors,
                       make = std::move(parts.make_state)](const Input& input, const ScanEvent& first) {
    if (first.sequence) require_merged(raw, neighbors);  // a file whose name did not say that it is a video
    return make(input, first);
  };
  return search;
}

}  // namespace winnow::cli
