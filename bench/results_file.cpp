#include "results_file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "machine_card.h"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const ResultTable& table, const ResultSection& section) {
  Json view{{"by", Json::array()}, {"values", Json::array()}};
  for (const auto& [column, head] : table.by) view["by"].push_back({column, head});
  for (const ShownValue& value : table.values)
    view["values"].push_back({{"column", value.column}, {"head", value.head}, {"digits", value.digits}});
  Json json{{"name", table.name},       {"title", table.title},    {"unit", table.unit},
            {"device", section.device}, {"date", date_of_today()}, {"commit", section.commit},
            {"command", table.command}, {"about", table.about},    {"columns", table.columns},
            {"views", Json::array()},   {"rows", Json::array()}};
  json["views"].push_back(std::move(view));
  for (const Json& row : table.rows) {
    if (row.size() != table.columns.size())
      throw std::logic_error(table.name + ": a row has not as many figures as there are columns");
    json["rows"].push_back(row);
  }
  return json;
}

// The file's text, with a line for each row.
std::string text_of(Json file) {
  std::vector<std::string> rows;
  for (Json& table : file["tables"]) {
    std::string text = "[";
    for (const Json& row : table["rows"]) text += (text.size() > 1 ? ",\n    " : "\n    ") + row.dump();
    rows.push_back(text + "\n   ]");
    table["rows"] = "@rows " + std::to_string(rows.size() - 1) + "@";
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

void print_table(const ResultTable& table) {
  for (const Json& row : table.rows) {
    Json line{{"table", table.name}};
    for (std::size_t i = 0; i < table.columns.size(); ++i) line[table.columns[i]] = row[i];
    std::printf("%s\n", line.dump().c_str());
  }
}

void write_results(const std::string& file, const ResultSection& section,
                   const std::vector<ResultTable>& tables) {
  Json json{{"section", section.section},
            {"place", section.place},
            {"about", section.about},
            {"tables", Json::array()}};
  if (std::ifstream before(file); before) json["tables"] = Json::parse(before)["tables"];
  Json& list = json["tables"];
  for (const ResultTable& table : tables) {
    const auto same = std::find_if(list.begin(), list.end(),
                                   [&](const Json& other) { return other["name"] == table.name; });
    if (same == list.end()) {
      list.push_back(as_json(table, section));
    } else {
      *same = as_json(table, section);
    }
  }
  std::ofstream out(file);
  out << text_of(json);
  if (!out.flush()) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace bench
