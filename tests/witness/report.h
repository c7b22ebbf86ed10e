// Collects the verdicts of judges and prints them.
//
// In:     models, cases and verdicts in their order.
// Out:    a line for each model on standard output, and each difference with the command that repeats its
//         case. A JSON file at the end if a path is given.
// Memory: owns all differences until the end.
// Thread: one thread at a time.
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
  // `mode`: the option that a command needs to repeat a case in the same mode, such as "--self ".
  Report(std::string program, std::string mode, const Settings& settings);
  // Returns the command that repeats a case.
  std::string again(const CaseId& id) const;
  void open_model(const std::string& name, const std::string& note);
  void add(const Case& c, const Verdict& verdict);
  void add_error(const CaseId& id, const std::string& what);  // counts as a failed case
  void not_run(long cases);
  void close_model();
  // Prints the totals, writes the JSON file, and returns the exit status.
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
