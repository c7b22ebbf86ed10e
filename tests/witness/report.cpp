#include "report.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "machine_card.h"

namespace witness {
namespace {
constexpr long kShownPerModel = 5;
}

Report::Report(std::string program, std::string mode, const Settings& settings)
    : program_(std::move(program)), mode_(std::move(mode)), settings_(settings) {}

void Report::open_model(const std::string& name, const std::string& note) {
  models_.emplace_back();
  models_.back().name = name;
  models_.back().note = note;
}

void Report::add(const Case& c, const Verdict& verdict) {
  ModelReport& model = models_.back();
  ++model.cases;
  model.raw += verdict.raw;
  model.groups += verdict.groups;
  model.seconds_theirs += verdict.seconds_theirs;
  model.seconds_ours += verdict.seconds_ours;
  if (verdict.differences.empty())
    ++model.passed;
  else
    failed(c.id, describe(c), verdict.differences);
}

void Report::add_error(const CaseId& id, const std::string& what) {
  ++models_.back().cases;
  failed(id, "", {"error: " + what});
}

std::string Report::again(const CaseId& id) const {
  return program_ + " " + mode_ + (settings_.subset ? "--subset " : "") + "--backend " + settings_.backend +
         (settings_.simd.empty() ? "" : " --simd " + settings_.simd) + " --threads " +
         std::to_string(settings_.threads) + " --only '" + id.model + "," + id.picture + "," +
         std::to_string(id.seed) + "'";
}

void Report::failed(const CaseId& id, const std::string& about, const std::vector<std::string>& differences) {
  const std::string command = again(id);
  const bool show = ++models_.back().failed <= kShownPerModel;
  if (show) std::printf("  DIFFERENT %s on %s (%s)\n", id.model.c_str(), id.picture.c_str(), about.c_str());
  for (const std::string& what : differences) {
    if (show) std::printf("    %s\n", what.c_str());
    differences_.push_back({id.model, id.picture, what, command});
  }
  if (show) std::printf("    again: %s\n", command.c_str());
  std::fflush(stdout);
}

void Report::not_run(long cases) { models_.back().not_run += cases; }

void Report::close_model() {
  const ModelReport& m = models_.back();
  std::printf("%-42s %5ld cases %8ld raw %7ld groups %5ld different", m.name.c_str(), m.cases, m.raw,
              m.groups, m.failed);
  if (m.seconds_theirs > 0) std::printf("  %7.1f s + %7.1f s", m.seconds_theirs, m.seconds_ours);
  if (m.not_run > 0) std::printf("  %ld not run", m.not_run);
  std::printf("%s%s\n", m.note.empty() ? "" : "  note: ", m.note.c_str());
  std::fflush(stdout);
}

int Report::finish(const std::string& json_path, double seconds) const {
  ModelReport sum;
  nlohmann::json models = nlohmann::json::array(), differences = nlohmann::json::array();
  for (const ModelReport& m : models_) {
    sum.passed += m.passed, sum.failed += m.failed, sum.not_run += m.not_run, sum.raw += m.raw,
        sum.groups += m.groups;
    models.push_back({{"model", m.name},
                      {"cases", m.cases},
                      {"passed", m.passed},
                      {"failed", m.failed},
                      {"not_run", m.not_run},
                      {"raw", m.raw},
                      {"groups", m.groups},
                      {"seconds_theirs", m.seconds_theirs},
                      {"seconds_ours", m.seconds_ours},
                      {"note", m.note}});
  }
  for (const Difference& d : differences_)
    differences.push_back(
        {{"model", d.model}, {"picture", d.picture}, {"what", d.what}, {"again", d.command}});
  if (!json_path.empty()) {
    const nlohmann::json all = {{"machine", machine_card()},
                                {"seed", settings_.seed},
                                {"subset", settings_.subset},
                                {"mode", mode_},
                                {"backend", settings_.backend},
                                {"seconds", seconds},
                                {"models", models},
                                {"differences", differences}};
    std::ofstream(json_path) << all.dump(1) << "\n";
  }
  std::printf("%ld raw candidates and %ld groups compared in %.0f s", sum.raw, sum.groups, seconds);
  if (sum.not_run > 0) std::printf("; %ld cases not run: the time was up", sum.not_run);
  std::printf("\n%ld passed, %ld failed\n", sum.passed, sum.failed);
  return sum.failed > 0 || sum.passed == 0 ? 1 : 0;
}

}  // namespace witness
