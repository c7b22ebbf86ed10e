#include "cluster/split/split_messages.h"

#include <bit>
#include <cmath>

#include "cluster/message_bytes.h"

namespace winnow {
namespace {

constexpr int kMostSide = 1 << 16;  // as of pictures (session/detector.cpp)
constexpr std::size_t kLevelBytes = 60, kSurvivorBytes = 16;

void write_level(ByteWriter& body, const Level& level) {
  body.number(std::bit_cast<std::uint32_t>(level.scale));
  body.real(level.factor);
  for (const int value : {level.width, level.height, level.step, level.row_step, level.corner.x,
                          level.corner.y, level.cols, level.rows, level.window.width, level.window.height})
    body.number(std::int32_t{value});
  body.number(level.first_window);
}

Level read_level(HeadReader& reading, Size window) {
  Level level;
  level.scale = std::bit_cast<float>(reading.body().number<std::uint32_t>());
  level.factor = reading.body().real();
  for (int* value : {&level.width, &level.height, &level.step, &level.row_step})
    *value = reading.within(1, kMostSide);
  for (int* value : {&level.corner.x, &level.corner.y, &level.cols, &level.rows})
    *value = reading.within(0, kMostSide);
  for (int* value : {&level.window.width, &level.window.height}) *value = reading.within(0, INT32_MAX);
  level.first_window = reading.body().natural<std::int64_t>();
  const auto fits = [](std::int64_t corner, int count, int step, int length, int side) {
    return count > 0 && corner + (count - std::int64_t{1}) * step + length <= side;
  };
  if (!std::isfinite(level.scale) || !std::isfinite(level.factor) ||
      !fits(level.corner.x, level.cols, level.step, window.width, level.width) ||
      !fits(level.corner.y, level.rows, level.row_step, window.height, level.height))
    HeadReader::refuse();
  return level;
}

}  // namespace

Message to_message(const PictureRows& rows, MessagePart pixels) {
  HeadWriter head(MessageKind::kRows);
  ByteWriter& body = head.body();
  for (const int value : {rows.picture.width, rows.picture.height, rows.rows.first, rows.rows.last})
    body.number(std::int32_t{value});
  body.number(static_cast<std::uint32_t>(rows.plan.levels.size()));
  for (const Level& level : rows.plan.levels) write_level(body, level);
  Message message{body.finish(), {}};
  message.parts.push_back(std::move(pixels));
  return message;
}

PictureRows read_rows(const Message& message, Size window) {
  HeadReader reading(message, MessageKind::kRows);
  PictureRows read;
  read.picture.width = reading.within(1, kMostSide);
  read.picture.height = reading.within(1, kMostSide);
  read.rows.first = reading.within(0, read.picture.height);
  read.rows.last = reading.within(read.rows.first, read.picture.height);
  const std::size_t pixels = static_cast<std::size_t>(read.rows.last - read.rows.first) *
                             static_cast<std::size_t>(read.picture.width);
  if (message.parts.size() != 1 || message.parts[0].bytes.size() != pixels) HeadReader::refuse();
  read.plan.levels.resize(reading.body().count(kLevelBytes));
  for (Level& level : read.plan.levels) {
    level = read_level(reading, window);
    if (level.first_window != read.plan.window_count) HeadReader::refuse();
    read.plan.window_count += std::int64_t{level.rows} * level.cols;
  }
  reading.body().end();
  return read;
}

Message to_message(const Sifted& sifted) {
  HeadWriter head(MessageKind::kSifted);
  ByteWriter& body = head.body();
  head.flag(sifted.failure.has_value());
  if (sifted.failure) head.failure(*sifted.failure);
  const SieveResult& result = sifted.result;
  body.number(static_cast<std::uint32_t>(result.survivors.size()));
  for (const Survivor& survivor : result.survivors) {
    body.number(survivor.window);
    body.real(survivor.score);
  }
  for (const std::int64_t count : {result.windows, result.skipped, result.flat, result.weak})
    body.number(count);
  body.number(static_cast<std::uint32_t>(result.reached.size()));
  for (const std::int64_t count : result.reached) body.number(count);
  return {body.finish(), {}};
}

Sifted read_sifted(const Message& message) {
  HeadReader reading(message, MessageKind::kSifted);
  Sifted read;
  if (reading.flag()) read.failure = reading.failure();
  SieveResult& result = read.result;
  ByteReader& body = reading.body();
  result.survivors.resize(body.count(kSurvivorBytes));
  for (Survivor& survivor : result.survivors) {
    survivor.window = body.natural<std::int64_t>();
    survivor.score = body.real();
  }
  for (std::int64_t* count : {&result.windows, &result.skipped, &result.flat, &result.weak})
    *count = body.natural<std::int64_t>();
  result.reached.resize(body.count(sizeof(std::int64_t)));
  for (std::int64_t& count : result.reached) count = body.natural<std::int64_t>();
  body.end();
  return read;
}

}  // namespace winnow
