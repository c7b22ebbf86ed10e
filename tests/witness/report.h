// Collects what the judges say: a line for each model, each difference with the command that repeats its
// case, JSON at the end.
#pragma once

#include <string>
#include <vector>

#include "judge.h"

namespace witness {

struct ModelReport {
  std::string name, note;
  long cases = 0, passed = 0, failed = 0, not_run = 0, raw = 0, groups = 0;
  double seconds_theirs = 0, seconds_ours = 0;
};

class Report {
 public:
  // `mode`: "--self " or the like, as it must stand in a repeating command.
  Report(std::string program, std::string mode, const Settings& settings);
  // The command that repeats a case.
  std::string again(const CaseId& id) const;
  void open_model(const std::string& name, const std::string& note);
  void add(const Case& c, const Verdict& verdict);
  void add_error(const CaseId& id, const std::string& what);  // counts as a failed case
  void not_run(long cases);
  void close_model();
  // Prints the sum; returns the exit status.
  int finish(const std::string& json_path, double seconds) const;

 private:
  struct Difference {
    std::string model, picture, what, command;
  };
  void failed(const CaseId& id, const std::string& about, const std::vector<std::string>& differences);

  std::string program_, mode_;
  Settings settings_;
  std::vector<ModelReport> models_;
  std::vector<Difference> differences_;
};

}  // namespace witness
