#include "search_arguments.h"

#include <fmt/format.h>
#include <winnow/face_search.h>

#include <cmath>

#include "terminal/arguments.h"

namespace winnow::cli {
void add_model_option(CLI::App& app, std::string& model) {
  app.add_option("-m,--model", model,
                 fmt::format("name or file of the model ({}; `winnow models` lists the names)", model))
      ->type_name("NAME|FILE");
}

void add_search_options(CLI::App& app, SearchArguments& args, DetectOptions& options,
                        const std::string& heading, bool faces) {
  const OptionGroup group(app, heading);
  const auto usual = [faces](const auto& value) {
    return faces ? fmt::format("({} if the landmarks know presence, else the model's)", value)
                 : "(the model's)";
  };
  group.value("--scale", options.scale_factor, "S",
              "factor between one object size and the next " + usual(kFaceScale));
  group.value("--enlarge", options.enlarge, "F",
              "also search the picture enlarged up to F times, 1 to 4, for objects smaller than the model's "
              "window (the model's)");
  group.value("--min-neighbors", options.min_neighbors, "N",
              "an object needs more passed windows than N " + usual(kFaceNeighbors));
  group.value("--merge", args.merge, "groups|meanshift|support",
              "how passed windows become objects: similar ones by their mean (groups), each by climbing to a "
              "peak of their density (meanshift), or the best supported takes those that lie on it (support) "
              "(the model's)");
  group.flag("--raw", options.raw, "give all windows that passed, without merging them");
  group.value("--min-size", args.min_size, "WxH", "do not search for smaller objects (no limit)");
  group.value("--max-size", args.max_size, "WxH",
              "do not search for larger objects (no limit); if no size fits both limits, the size nearest to "
              "the lower limit is searched");
  group.value("--min-score", options.min_score, "S",
              "drop objects with a lower score; for HOG models windows with a lower score, before merging "
              "(the model's)");
  group.value("--min-support", options.min_support, "S",
              "with --merge support: drop objects with less support, which is their score (the model's)");
  group.value("--stride", args.step, "N|WxH",
              "pixels from one window to the next, along rows and columns, for HOG models (the model's own)");
  group.value("--padding", args.padding, "N|WxH",
              "let windows begin up to N pixels outside of each size of the picture, for HOG SVMs (0)");
  group.value(
      "--border", options.border, "F",
      "mirror each picture beyond its edges by F of its longer side, to find objects that fill it (the "
      "model's)");
  group.flag("--gray", options.gray, "search in grey, also if the picture has colour");
}

void add_machine_options(CLI::App& app, SearchArguments& args, MachineOptions& detector,
                         const std::string& heading) {
  OptionGroup(app, heading)
      .value("--backend", args.backend, "auto|reference|cpu|cuda", "the backend that searches (auto)");
  add_device_options(app, detector, heading);
}

void add_device_options(CLI::App& app, MachineOptions& detector, const std::string& heading) {
  const OptionGroup group(app, heading);
  group
      .value("--device", detector.devices, "N[,N]",
             "numbers of the GPUs to use; several GPUs share the work (0)")
      ->delimiter(',')
      ->allow_extra_args(false);
  group.value("--threads", detector.threads, "N",
              "number of threads; does not change the answer (0: all cores)");
}

void finish_search(const SearchArguments& args, DetectOptions& options, MachineOptions& detector) {
  require(!options.scale_factor || (*options.scale_factor > 1 && std::isfinite(*options.scale_factor)),
          "--scale must be above 1");
  require(!options.enlarge || (*options.enlarge >= 1 && *options.enlarge <= 4),
          "--enlarge must be from 1 to 4");
  require(!options.min_neighbors || *options.min_neighbors >= 0, "--min-neighbors must be 0 or more");
  require(!options.min_score || !std::isnan(*options.min_score), "--min-score must be a number");
  require(!options.min_support || !std::isnan(*options.min_support), "--min-support must be a number");
  require(!options.border || (*options.border >= 0 && *options.border <= 1), "--border must be from 0 to 1");
  require(
      args.merge.empty() || args.merge == "groups" || args.merge == "meanshift" || args.merge == "support",
      "--merge is groups, meanshift or support, not '" + args.merge + "'");
  if (!args.merge.empty()) options.merge = parse_merge(args.merge);
  for (const int device : detector.devices) require(device >= 0, "--device must be 0 or more");
  require(detector.threads >= 0, "--threads must be 0 or more");
  if (!args.min_size.empty()) options.min_size = parse_size("--min-size", args.min_size);
  if (!args.max_size.empty()) options.max_size = parse_size("--max-size", args.max_size);
  if (!args.step.empty()) options.step = parse_sides("--stride", args.step);
  if (!args.padding.empty()) options.padding = parse_sides("--padding", args.padding);
  detector.backend = parse_backend(args.backend);
}

bool has_step(const DetectorModel& model) { return model.plan_rules().step == StepRule::kFixed; }

void check_windows(const DetectorModel& model, const std::string& name, const DetectOptions& options) {
  require(
      options.padding == Size{} || model.plan_rules().any_place,
      "--padding is for HOG SVMs, and " + name + " is a " + model.kind() + "; --border serves all models");
  if (options.step == Size{}) return;
  require(has_step(model), "--stride is for HOG models, and " + name + " is a " + model.kind() +
                               ", whose windows lie 1 or 2 pixels apart");
  const int unit = model.plan_rules().step_unit;
  for (const int side : {options.step.width, options.step.height})
    require(side % unit == 0,
            fmt::format("--stride must be a multiple of {} for {}, not {}", unit, name, side));
}

}  // namespace winnow::cli
