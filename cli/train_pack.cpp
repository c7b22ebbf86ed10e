// `winnow train pack`: positives and negatives into one file, what is in one, and a sheet to look at.
#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/pack.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "commands.h"
#include "standard_output.h"
#include "terminal.h"
#include "text.h"

namespace winnow::cli {
namespace {

struct Request {
  std::vector<std::string> positives, negatives, list, show;
  std::string out, window = "24x24", augment, crop, warp_angles, part_size;
  PackOptions options;
};

double parse_real(const std::string& option, std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value);
  require(good, option + " wants numbers, not '" + std::string(text) + "'");
  return value;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) c == ',' ? void(parts.emplace_back()) : parts.back().push_back(c);
  return parts;
}

std::vector<double> parse_reals(const std::string& option, const std::string& text, std::size_t count,
                                const std::string& shape) {
  const std::vector<std::string> parts = split(text);
  require(parts.size() == count, option + " wants " + shape + ", not '" + text + "'");
  std::vector<double> values;
  for (const std::string& part : parts) values.push_back(parse_real(option, part));
  return values;
}

// "copies=3,roll=5"
void parse_augment(const std::string& text, Jitter& jitter) {
  const std::string shape =
      "--augment wants copies=N and any of roll, scale, shift, blur, gamma, gradient, noise (such as "
      "copies=3,roll=5,noise=0.02), not '" +
      text + "'";
  for (const std::string& part : split(text)) {
    const std::size_t equals = part.find('=');
    require(equals != std::string::npos, shape);
    const std::string name = part.substr(0, equals);
    const double value = parse_real("--augment", part.substr(equals + 1));
    if (name == "copies") {
      require(value >= 1 && value <= 1000 && value == std::floor(value),
              "--augment wants 1 to 1000 copies, not '" + part + "'");
      jitter.copies = static_cast<int>(value);
      continue;
    }
    double* bound = name == "roll"       ? &jitter.roll
                    : name == "scale"    ? &jitter.scale
                    : name == "shift"    ? &jitter.shift
                    : name == "blur"     ? &jitter.blur
                    : name == "gamma"    ? &jitter.gamma
                    : name == "gradient" ? &jitter.gradient
                    : name == "noise"    ? &jitter.noise
                                         : nullptr;
    require(bound != nullptr, shape);
    *bound = value;
  }
  require(jitter.copies > 0, shape);
}

// "60M"
std::int64_t parse_bytes(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
  const int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  require(read.ec == std::errc() && (unit.empty() || shift > 0) && value > 0 && value <= 1'000'000'000,
          "--part-size wants a size such as 60M (K, M or G), not '" + text + "'");
  return value << shift;
}

std::string megabytes(std::uintmax_t bytes) {
  const std::uintmax_t tenths = (bytes + 50'000) / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

std::string size_text(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

std::string summary(const Pack& pack) {
  return counted(static_cast<long long>(pack.positive_count()), "positive") + " of " +
         size_text(pack.window) + ", " + counted(static_cast<long long>(pack.negatives.size()), "negative");
}

// `count` positives, taken evenly, in rows; each as large as makes it easy to look at.
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

int make(Request& request) {
  require(!request.positives.empty(), "positives are needed: --positives P");
  require(!request.negatives.empty(), "negatives are needed: --negatives N");
  require(!request.out.empty() || !request.show.empty(), "a file to write is needed: --out FILE");
  PackOptions& options = request.options;
  options.window = parse_size("--window", request.window);
  if (!request.augment.empty()) parse_augment(request.augment, options.jitter);
  if (!request.crop.empty()) {
    const auto part = parse_reals("--crop", request.crop, 4, "X,Y,WIDTH,HEIGHT");
    require(part[2] > 0 && part[3] > 0,
            "--crop wants a width and a height above 0, not '" + request.crop + "'");
    options.crop = {part[0], part[1], part[2], part[3]};
  }
  if (!request.warp_angles.empty()) {
    const auto angles = parse_reals("--warp-angles", request.warp_angles, 3, "X,Y,Z in radians");
    options.warp_x = angles[0], options.warp_y = angles[1], options.warp_z = angles[2];
  }
  const std::int64_t part_bytes = request.part_size.empty() ? 0 : parse_bytes(request.part_size);
  const Pack pack = make_pack(request.positives, request.negatives, options,
                              [](const std::string& note) { say(printable(note)); });
  if (!request.out.empty()) {
    for (const std::string& file : write_pack(pack, request.out, part_bytes)) {
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
  PackOptions& options = request.options;
  const auto many = [&](const char* name, std::vector<std::string>& value, const char* text) {
    app.add_option(name, value, text)->type_name("PATH")->allow_extra_args(false);
  };
  many("--positives", request.positives,
       "a folder of crops, a truth, a .vec or a picture (may be given again)");
  many("--negatives", request.negatives,
       "a folder of pictures, a list of them or a picture (may be given again)");
  app.add_option("--out", request.out, "the file to write")->type_name("FILE");
  app.add_option("--part-size", request.part_size,
                 "write FILE.1, FILE.2, ... of at most this size, such as 60M");
  app.add_option("--window", request.window, "size of a positive (24x24)");
  app.add_flag("--mirror", options.mirror, "each positive also mirrored");
  app.add_option(
      "--augment", request.augment,
      "copies=N[,roll=5][,scale=0.04][,shift=0.02][,blur=0][,gamma=0][,gradient=0][,noise=0]: so many "
      "changed copies of each, within these bounds");
  app.add_option("--samples", options.samples, "at most so many positives before copies, taken evenly");
  app.add_option("--seed", options.seed, "of all that is random (1)");
  app.add_option("--crop", request.crop, "X,Y,WIDTH,HEIGHT: only this part of each crop of a folder");
  app.add_option("--margin", options.margin, "boxes are made so many times as large (1)");
  app.add_option("--category", options.category, "only objects of this category");
  app.add_option("--pictures", options.pictures, "where the pictures of a truth are")->type_name("FOLDER");
  app.add_option("--eyes", options.eyes,
                 "points of the one eye and of the other, such as 0/1 or 36-41/42-47");
  app.add_option("--eye-span", options.eye_span, "the window is so many eye distances wide (2.38)");
  app.add_option("--eye-line", options.eye_line, "the eyes are at this part of its height (0.355)");
  app.add_option("--warps", options.warps, "so many positives of a picture, warped onto negatives");
  app.add_option("--warp-angles", request.warp_angles,
                 "X,Y,Z: turned at most so far, in radians (1.1,1.1,0.5)");
  app.add_option("--warp-light", options.warp_intensity, "made lighter or darker by at most this (40)");
  app.add_option("--background", options.background, "the grey of a warped picture that is clear (none)");
  app.add_option("--background-tolerance", options.background_tolerance, "and so far from it (80)");
  app.add_option("--list", request.list, "say what is in this pack (all its parts)")->type_name("FILE...");
  app.add_option("--show", request.show, "N FILE: N positives, taken evenly, as a picture")
      ->type_name("N FILE")
      ->expected(2);
}

}  // namespace

int train_pack_command(const Arguments& arguments) {
  CLI::App app("Gathers what training reads: positives of one size, and pictures without the object.",
               "winnow train pack");
  app.footer(
      "Examples:\n"
      "  winnow train pack --positives crops/ --negatives bg.txt --mirror --out faces.pack\n"
      "  winnow train pack --positives points.csv --eyes 36-41/42-47 --negatives scenes/ --augment "
      "copies=3,roll=5 --out faces.pack\n"
      "  winnow train pack --list faces.pack --show 100 sheet.png\n\n"
      "A truth is what `winnow eval` reads: info.dat, CSV, points, COCO, YOLO, VOC, dlib, FDDB.");
  Request request;
  add_options(app, request);
  if (!parse_arguments(app, arguments)) return kExitDone;
  if (!request.show.empty()) {
    const double count = parse_real("--show", request.show[0]);
    require(count >= 1 && count <= 10000 && count == std::floor(count), "--show wants 1 to 10000 positives");
    // Said before the work, not after it.
    const std::string ending = std::filesystem::path(request.show[1]).extension().string();
    require(ending == ".png" || ending == ".jpg" || ending == ".jpeg" || ending == ".pgm",
            "the sheet must end in .png, .jpg or .pgm: " + request.show[1]);
  }
  if (request.list.empty()) return make(request);
  require(request.positives.empty() && request.negatives.empty() && request.out.empty(),
          "--list reads a pack and makes none");
  return list(request);
}

}  // namespace winnow::cli
