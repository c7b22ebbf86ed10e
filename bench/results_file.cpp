#include "results_file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "machine_card.h"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const ResultList& results, const ResultSection& section) {
  Json view{{"by", Json::array()}, {"values", Json::array()}};
  for (const auto& [column, head] : results.by) view["by"].push_back({column, head});
  for (const ShownValue& value : results.values)
    view["values"].push_back({{"column", value.column}, {"head", value.head}, {"digits", value.digits}});
  Json json{{"name", results.name},       {"title", results.title},  {"unit", results.unit},
            {"device", section.device},   {"date", date_of_today()}, {"commit", section.commit},
            {"command", results.command}, {"about", results.about},  {"columns", results.columns},
            {"views", Json::array()},     {"rows", Json::array()}};
  json["views"].push_back(std::move(view));
  for (const Json& row : results.rows) {
    if (row.size() != results.columns.size())
      throw std::logic_error(results.name + ": a row has not as many figures as there are columns");
    json["rows"].push_back(row);
  }
  return json;
}

// The file's text, with one line per row.
std::string text_of(Json file) {
  std::vector<std::string> rows;
  for (Json& results : file["tables"]) {
    std::string text = "[";
    for (const Json& row : results["rows"]) text += (text.size() > 1 ? ",\n    " : "\n    ") + row.dump();
    rows.push_back(text + "\n   ]");
    results["rows"] = "@rows " + std::to_string(rows.size() - 1) + "@";
  }
  std::string text = file.dump(1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string mark = "\"@rows " + std::to_string(i) + "@\"";
    text.replace(text.find(mark), mark.size(), rows[i]);
  }
  return text + "\n";
}

}  // namespace

std::string host_in_words() {
  const nlohmann::json card = machine_card();
  return card["cpu"].get<std::string>() + ", " + std::to_string(card["cores"].get<unsigned>()) + " cores; " +
         card["compiler"].get<std::string>();
}

std::string date_of_today() { return machine_card()["date"].get<std::string>().substr(0, 10); }

void print_results(const ResultList& results) {
  for (const Json& row : results.rows) {
    Json line{{"table", results.name}};
    for (std::size_t i = 0; i < results.columns.size(); ++i) line[results.columns[i]] = row[i];
    std::printf("%s\n", line.dump().c_str());
  }
}

void write_results(const std::string& file, const ResultSection& section,
                   const std::vector<ResultList>& all) {
  Json json{{"section", section.section}, {"about", section.about}, {"tables", Json::array()}};
  if (std::ifstream before(file); before) json["tables"] = Json::parse(before)["tables"];
  Json& list = json["tables"];
  for (const ResultList& results : all) {
    const auto same = std::find_if(list.begin(), list.end(),
                                   [&](const Json& other) { return other["name"] == results.name; });
    if (same == list.end()) {
      list.push_back(as_json(results, section));
    } else {
      *same = as_json(results, section);
    }
  }
  std::ofstream out(file);
  out << text_of(json);
  if (!out.flush()) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace bench
