#include "tracking/table_rows.h"

#include <algorithm>

#include "frame_size.h"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;
using Figure = std::optional<double>;

Json json_of(const Figure& figure) { return figure ? Json(*figure) : Json(nullptr); }

Figure ratio_of(const Figure& a, const Figure& b) {
  return a && b && *b > 0 ? Figure(*a / *b) : std::nullopt;
}

const std::vector<std::string> kMachines = {"cpu_1", "cpu_n", "split", "device"};
const std::vector<std::string> kHeads = {"one thread", "all threads", "the paper's split", "on the device"};

void add_machines(ResultList& list, const std::string& unit, int digits) {
  for (std::size_t i = 0; i < kMachines.size(); ++i) {
    list.columns.push_back(kMachines[i]);
    list.values.push_back({kMachines[i], kHeads[i] + unit, digits});
  }
}

// Windows and survivors, beside every time.
const std::vector<std::pair<std::string, std::string>> kCounts = {
    {"windows", "windows"}, {"varied", "vary enough"}, {"likely", "likely"}, {"candidates", "candidates"}};

void add_counts(ResultList& list) {
  for (const auto& [name, head] : kCounts) {
    list.columns.push_back(name);
    list.values.push_back({name, head, 0});
  }
}

void append_counts(Json& row, const Measures& measures) {
  for (const auto& [name, head] : kCounts) row.push_back(json_of(measures.of(name)));
}

// The times of a part on each machine.
struct Part {
  std::string name;
  std::int64_t calls;
  std::vector<Figure> ms;  // as kMachines
};

std::vector<Part> components_of(const SizeMeasures& of) {
  const Measures& m = of.measures;
  const bool device = !of.forms.empty();
  const auto on = [&](const Figure& figure) { return device ? figure : Figure(); };
  const Figure blur = m.of("cpu_1 blur"), integral = m.of("cpu_1 integral"), learn = m.of("cpu_1 learn"),
               others = m.of("cpu_1 others");
  std::vector<Part> parts = {
      {"recall",
       m.calls("cpu_1 variance"),
       {m.sum({"cpu_1 variance", "cpu_1 indices", "cpu_1 confidence"}),
        m.sum({"cpu_n variance", "cpu_n indices", "cpu_n confidence"}), m.of("split"), m.of("sieve")}},
      {"blur", m.calls("cpu_1 blur"), {blur, blur, m.of("blur"), m.of("blur")}},
      {"integral", m.calls("cpu_1 integral"), {integral, integral, m.of("integral"), m.of("integral")}},
      {"flow",
       m.calls("cpu_1 flow"),
       {m.of("cpu_1 flow"), m.of("cpu_n flow"), m.of("device flow"), m.of("device flow")}},
      {"learning", m.calls("cpu_1 learn"), {learn, learn, on(learn), on(learn)}},
      {"others", m.calls("cpu_1 others"), {others, others, on(others), on(others)}}};
  if (device)
    parts.push_back({"copy of the frame", of.frames, {0.0, 0.0, m.of("copy frame"), m.of("copy frame")}});
  return parts;
}

// The paper's table 1 and figure 1, and its table 3.
ResultList components(const std::vector<SizeMeasures>& sizes) {
  ResultList list{
      "track_components",
      "Parts of a frame",
      "milliseconds a call; percent of the sequence",
      "",
      "Blur and integral planes have one thread on a processor. Learning and the nearest "
      "neighbours (\"others\") stay on one thread of the host. \"recall\" on the device is "
      "Winnow's sieve. Flow copies its frame itself. Parts are timed alone, so their sum overlaps nothing.",
      {"size", "part", "calls"},
      {{"size", "frame"}, {"part", "part"}},
      {{"calls", "calls", 0}}};
  add_machines(list, ", ms", 3);
  for (std::size_t i = 0; i < kMachines.size(); ++i) {
    list.columns.push_back(kMachines[i] + "_share");
    list.values.push_back({kMachines[i] + "_share", kHeads[i] + ", %", 1});
  }
  for (const SizeMeasures& of : sizes) {
    std::vector<Part> parts = components_of(of);
    Part total{"all", of.frames, {}};
    std::vector<Figure> sequence;  // milliseconds of all frames
    for (std::size_t i = 0; i < kMachines.size(); ++i) {
      Figure ms = 0.0, all = 0.0;
      for (const Part& part : parts) {
        ms = ms && part.ms[i] ? Figure(*ms + *part.ms[i]) : std::nullopt;
        all = all && part.ms[i] ? Figure(*all + *part.ms[i] * static_cast<double>(part.calls)) : std::nullopt;
      }
      total.ms.push_back(ms);
      sequence.push_back(all);
    }
    for (const Part& part : parts) {
      Json row{size_in_words(of.size), part.name, part.calls};
      for (const Figure& ms : part.ms) row.push_back(json_of(ms));
      for (std::size_t i = 0; i < kMachines.size(); ++i) {
        const Figure own =
            part.ms[i] ? Figure(*part.ms[i] * static_cast<double>(part.calls) * 100) : std::nullopt;
        row.push_back(json_of(ratio_of(own, sequence[i])));
      }
      list.rows.push_back(std::move(row));
    }
    Json row{size_in_words(of.size), total.name, total.calls};
    for (const Figure& ms : total.ms) row.push_back(json_of(ms));
    for (const Figure& all : sequence) row.push_back(all ? Json(100.0) : Json(nullptr));
    list.rows.push_back(std::move(row));
  }
  return list;
}

// The paper's table 2.
ResultList recall(const std::vector<SizeMeasures>& sizes) {
  ResultList list{
      "track_recall",
      "Total recall, part by part",
      "milliseconds a call",
      "",
      "The grid is searched without halving the frame. The column \"the paper's split\" has "
      "clusters by load, a prefix sum, indices by ferns, and confidences by all threads of the host. The "
      "column \"on the device\" "
      "has a thread a window, CUB's selection, indices by windows, and sums there. The whole of the "
      "split is timed from its call to its end. The whole on the device is Winnow's sieve.",
      {"size", "part"},
      {{"size", "frame"}, {"part", "part"}},
      {}};
  add_counts(list);
  add_machines(list, ", ms", 3);
  for (const SizeMeasures& of : sizes) {
    const Measures& m = of.measures;
    const auto add = [&](const char* part, std::vector<Figure> ms) {
      Json row{size_in_words(of.size), part};
      append_counts(row, m);
      for (const Figure& figure : ms) row.push_back(json_of(figure));
      list.rows.push_back(std::move(row));
    };
    const Figure split = m.of("split"),
                 parts = m.sum({"variance clusters by load", "compaction scan",
                                "indices fern-box clusters by load", "copy indices", "split confidence"});
    add("variance", {m.of("cpu_1 variance"), m.of("cpu_n variance"), m.of("variance clusters by load"),
                     m.of("variance plain")});
    add("compaction", {{}, {}, m.of("compaction scan"), m.of("compaction select")});
    add("indices", {m.of("cpu_1 indices"), m.of("cpu_n indices"), m.of("indices fern-box clusters by load"),
                    m.of("indices box-fern plain")});
    add("copy of indices", {{}, {}, m.of("copy indices"), {}});
    add("confidence", {m.of("cpu_1 confidence"), m.of("cpu_n confidence"), m.of("split confidence"),
                       m.of("confidence device")});
    add("other overheads",
        {{}, {}, split && parts ? Figure(std::max(0.0, *split - *parts)) : std::nullopt, {}});
    add("all", {m.sum({"cpu_1 variance", "cpu_1 indices", "cpu_1 confidence"}),
                m.sum({"cpu_n variance", "cpu_n indices", "cpu_n confidence"}), split, m.of("sieve")});
    add("all, Winnow's sieve", {m.of("cpu_1 sift"), {}, {}, {}});
  }
  return list;
}

// The paper's algorithm 2 and figure 5.
ResultList clusters(const std::vector<SizeMeasures>& sizes) {
  ResultList list{
      "track_clusters",
      "Clusters of scan lines against a plain order",
      "milliseconds",
      "",
      "\"clusters by load\" is the paper's order, \"clusters in order\" the one that it warns of. "
      "Algorithm 2 chooses pairs and calls. Without clusters a thread judges one window, and reads "
      "integral planes without shared memory. Indices follow the order that the compaction left.",
      {"size", "form", "pairs", "clusters", "calls", "threads", "occupancy", "most", "mean", "lines",
       "variance", "indices"},
      {{"size", "frame"}, {"form", "form"}},
      {{"pairs", "pairs a cluster", 0},
       {"clusters", "clusters", 0},
       {"calls", "calls", 0},
       {"threads", "threads a block", 0},
       {"occupancy", "occupancy", 2},
       {"most", "most windows a cluster", 0},
       {"mean", "mean windows", 0},
       {"lines", "mean lines", 1},
       {"variance", "variance, ms", 4},
       {"indices", "indices, ms", 4}}};
  for (const SizeMeasures& of : sizes) {
    if (of.forms.empty()) continue;
    list.rows.push_back({size_in_words(of.size), "a thread a window", nullptr, nullptr, 1, 256, nullptr,
                         nullptr, nullptr, nullptr, json_of(of.measures.of("variance plain")),
                         json_of(of.measures.of("indices fern-box plain"))});
    for (const ClusterForm& form : of.forms)
      list.rows.push_back({size_in_words(of.size), form.name, form.calls.cluster_size, form.calls.clusters,
                           form.calls.calls, form.calls.threads, form.calls.occupancy, form.most_windows,
                           form.mean_windows, form.mean_lines,
                           json_of(of.measures.of("variance " + form.name)),
                           json_of(of.measures.of("indices fern-box " + form.name))});
  }
  return list;
}

// The paper's algorithm 4, and detector and flow at the same time.
ResultList overlaps(const std::vector<SizeMeasures>& sizes) {
  ResultList list{
      "track_overlap",
      "Work that overlaps, or not",
      "milliseconds",
      "",
      "Algorithm 4: variance, compaction and copies of several calls on four streams, call after call "
      "or kind after kind. Detector and flow: on a processor one thread each, on the device "
      "Winnow's sieve with its copies, and flow. Times are the host's, from the first call to the "
      "last result.",
      {"size", "what", "after", "beside", "ratio"},
      {{"size", "frame"}, {"what", "work"}},
      {{"after", "one after the other, ms", 3},
       {"beside", "overlapped, ms", 3},
       {"ratio", "times as fast", 2}}};
  for (const SizeMeasures& of : sizes)
    for (const auto& [what, after, beside] :
         {std::tuple("detector and flow, processor", "cpu detector then flow", "cpu detector beside flow"),
          {"detector and flow, device", "device detector then flow", "device detector beside flow"},
          {"algorithm 4", "calls one by one", "calls by kind"}}) {
      const Figure first = of.measures.of(after), second = of.measures.of(beside);
      if (!first) continue;
      list.rows.push_back(
          {size_in_words(of.size), what, json_of(first), json_of(second), json_of(ratio_of(first, second))});
    }
  return list;
}

// The paper's algorithm 5.
ResultList layouts(const std::vector<SizeMeasures>& sizes) {
  ResultList list{
      "track_indices",
      "Indices of ferns in two layouts, and Winnow's sieve",
      "milliseconds",
      "",
      "Indices are written for each window that varies enough. Winnow's three kernels write none: "
      "they judge variance and ferns, and list likely windows. So their time stands beside the sum "
      "of variance, compaction, indices and sums.",
      {"size", "form", "windows", "varied", "ms"},
      {{"size", "frame"}, {"form", "form"}},
      {{"windows", "windows", 0}, {"varied", "vary enough", 0}, {"ms", "ms", 4}}};
  for (const SizeMeasures& of : sizes) {
    if (of.forms.empty()) continue;
    const Measures& m = of.measures;
    const auto add = [&](const char* form, const Figure& ms) {
      list.rows.push_back(
          {size_in_words(of.size), form, json_of(m.of("windows")), json_of(m.of("varied")), json_of(ms)});
    };
    add("indices [fern][window]", m.of("indices fern-box plain"));
    add("indices [window][fern]", m.of("indices box-fern plain"));
    add("variance, compaction, indices and sums",
        m.sum({"variance plain", "compaction select", "indices fern-box plain", "confidence device"}));
    add("Winnow's sieve", m.of("sieve"));
  }
  return list;
}

// The paper's figure 8.
ResultList arrays(const std::vector<SizeMeasures>& sizes, int threads) {
  ResultList list{
      "track_confidence",
      "Confidence on the host, with and without arrays of its own",
      "milliseconds",
      "",
      "Sums of ten values a window. Threads take equal parts of a list that is in the order of "
      "clusters by load, as the device leaves it. Each thread writes into an array of its own, which "
      "one thread then spreads, or directly.",
      {"size", "threads", "varied", "own", "shared", "ratio"},
      {{"size", "frame"}, {"threads", "threads"}},
      {{"varied", "windows", 0},
       {"own", "own arrays, ms", 4},
       {"shared", "shared array, ms", 4},
       {"ratio", "shared by own", 2}}};
  for (const SizeMeasures& of : sizes)
    for (const auto& [name, count] : {std::pair(std::string("cpu_1"), 1), {std::string("cpu_n"), threads}}) {
      const Figure own = of.measures.of(name + " confidence own"),
                   shared = of.measures.of(name + " confidence shared");
      list.rows.push_back({size_in_words(of.size), count, json_of(of.measures.of("varied")), json_of(own),
                           json_of(shared), json_of(ratio_of(shared, own))});
    }
  return list;
}

}  // namespace

void Measures::add(const std::string& name, double figure) {
  for (auto& [other, list] : lists_)
    if (other == name) return list.add(figure);
  lists_.emplace_back(name, FrameTimes()).second.add(figure);
}

const FrameTimes* Measures::find(const std::string& name) const {
  for (const auto& [other, list] : lists_)
    if (other == name) return &list;
  return nullptr;
}

std::optional<double> Measures::of(const std::string& name) const {
  const FrameTimes* const list = find(name);
  return list != nullptr ? std::optional(list->middle()) : std::nullopt;
}

std::optional<double> Measures::sum(const std::vector<std::string>& names) const {
  double sum = 0;
  for (const std::string& name : names) {
    const std::optional<double> figure = of(name);
    if (!figure) return std::nullopt;
    sum += *figure;
  }
  return sum;
}

std::int64_t Measures::calls(const std::string& name) const {
  const FrameTimes* const list = find(name);
  return list != nullptr ? static_cast<std::int64_t>(list->all().size()) : 0;
}

std::vector<ResultList> track_tables(const std::vector<SizeMeasures>& sizes, int threads,
                                     const std::string& command, const std::string& about) {
  std::vector<ResultList> all = {components(sizes), recall(sizes),  clusters(sizes),
                                 overlaps(sizes),   layouts(sizes), arrays(sizes, threads)};
  std::erase_if(all, [](const ResultList& list) { return list.rows.empty(); });
  for (ResultList& list : all) {
    list.command = command;
    list.about = about + " " + list.about;
  }
  return all;
}

}  // namespace bench
