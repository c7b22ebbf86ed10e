#include "search_arguments.h"

#include <fmt/format.h>

#include <cmath>

#include "terminal/arguments.h"

namespace winnow::cli {
void add_model_option(CLI::App& app, std::string& model) {
  app.add_option("-m,--model", model,
                 fmt::format("name or file of the model ({}; `winnow models` lists the names)", model))
      ->type_name("NAME|FILE");
}

void add_search_options(CLI::App& app, SearchArguments& args, DetectOptions& options,
                        const std::string& heading) {
  app.add_option("--scale", options.scale_factor, "factor between one object size and the next (the model's)")
      ->type_name("S")
      ->group(heading);
  app.add_option(
         "--enlarge", options.enlarge,
         "also search the picture enlarged up to F times, 1 to 4, for objects smaller than the model's "
         "window (the model's)")
      ->type_name("F")
      ->group(heading);
  app.add_option("--min-neighbors", options.min_neighbors,
                 "an object needs more passed windows than N (the model's)")
      ->type_name("N")
      ->group(heading);
  app.add_option(
         "--merge", args.merge,
         "how passed windows become objects: similar ones by their mean (groups), or each by climbing to "
         "a peak of their density (meanshift), or the best supported of those that lie on each other "
         "(support) "
         "(the model's)")
      ->type_name("groups|meanshift|support")
      ->group(heading);
  app.add_flag("--raw", options.raw, "give all windows that passed, without merging them")->group(heading);
  app.add_option("--min-size", args.min_size, "do not search for smaller objects (no limit)")
      ->type_name("WxH")
      ->group(heading);
  app.add_option(
         "--max-size", args.max_size,
         "do not search for larger objects (no limit); if no size fits both limits, the size nearest to "
         "the lower limit is searched")
      ->type_name("WxH")
      ->group(heading);
  app.add_option(
         "--min-score", options.min_score,
         "drop objects with a lower score; for HOG models windows with a lower score, before merging (the "
         "model's)")
      ->type_name("S")
      ->group(heading);
  app.add_option("--min-support", options.min_support,
                 "with --merge support: drop objects with less support, which is their score (the model's)")
      ->type_name("S")
      ->group(heading);
  app.add_option(
         "--stride", args.step,
         "pixels from one window to the next, along rows and columns, for HOG models (the model's own)")
      ->type_name("N|WxH")
      ->group(heading);
  app.add_option("--padding", args.padding,
                 "let windows begin up to N pixels outside of each size of the picture, for HOG SVMs (0)")
      ->type_name("N|WxH")
      ->group(heading);
  app.add_option(
         "--border", options.border,
         "mirror each picture beyond its edges by F of its longer side, to find objects that fill it (the "
         "model's)")
      ->type_name("F")
      ->group(heading);
  app.add_flag("--gray", options.gray, "search in grey, also if the picture has colour")->group(heading);
}

void add_machine_options(CLI::App& app, SearchArguments& args, MachineOptions& detector,
                         const std::string& heading) {
  app.add_option("--backend", args.backend, "the backend that searches (auto)")
      ->type_name("auto|reference|cpu|cuda")
      ->group(heading);
  app.add_option("--device", detector.devices, "numbers of the GPUs to use; several GPUs share the work (0)")
      ->type_name("N[,N]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(heading);
  app.add_option("--threads", detector.threads,
                 "number of threads; does not change the answer (0: all cores)")
      ->type_name("N")
      ->group(heading);
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
