// Runs `winnow backends`: lists the backends of this build, and their devices and SIMD targets on this
// machine. The opening comment of cli/commands.h, which declares this, holds here.
#include <winnow/answer.h>
#include <winnow/backend.h>
#include <winnow/video.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"

namespace winnow::cli {

int backends_command(const Arguments& arguments) {
  CLI::App app("Lists the backends and SIMD targets, and says whether videos can be read.",
               "winnow backends");
  app.footer(
      "Example:\n"
      "  winnow backends --json\n\n"
      "`--backend NAME` selects a backend; the variable WINNOW_SIMD=TARGET selects a SIMD target.");
  bool json = false;
  app.add_flag("--json", json, "print JSON");
  if (!parse_arguments(app, arguments)) return kExitDone;

  const std::vector<BackendInfo> backends = list_backends();
  const AutoInfo chosen = auto_info();
  const std::vector<std::string> targets = list_simd_targets();
  if (json) {
    nlohmann::ordered_json report;
    report["backends"] = nlohmann::ordered_json::array();
    for (const BackendInfo& backend : backends) {
      nlohmann::ordered_json entry;
      entry["name"] = backend_name(backend.kind);
      entry["available"] = backend.available;
      entry["detail"] = clean_utf8(backend.detail);
      report["backends"].push_back(entry);
    }
    report["auto"] = {{"first", backend_name(chosen.first)}};
    if (chosen.later != BackendKind::kAuto) {
      report["auto"]["later"] = backend_name(chosen.later);
      report["auto"]["worth_seconds"] = chosen.worth_seconds;
    }
    report["simd"] = targets;
    report["video"] = video_supported();
    print(report.dump(2) + "\n");
    return kExitDone;
  }
  std::string text;
  for (const BackendInfo& backend : backends) {
    std::string name = backend_name(backend.kind);
    name.resize(11, ' ');
    text += name + (backend.available ? "yes  " : "no   ") + printable(backend.detail) + "\n";
  }
  text += std::string("auto       ") + backend_name(chosen.first);
  if (chosen.later != BackendKind::kAuto)
    text += fmt::format(" at once; {} too, if the work would take longer than {} seconds",
                        backend_name(chosen.later), chosen.worth_seconds);
  text += "\nsimd       ";
  for (const std::string& target : targets) text += target + " ";
  text.back() = '\n';
  text += std::string("video      ") + (video_supported() ? "yes" : "no") + "\n";
  print(text);
  return kExitDone;
}

}  // namespace winnow::cli
