// Writes the page of an evaluation of trackers, as winnow/eval_tracking.h declares.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <winnow/eval_tracking.h>

#include "eval/page_words.h"
#include "eval/tracking/tracking_report.h"
#include "page/html.h"
#include "page/svg_plot.h"

namespace winnow {
namespace {

// A curve over the frames of a sequence has at most this many points.
constexpr std::size_t kMostPoints = 500;

// The mean overlaps of equally long runs of frames. A run lies at the middle of its frames. Frames without the
// object count 0 if the tracker gave a box, and are left out if the tracker gave none.
std::vector<PlotPoint> overlap_curve(const std::vector<JudgedFrame>& frames) {
  const std::size_t length = (frames.size() + kMostPoints - 1) / kMostPoints;
  std::vector<PlotPoint> points;
  for (std::size_t begin = 0; begin < frames.size(); begin += length) {
    const std::size_t end = std::min(begin + length, frames.size());
    double sum = 0, count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!frames[i].present && !frames[i].found) continue;
      sum += frames[i].overlap;
      ++count;
    }
    const double middle = 1 + static_cast<double>(begin + end - 1) / 2;
    if (count > 0) points.push_back({middle, sum / count});
  }
  return points;
}

class Page {
 public:
  explicit Page(const TrackingReport& report) : report_(report), overlap_(right_overlap(report)) {
    for (const EvaluatedTracker& tracker : report.trackers) {
      means_.push_back(mean_figures(tracker.sequences));
      reliabilities_.push_back(joined_reliability(tracker.sequences));
    }
  }

  std::string text() {
    text_ = page_head(clean(report_.title));
    set();
    rows();
    curves();
    reliability_rows();
    frames();
    files();
    text_ += page_end();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> pattern, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), pattern, std::forward<Values>(values)...);
  }

  bool several() const { return report_.sequences.size() > 1; }

  void set() {
    MarkedFrames all;
    for (const MarkedSequence& sequence : report_.sequences) {
      const MarkedFrames frames = count_marked(sequence);
      all.present += frames.present;
      all.absent += frames.absent;
    }
    const auto sequences = static_cast<std::int64_t>(report_.sequences.size());
    add("<p>{} {}, {} frames with the object and {} without. The first frame of a sequence gives the object "
        "to the tracker, and is not judged.</p>\n",
        spaced(sequences), sequences == 1 ? "sequence" : "sequences", spaced(all.present),
        spaced(all.absent));
  }

  void rows() {
    add("<h2>Figures</h2>\n<div class=\"wide\"><table>\n<thead><tr><th class=\"name\">Tracker</th>"
        "<th class=\"name\">Sequence</th><th>AUC</th><th>Within {} px</th><th>Precision</th><th>Recall</th>"
        "<th>F</th><th>Lost, absent</th><th>Lost, present</th></tr></thead>\n<tbody>\n",
        kReportedPixels);
    for (std::size_t t = 0; t < report_.trackers.size(); ++t) {
      const EvaluatedTracker& tracker = report_.trackers[t];
      if (several()) row(tracker.name, "mean", means_[t]);
      for (std::size_t s = 0; s < tracker.sequences.size(); ++s)
        row(several() ? std::string() : tracker.name, report_.sequences[s].name,
            tracker.sequences[s].figures);
    }
    add("</tbody></table></div>\n<p>AUC: the mean of the success curve. Within {} px: the share of frames "
        "with "
        "the object in which the middles of both boxes are at most that far apart. Precision: the share of "
        "boxes that overlap the object by at least {}. Recall: the share of frames with the object that have "
        "such a box. F: the harmonic mean of both. Lost: the share of frames without the object, and of "
        "frames with the object, in which the tracker gave no box.</p>\n",
        kReportedPixels, overlap_);
  }

  void row(const std::string& tracker, const std::string& sequence, const TrackingFigures& figures) {
    add("<tr><td class=\"name\">{}</td><td class=\"name\">{}</td><td>{}</td><td>{}</td>", clean(tracker),
        clean(sequence), plain(figures.auc), percent(figures.within[kReportedPixels]));
    add("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", percent(figures.precision),
        percent(figures.recall), plain(figures.f), percent(figures.lost_absent),
        percent(figures.lost_present));
  }

  void figure(const Plot& plot, const std::string& caption) {
    add("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg_plot(plot), xml_text(caption));
  }

  void curves() {
    Plot success{"Success", {"overlap", 0, 1, false}, {"share of frames with the object", 0, 1, false}, {}};
    Plot within{"Distance of the middles",
                {"distance in pixels", 0, static_cast<double>(kMostPixels), false},
                {"share of frames with the object", 0, 1, false},
                {}};
    for (std::size_t t = 0; t < report_.trackers.size(); ++t) {
      const std::string name = clean_text(report_.trackers[t].name);
      const TrackingFigures& mean = means_[t];
      PlotSeries curve{fmt::format("{}: AUC {}", name, plain(mean.auc)), {}, false};
      for (std::size_t i = 0; i <= kSuccessSteps; ++i)
        curve.points.push_back({static_cast<double>(i) / kSuccessSteps, mean.success[i]});
      success.series.push_back(std::move(curve));
      PlotSeries far{
          fmt::format("{}: {} at {}", name, percent(mean.within[kReportedPixels]), kReportedPixels),
          {},
          false};
      for (std::size_t i = 0; i <= kMostPixels; ++i)
        far.points.push_back({static_cast<double>(i), mean.within[i]});
      within.series.push_back(std::move(far));
    }
    const std::string mean = several() ? " Mean of all sequences." : "";
    add("<h2>Curves</h2>\n<div class=\"plots\">\n");
    figure(success, "The share of frames whose overlap is larger; no box counts as overlap 0." + mean);
    figure(within, "The share of frames in which the middles are at most that far apart." + mean);
    reliability_plot();
    add("</div>\n");
  }

  bool has_reliability() const {
    return std::any_of(reliabilities_.begin(), reliabilities_.end(),
                       [](const auto& reliability) { return reliability.has_value(); });
  }

  void reliability_plot() {
    if (!has_reliability()) return;
    Plot plot{"Stated and observed confidence",
              {"stated confidence", 0, 1, false},
              {"share of boxes that are right", 0, 1, false},
              {}};
    // Every tracker has a series, so that it has the same colour in all plots.
    for (std::size_t t = 0; t < reliabilities_.size(); ++t) {
      const std::string name = clean_text(report_.trackers[t].name);
      PlotSeries series{name + ": states none", {}, false};
      if (reliabilities_[t]) {
        series.name = fmt::format("{}: mean difference {}", name, plain(reliabilities_[t]->difference()));
        for (const TrackingBin& bin : reliabilities_[t]->bins)
          series.points.push_back({bin.stated, bin.right});
      }
      plot.series.push_back(std::move(series));
    }
    plot.series.push_back({"exact statements", {{0, 0}, {1, 1}}, false});
    figure(plot, fmt::format("Tenths of the stated confidence, all sequences together. A box is right if it "
                             "overlaps the object by at least {}. Tenths without boxes are left out.",
                             overlap_));
  }

  void reliability_rows() {
    if (!has_reliability()) return;
    add("<h2>Confidence</h2>\n<div class=\"wide\"><table>\n<thead><tr><th class=\"name\">Tracker</th>"
        "<th class=\"name\"></th>");
    for (int tenth = 0; tenth < 10; ++tenth) add("<th>{:.1f} to {:.1f}</th>", tenth / 10., (tenth + 1) / 10.);
    add("<th>Mean difference</th></tr></thead>\n<tbody>\n");
    for (std::size_t t = 0; t < reliabilities_.size(); ++t) {
      if (!reliabilities_[t]) continue;
      const auto& bins = reliabilities_[t]->bins;
      add("<tr><td class=\"name\">{}</td><td class=\"name\">stated</td>", clean(report_.trackers[t].name));
      for (const TrackingBin& bin : bins) add("<td>{}</td>", plain(bin.stated));
      add("<td>{}</td></tr>\n<tr><td></td><td class=\"name\">right</td>",
          plain(reliabilities_[t]->difference()));
      for (const TrackingBin& bin : bins) add("<td>{}</td>", plain(bin.right));
      add("<td></td></tr>\n<tr><td></td><td class=\"name\">distance, px</td>");
      for (const TrackingBin& bin : bins) add("<td>{}</td>", number(bin.distance));
      add("<td></td></tr>\n<tr><td></td><td class=\"name\">boxes</td>");
      for (const TrackingBin& bin : bins) add("<td>{}</td>", spaced(bin.boxes));
      add("<td></td></tr>\n");
    }
    add("</tbody></table></div>\n");
  }

  void frames() {
    add("<h2>Frame by frame</h2>\n<div class=\"plots\">\n");
    for (std::size_t s = 0; s < report_.sequences.size(); ++s) {
      const MarkedSequence& sequence = report_.sequences[s];
      Plot plot{clean_text(sequence.name),
                {"frame", 0, static_cast<double>(sequence.truth.frames.size()), false},
                {"overlap", 0, 1, false},
                {}};
      for (const EvaluatedTracker& tracker : report_.trackers)
        plot.series.push_back({clean_text(tracker.name), overlap_curve(tracker.sequences[s].frames), false});
      figure(plot,
             "A box where there is no object counts as overlap 0. So does no box where there is an object.");
    }
    add("</div>\n");
  }

  void files() {
    add("<h2>Files</h2>\n<dl>\n");
    for (std::size_t s = 0; s < report_.sequences.size(); ++s) {
      const MarkedSequence& sequence = report_.sequences[s];
      const MarkedFrames marked = count_marked(sequence);
      add("<dt>{}</dt><dd>{} ({}): {} frames with the object, {} without", clean(sequence.name),
          clean(sequence.file), box_track_format_name(sequence.truth.format), spaced(marked.present),
          spaced(marked.absent));
      for (const EvaluatedTracker& tracker : report_.trackers)
        if (!tracker.files.empty())
          add("<br>{}: {} ({})", clean(tracker.name), clean(tracker.files[s]),
              box_track_format_name(tracker.sequences[s].format));
      add("</dd>\n");
    }
    add("</dl>\n");
  }

  const TrackingReport& report_;
  const double overlap_;
  std::vector<TrackingFigures> means_;
  std::vector<std::optional<TrackingReliability>> reliabilities_;
  std::string text_;
};

}  // namespace

std::string tracking_eval_page(const TrackingReport& report) {
  check_trackers(report);
  return Page(report).text();
}

}  // namespace winnow
