#include "benching/bench_output.h"

#include <fmt/format.h>
#include <winnow/answer.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "terminal/standard_output.h"
#include "terminal/text.h"

namespace winnow::cli {
namespace {

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

// Four digits or more, at most four of them behind the point.
std::string number(double value) {
  const int digits = value < 1 ? 4 : value < 10 ? 3 : value < 100 ? 2 : 1;
  return fmt::format("{:.{}f}", value, digits);
}

// A whole number with commas: 512,188.
std::string grouped(std::int64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string per_second(double milliseconds) {
  const double rate = milliseconds > 0 ? 1000 / milliseconds : 0;
  return rate < 1000 ? number(rate) : grouped(std::llround(rate));
}

bool names_backend(const BenchRow& row, const std::string& name) {
  return ("," + row.backend + ",").find("," + name + ",") != std::string::npos;
}

// What the backends ran on: "AVX3, 2 threads".
std::string machine_of(const BenchRow& row) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (names_backend(row, "cuda")) {
    std::string devices = row.devices.size() == 1 ? "device" : "devices";
    for (const int device : row.devices) devices += fmt::format(" {}", device);
    add(devices);
  }
  if (names_backend(row, "cpu")) {
    if (!row.simd.empty()) add(row.simd);
    add(counted(row.threads, "thread"));
  }
  if (names_backend(row, "reference")) add("1 thread");
  return text;
}

std::string in_one_line(const std::string& text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string picture_of(const BenchRow& row) {
  return row.pictures == 1 ? fmt::format("{}x{}", row.size.width, row.size.height)
                           : counted(static_cast<long long>(row.pictures), "picture");
}

nlohmann::ordered_json json_of(const BenchRow& row, bool stages, int repeat) {
  nlohmann::ordered_json json;
  if (!row.problem.empty()) {
    json["problem"] = clean_utf8(row.problem);
    json["backend"] = row.backend;
    json["model"] = clean_utf8(row.model);
    return json;
  }
  const double middle = median(row.times);
  // The smallest time that `percent` % of the measurements do not exceed.
  const auto not_exceeded = [&](std::size_t percent) {
    return row.times[(row.times.size() * percent + 99) / 100 - 1];
  };
  json["ms_median"] = rounded(middle);
  json["ms_min"] = rounded(row.times.front());
  json["ms_max"] = rounded(row.times.back());
  json["ms_p90"] = rounded(not_exceeded(90));
  json["ms_p99"] = rounded(not_exceeded(99));
  json["fps"] = rounded(middle > 0 ? 1000 / middle : 0);
  if (row.parts) {
    json["ms_decode"] = rounded(row.parts->decode);
    json["ms_search"] = rounded(row.parts->search);
    json["ms_lines"] = rounded(row.parts->lines);
  }
  json["windows"] = row.counters.windows;
  json["skipped"] = row.counters.skipped;
  json["flat"] = row.counters.flat;
  if (stages) json["reached"] = row.counters.reached;
  json["weak"] = row.counters.weak;
  json["objects"] = row.objects;
  json["backend"] = row.backend;
  json["simd"] = row.simd;
  json["threads"] = row.threads;
  if (row.batch) json["batch"] = *row.batch;
  json["repeat"] = repeat;
  json["model"] = clean_utf8(row.model);
  if (!row.parts) {
    json["width"] = row.size.width;
    json["height"] = row.size.height;
  }
  if (row.parts || row.pictures > 1) json["images"] = row.pictures;
  if (row.parts) json["problems"] = row.problems;
  if (row.pinned) json["pinned"] = true;
  return json;
}

}  // namespace

void BenchOutput::add(const BenchRow& row) {
  std::string text;
  if (form_.json) {
    text = json_of(row, form_.stages, form_.repeat).dump() + "\n";
  } else {
    if (rows_ == 0) text = head();
    text += line(row);
  }
  ++rows_;
  if (row.problem.empty()) {
    ++measured_;
    inputs_ = counted(static_cast<long long>(row.pictures), "picture");
    if (row.problems > 0) inputs_ += ", " + counted(row.problems, "problem");
  }
  print(text);
}

std::string BenchOutput::head() const {
  std::string text = fmt::format("{:<{}}  {:<9}", "model", form_.name_width, "backend");
  if (!form_.files) text += fmt::format("{:>14}", "picture");
  text += fmt::format("{:>9}{:>9}{:>9}{:>12}", "ms", "least", "most", "pictures/s");
  text += form_.files ? fmt::format("{:>9}{:>9}{:>8}", "decode", "search", "lines")
                      : fmt::format("{:>15}", "windows");
  return text + "  on\n";
}

std::string BenchOutput::line(const BenchRow& row) const {
  std::string text = fmt::format("{:<{}}  {:<9}", in_one_line(row.model), form_.name_width, row.backend);
  if (!row.problem.empty()) return text + "  " + in_one_line(row.problem) + "\n";
  if (!form_.files) text += fmt::format("{:>14}", picture_of(row));
  const double middle = median(row.times);
  text += fmt::format("{:>9}{:>9}{:>9}{:>12}", number(middle), number(row.times.front()),
                      number(row.times.back()), per_second(middle));
  text += row.parts ? fmt::format("{:>9}{:>9}{:>8}", number(row.parts->decode), number(row.parts->search),
                                  number(row.parts->lines))
                    : fmt::format("{:>15}", grouped(row.counters.windows));
  return text + "  " + machine_of(row) + "\n";
}

void BenchOutput::finish() const {
  if (form_.json || measured_ == 0) return;
  const std::string runs = counted(form_.repeat, form_.files ? "run" : "measurement");
  if (form_.files) {
    print(fmt::format(
        "{}. ms: milliseconds a picture from file to line, the median of {}.\n"
        "search: a call's time, shared among its pictures. Reading goes on beside it, and a GPU has several "
        "calls\nunder way, so the parts do not add up to ms.\n"
        "decode: reading the same files with no search beside it.\n",
        inputs_, runs));
  } else {
    print(fmt::format("ms: milliseconds a picture, the median of {}. Decoding is not counted.\n", runs));
  }
}

}  // namespace winnow::cli
