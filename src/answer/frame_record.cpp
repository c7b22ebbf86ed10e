// Makes records of answered frames, as winnow/answer.h declares; its opening comment holds here.
#include <algorithm>
#include <any>
#include <vector>

#include <winnow/answer.h>

namespace winnow {

std::string record_header(const RecordRules& rules) {
  return rules.points > 0 ? face_header(rules.points, rules.format, rules.timing)
                          : result_header(rules.format, rules.timing);
}

FrameRecord record_of(const ScanEvent& frame, const RecordRules& rules) {
  FrameResult result;
  result.source = frame.from->path;
  result.frame = frame.index;
  result.time = frame.time;
  result.picture = frame.picture.gray.size();
  result.model = rules.model;
  result.backend = frame.found.backend;
  result.seconds = frame.seconds;
  FrameRecord record;
  if (const auto* followed = std::any_cast<std::vector<Followed>>(&frame.answer)) {
    result.followed = *followed;
    for (const Followed& face : *followed) record.last_id = std::max(record.last_id, face.id);
  } else {
    result.objects = frame.found.objects;
    if (rules.points > 0) result.shapes = std::any_cast<const std::vector<Shape>&>(frame.answer);
    record.objects = result.objects.size();
  }
  record.lines = rules.points > 0 ? face_lines(result, rules.format, rules.timing)
                                  : result_lines(result, rules.format, rules.timing);
  record.unread = frame.unread;
  record.large_window = 10 * rules.window.height > result.picture.height;
  return record;
}

}  // namespace winnow
