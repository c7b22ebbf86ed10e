// Writes tables of figures in the form that tools/results.py reads: a file of bench/results/.
//
// In:     tables of columns and rows, and their layout in a document.
// Out:    a JSON file. If it exists, tables of the same names are replaced and the others stay.
// Memory: the caller owns the tables.
// Thread: one thread at a time per file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct ShownValue {
  std::string column, head;
  int digits = 1;
};

struct ResultList {
  std::string name, title, unit, command, about;
  std::vector<std::string> columns;
  std::vector<std::pair<std::string, std::string>> by;  // for each key of a row: its column and its heading
  std::vector<ShownValue> values;
  std::vector<nlohmann::ordered_json> rows = {};  // each row is an array with one figure per column
};

struct ResultSection {
  std::string section, about, device, commit;
};

// Options of a program that writes such a file.
struct ResultOptions {
  std::string file, device, commit = "unknown";
};

// A text such as "AMD EPYC 9R14, 2 cores; g++ 12.2.0".
std::string host_in_words();
// The date of today in UTC, such as "2026-11-25".
std::string date_of_today();

// Prints one line of JSON for each row on standard output.
void print_results(const ResultList& results);
void write_results(const std::string& file, const ResultSection& section, const std::vector<ResultList>& all);

}  // namespace bench
