// Runs `winnow train pack`: writes positives and negatives into one file, lists a pack, and draws a sheet of
// positives. The opening comment of cli/commands.h, which declares this, holds here.
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/pack.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "training/pack_arguments.h"

namespace winnow::cli {
namespace {

struct Request {
  PackArguments args;
  std::vector<std::string> list, show;
  std::string out, shard_size;
  bool force = false;
};

std::string megabytes(std::uintmax_t bytes) {
  const std::uintmax_t tenths = (bytes + 50'000) / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

std::string size_text(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

std::string summary(const Pack& pack) {
  return counted(static_cast<long long>(pack.positive_count()), "positive") + " of " +
         size_text(pack.window) + (pack.color ? " in colour, " : ", ") +
         counted(static_cast<long long>(pack.negatives.size()), "negative");
}

// Draws `count` positives, chosen evenly, in rows. Each positive is enlarged enough to be recognised.
void write_sheet(const Pack& pack, std::size_t count, const std::string& path) {
  constexpr int kWide = 72, kGap = 2, kSheetWide = 1280;
  count = std::min(count, pack.positive_count());
  require(count > 0, "there is no positive to be shown");
  const int zoom = std::max(1, (kWide + pack.window.width - 1) / pack.window.width);
  const int wide = pack.window.width * zoom + kGap, high = pack.window.height * zoom + kGap;
  const int in_row = std::min(static_cast<int>(count), std::max(1, kSheetWide / wide));
  const int rows = (static_cast<int>(count) + in_row - 1) / in_row;
  GrayImage sheet(in_row * wide + kGap, rows * high + kGap);
  for (std::size_t i = 0; i < count; ++i) {
    const GrayView positive = pack.positive(i * pack.positive_count() / count);
    const int left = kGap + static_cast<int>(i) % in_row * wide,
              top = kGap + static_cast<int>(i) / in_row * high;
    for (int y = 0; y < high - kGap; ++y) {
      for (int x = 0; x < wide - kGap; ++x) sheet.row(top + y)[left + x] = positive.row(y / zoom)[x / zoom];
    }
  }
  write_picture(path, sheet.view());
}

void show(const Request& request, const Pack& pack) {
  if (request.show.empty()) return;
  write_sheet(pack, static_cast<std::size_t>(parse_real("--show", request.show[0])), request.show[1]);
}

std::string recipe_text(const Pack& pack) {
  const auto recipe = nlohmann::ordered_json::parse(pack.recipe, nullptr, false);
  return recipe.is_discarded() ? pack.recipe : recipe.dump(2);
}

int list(const Request& request) {
  const Pack pack = read_pack(request.list);
  std::uintmax_t bytes = 0;
  Size least{1 << 30, 1 << 30}, most{0, 0};
  for (const Pack::Negative& negative : pack.negatives) {
    bytes += negative.file.size();
    least = {std::min(least.width, negative.size.width), std::min(least.height, negative.size.height)};
    most = {std::max(most.width, negative.size.width), std::max(most.height, negative.size.height)};
  }
  std::string text = summary(pack);
  if (!pack.negatives.empty())
    text += " (" + megabytes(bytes) + ", sides from " + size_text(least) + " to " + size_text(most) + ")";
  print(printable(text + "\n" + recipe_text(pack) + "\n"));
  show(request, pack);
  return kExitDone;
}

// The first existing shard of a pack of this name, whether or not earlier shards exist; "" if there is none.
std::string find_shard(const std::string& out) {
  const std::filesystem::path place(out);
  const std::string begin = place.filename().string() + ".";
  std::string least;
  std::error_code error;
  const std::filesystem::path folder = place.has_parent_path() ? place.parent_path() : ".";
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::string number = name.starts_with(begin) ? name.substr(begin.size()) : "";
    if (number.empty() || number[0] == '0' || number.find_first_not_of("0123456789") != std::string::npos)
      continue;
    if (least.empty() || std::pair(number.size(), number) < std::pair(least.size(), least)) least = number;
  }
  return least.empty() ? "" : out + "." + least;
}

// Refuses to overwrite existing files, before pictures are read.
void check_out(const Request& request) {
  const bool whole = request.shard_size.empty();
  const std::string first_shard = request.out + ".1", &file = whole ? request.out : first_shard,
                    &other = whole ? first_shard : request.out;
  std::error_code error;
  require(!std::filesystem::exists(other, error),
          other + " is there already, and a pack is one file or parts: remove it, or write to another name");
  if (!request.force) {
    check_new(file);
    const std::string shard = whole ? "" : find_shard(request.out);
    if (!shard.empty()) check_new(shard);
  }
  check_writable(file, true);
}

int make(Request& request) {
  require(!request.args.positives.empty() || !request.args.negatives.empty(),
          "positives or negatives are needed: --positives P, --negatives N");
  require(!request.out.empty() || !request.show.empty(), "a file to write is needed: --out FILE");
  const std::int64_t shard_bytes =
      request.shard_size.empty() ? 0 : parse_bytes("--part-size", request.shard_size);
  if (!request.out.empty()) check_out(request);
  const Pack pack = make_pack_of(request.args);
  if (!request.out.empty()) {
    for (const std::string& file : write_pack(pack, request.out, shard_bytes)) {
      std::error_code error;
      const auto bytes = std::filesystem::file_size(file, error);
      print(printable(file) + ": " + (error ? std::string("?") : megabytes(bytes)) + "\n");
    }
  }
  print(summary(pack) + "\n");
  show(request, pack);
  return kExitDone;
}

void add_options(CLI::App& app, Request& request) {
  add_pack_options(app, request.args, "Samples");
  app.add_option("--out", request.out, "file to write")->type_name("FILE");
  app.add_option("--part-size", request.shard_size,
                 "write FILE.1, FILE.2, ... of at most this size, such as 60M")
      ->type_name("SIZE");
  app.add_option("--list", request.list, "print the content of this pack; give all its parts")
      ->type_name("FILE...");
  app.add_option("--show", request.show, "draw N positives, taken evenly, into the picture FILE")
      ->type_name("N FILE")
      ->expected(2);
  app.add_flag("--force", request.force, "write over an existing file");
}

void refuse_making_options(const CLI::App& app, bool shows) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string& name = option->get_name();
    require(option->count() == 0 || name == "--list" || name == "--show" || (shows && name == "--force"),
            "--list reads a pack and makes none: " + name + " does not go with it");
  }
}

}  // namespace

int train_pack_command(const Arguments& arguments) {
  CLI::App app("Gathers what training reads: positives of one size, and pictures without the object.",
               "winnow train pack");
  app.footer(
      "Examples:\n"
      "  winnow train pack --positives crops/ --negatives bg.txt --mirror --out faces.pack\n"
      "  winnow train pack --positives points.csv --eyes 36-41/42-47 --negatives scenes/ --augment "
      "copies=3,roll=5 --out points.pack\n"
      "  winnow train pack --list faces.pack --show 100 sheet.png\n\n"
      "A truth says where the objects are. Formats: info.dat, CSV, points, COCO, YOLO, VOC, dlib, FDDB,\n"
      "and iBUG's .pts. Pictures that cannot be used are named and left out; the exit code is still 0.");
  Request request;
  add_options(app, request);
  if (!parse_arguments(app, arguments)) return kExitDone;
  if (!request.show.empty()) {
    const double count = parse_real("--show", request.show[0]);
    require(count >= 1 && count <= 10000 && count == std::floor(count), "--show wants 1 to 10000 positives");
    // The ending is checked before the work, not after it.
    const std::string ending = std::filesystem::path(request.show[1]).extension().string();
    require(ending == ".png" || ending == ".jpg" || ending == ".jpeg" || ending == ".pgm",
            "the sheet must end in .png, .jpg or .pgm: " + request.show[1]);
    for (const std::string& pack : request.list.empty() ? std::vector{request.out} : request.list) {
      require(pack.empty() || !same_place(pack, request.show[1]),
              "--show would write over the pack: " + request.show[1]);
    }
    if (!request.force) check_nothing_lost(request.show[1]);
    check_writable(request.show[1], true);
  }
  if (request.list.empty()) return make(request);
  refuse_making_options(app, !request.show.empty());
  return list(request);
}

}  // namespace winnow::cli
