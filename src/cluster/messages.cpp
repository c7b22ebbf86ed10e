// Writes and reads messages, as cluster/messages.h declares; its opening comment holds here.
#include "cluster/messages.h"

#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "cluster/message_bytes.h"

namespace winnow {
namespace {

constexpr int kMostSide = 1 << 24;

// A part's bytes as a file that owns them.
FileBytes to_file(const MessagePart& part) {
  if (part.file != nullptr) return part.file;
  return std::make_shared<const std::vector<std::byte>>(part.bytes.begin(), part.bytes.end());
}

template <class Pixel>
std::span<const std::byte> bytes_of(const Image<Pixel>& image) {
  const auto view = image.view();
  return {reinterpret_cast<const std::byte*>(view.data),
          static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height) * sizeof(Pixel)};
}

template <class Pixel>
Image<Pixel> image_of(const MessagePart& part, Size size) {
  Image<Pixel> image(size.width, size.height);
  const std::size_t bytes = bytes_of(image).size();
  if (part.bytes.size() != bytes) HeadReader::refuse();
  std::memcpy(image.row(0), part.bytes.data(), bytes);
  return image;
}

}  // namespace

MessageKind kind_of(const Message& message) {
  ByteReader body(message.head, HeadWriter::kMagic, HeadWriter::kVersion, HeadWriter::kWhat);
  const auto kind = body.number<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(MessageKind::kSifted)) HeadReader::refuse();
  return static_cast<MessageKind>(kind);
}

Message plain_message(MessageKind kind) { return {HeadWriter(kind).body().finish(), {}}; }

Message to_message(const Hello& hello) {
  HeadWriter head(MessageKind::kHello);
  ByteWriter& body = head.body();
  head.text(hello.version);
  body.number(static_cast<std::uint32_t>(hello.arguments.size()));
  for (const std::string& argument : hello.arguments) head.text(argument);
  body.number(static_cast<std::uint32_t>(hello.files.size()));
  Message message;
  for (const NamedFile& file : hello.files) {
    head.text(file.name);
    const auto owner = std::make_shared<const std::vector<std::byte>>(file.bytes);
    message.parts.push_back({*owner, owner});
  }
  message.head = body.finish();
  return message;
}

Hello read_hello(const Message& message) {
  HeadReader reading(message, MessageKind::kHello);
  Hello hello;
  hello.version = reading.text();
  hello.arguments.resize(reading.body().count(sizeof(std::uint32_t)));
  for (std::string& argument : hello.arguments) argument = reading.text();
  hello.files.resize(reading.body().count(sizeof(std::uint32_t)));
  if (message.parts.size() != hello.files.size()) HeadReader::refuse();
  for (std::size_t i = 0; i < hello.files.size(); ++i) {
    const std::span<const std::byte> bytes = message.parts[i].bytes;
    hello.files[i] = {reading.text(), {bytes.begin(), bytes.end()}};
  }
  reading.body().end();
  return hello;
}

Failure present_failure() {
  try {
    throw;
  } catch (const Error& error) {
    const std::string place = error.place().empty() ? "" : error.place() + ": ";
    return {error.code(), true, place + error.sentence(), error.file()};
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kLimit, true, "there is not enough memory", {}};
  } catch (const std::exception& error) {
    return {ErrorCode::kUsage, false, error.what(), {}};
  }
}

void throw_failure(const Failure& failure) {
  if (failure.is_error) throw Error(failure.code, failure.sentence, failure.file);
  throw std::runtime_error(failure.sentence);
}

Message to_message(const Ready& ready) {
  HeadWriter head(MessageKind::kReady);
  ByteWriter& body = head.body();
  head.flag(ready.color);
  head.flag(ready.failure.has_value());
  if (ready.failure) head.failure(*ready.failure);
  return {body.finish(), {}};
}

Ready read_ready(const Message& message) {
  HeadReader reading(message, MessageKind::kReady);
  Ready ready;
  ready.color = reading.flag();
  if (reading.flag()) ready.failure = reading.failure();
  reading.body().end();
  return ready;
}

void ParcelWriter::add(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  bytes_ += bytes.size();
  parts_.push_back({bytes, std::move(owner)});
}

void ParcelWriter::picture(std::shared_ptr<const Input> input, FileBytes file) {
  Entry entry;
  entry.kind = Item::Kind::kPicture;
  entry.input = std::move(input);
  entries_.push_back(std::move(entry));
  ++items_;
  add(*file, file);
  parts_.back().file = std::move(file);
}

void ParcelWriter::frame(FrameEvent frame, bool first) {
  Entry entry;
  entry.kind = Item::Kind::kFrame;
  if (first) entry.input = frame.from;
  entry.index = frame.index;
  entry.time = frame.time;
  entry.video = frame.video != nullptr;
  entry.color = !frame.picture.color.empty();
  entry.size = frame.picture.gray.size();
  entries_.push_back(std::move(entry));
  ++items_;
  const auto picture = std::make_shared<const Picture>(std::move(frame.picture));
  add(bytes_of(picture->gray), picture);
  if (!picture->color.empty()) add(bytes_of(picture->color), picture);
}

void ParcelWriter::end_frames() { entries_.push_back({}); }

Message ParcelWriter::finish() {
  HeadWriter head(MessageKind::kParcel);
  ByteWriter& body = head.body();
  body.number(static_cast<std::uint32_t>(entries_.size()));
  for (const Entry& entry : entries_) {
    body.number(static_cast<std::uint8_t>(entry.kind));
    if (entry.kind == Item::Kind::kEnd) continue;
    head.flag(entry.input != nullptr);
    if (entry.input != nullptr) {
      body.number(static_cast<std::uint8_t>(entry.input->kind));
      head.text(entry.input->path);
      head.text(entry.input->place);
    }
    if (entry.kind == Item::Kind::kPicture) continue;
    body.number(entry.index);
    head.flag(entry.time.has_value());
    body.real(entry.time.value_or(0));
    head.flag(entry.video);
    head.flag(entry.color);
    body.number(entry.size.width);
    body.number(entry.size.height);
  }
  Message message{body.finish(), std::exchange(parts_, {})};
  entries_.clear();
  items_ = bytes_ = 0;
  return message;
}

std::vector<Item> read_parcel(const Message& message) {
  HeadReader reading(message, MessageKind::kParcel);
  ByteReader& body = reading.body();
  std::vector<Item> items(body.count(1));
  std::size_t part = 0;
  const auto next_part = [&]() -> const MessagePart& {
    if (part == message.parts.size()) HeadReader::refuse();
    return message.parts[part++];
  };
  for (Item& item : items) {
    item.kind = static_cast<Item::Kind>(reading.small(static_cast<std::uint8_t>(Item::Kind::kEnd)));
    if (item.kind == Item::Kind::kEnd) continue;
    if (reading.flag()) {
      item.input.emplace();
      item.input->kind = static_cast<InputKind>(reading.small(static_cast<std::uint8_t>(InputKind::kBroken)));
      item.input->path = reading.text();
      item.input->place = reading.text();
    }
    if (item.kind == Item::Kind::kPicture) {
      if (!item.input) HeadReader::refuse();
      item.input->file = to_file(next_part());
      continue;
    }
    item.index = body.natural<std::int64_t>();
    const bool timed = reading.flag();
    const double time = body.real();
    if (timed) item.time = time;
    item.video = reading.flag();
    const bool color = reading.flag();
    const auto side = [&] {
      const auto value = body.natural<std::int32_t>();
      if (value > kMostSide) HeadReader::refuse();
      return value;
    };
    const int width = side(), height = side();
    const MessagePart& gray = next_part();
    if (gray.bytes.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
      HeadReader::refuse();
    item.picture.gray = image_of<std::uint8_t>(gray, {width, height});
    if (color) item.picture.color = image_of<Rgb>(next_part(), {width, height});
  }
  if (part != message.parts.size()) HeadReader::refuse();
  body.end();
  return items;
}

Message to_message(const RankAnswers& answers) {
  HeadWriter head(MessageKind::kRecords);
  ByteWriter& body = head.body();
  head.text(answers.note);
  body.number(static_cast<std::uint32_t>(answers.answers.size()));
  for (const RankAnswer& answer : answers.answers) {
    head.text(answer.record.lines);
    body.number(static_cast<std::uint64_t>(answer.record.objects));
    body.number(answer.record.last_id);
    head.flag(answer.record.large_window);
    body.number(answer.record.unread);
    head.text(answer.problem);
    head.flag(answer.failure.has_value());
    if (answer.failure) head.failure(*answer.failure);
  }
  return {body.finish(), {}};
}

RankAnswers read_answers(const Message& message) {
  HeadReader reading(message, MessageKind::kRecords);
  RankAnswers read;
  read.note = reading.text();
  read.answers.resize(reading.body().count(sizeof(std::uint32_t)));
  for (RankAnswer& answer : read.answers) {
    answer.record.lines = reading.text();
    answer.record.objects = static_cast<std::size_t>(reading.body().number<std::uint64_t>());
    answer.record.last_id = reading.body().natural<std::int32_t>();
    answer.record.large_window = reading.flag();
    answer.record.unread = reading.body().natural<std::int64_t>();
    answer.problem = reading.text();
    if (reading.flag()) answer.failure = reading.failure();
  }
  reading.body().end();
  return read;
}

Message to_message(const Done& done) {
  HeadWriter head(MessageKind::kDone);
  ByteWriter& body = head.body();
  body.number(done.frames);
  body.real(done.seconds);
  return {body.finish(), {}};
}

Done read_done(const Message& message) {
  HeadReader reading(message, MessageKind::kDone);
  Done done;
  done.frames = reading.body().natural<std::int64_t>();
  done.seconds = reading.body().real();
  reading.body().end();
  return done;
}

}  // namespace winnow
