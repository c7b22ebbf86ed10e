#include "training/pack_arguments.h"

#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "terminal/arguments.h"
#include "terminal/terminal.h"

namespace winnow::cli {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> fields(1);
  for (const char c : text) c == ',' ? void(fields.emplace_back()) : fields.back().push_back(c);
  return fields;
}

std::vector<double> parse_reals(const std::string& option, const std::string& text, std::size_t count,
                                const std::string& shape) {
  const std::vector<std::string> fields = split(text);
  require(fields.size() == count, option + " wants " + shape + ", not '" + text + "'");
  std::vector<double> values;
  for (const std::string& field : fields) values.push_back(parse_real(option, field));
  return values;
}

// Reads "copies=3,roll=5".
void parse_augment(const std::string& text, Jitter& jitter) {
  const std::string shape =
      "--augment wants copies=N and any of roll, scale, shift, blur, gamma, gradient, shade, noise (such as "
      "copies=3,roll=5,noise=0.02), not '" +
      text + "'";
  for (const std::string& field : split(text)) {
    const std::size_t equals = field.find('=');
    require(equals != std::string::npos, shape);
    const std::string name = field.substr(0, equals);
    const double value = parse_real("--augment", field.substr(equals + 1));
    if (name == "copies") {
      require(value >= 1 && value <= 1000 && value == std::floor(value),
              "--augment wants 1 to 1000 copies, not '" + field + "'");
      jitter.copies = static_cast<int>(value);
      continue;
    }
    double* bound = name == "roll"       ? &jitter.roll
                    : name == "scale"    ? &jitter.scale
                    : name == "shift"    ? &jitter.shift
                    : name == "blur"     ? &jitter.blur
                    : name == "gamma"    ? &jitter.gamma
                    : name == "gradient" ? &jitter.gradient
                    : name == "shade"    ? &jitter.shade
                    : name == "noise"    ? &jitter.noise
                                         : nullptr;
    require(bound != nullptr, shape);
    *bound = value;
  }
  require(jitter.copies > 0, shape);
}

bool is_pixels(double value) { return value == std::floor(value) && std::abs(value) < 1e9; }

void finish(PackArguments& args) {
  PackOptions& options = args.options;
  options.window = parse_size("--window", args.window);
  if (!args.augment.empty()) parse_augment(args.augment, options.jitter);
  if (!args.crop.empty()) {
    const auto numbers = parse_reals("--crop", args.crop, 4, "X,Y,WIDTH,HEIGHT");
    require(numbers[2] > 0 && numbers[3] > 0,
            "--crop wants a width and a height above 0, not '" + args.crop + "'");
    options.crop = {numbers[0], numbers[1], numbers[2], numbers[3]};
  }
  if (!args.negative_crop.empty()) {
    const auto numbers = parse_reals("--negative-crop", args.negative_crop, 4, "X,Y,WIDTH,HEIGHT");
    require(
        numbers[2] > 0 && numbers[3] > 0 && std::all_of(numbers.begin(), numbers.end(), is_pixels),
        "--negative-crop wants whole pixels, a width and a height above 0, not '" + args.negative_crop + "'");
    options.negative_crop = {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]),
                             static_cast<int>(numbers[2]), static_cast<int>(numbers[3])};
  }
  if (!args.warp_angles.empty()) {
    const auto angles = parse_reals("--warp-angles", args.warp_angles, 3, "X,Y,Z in radians");
    options.warp_x = angles[0], options.warp_y = angles[1], options.warp_z = angles[2];
  }
}

// Tells the user about options that have no effect, because they shape a kind of samples that the pack does
// not have. Such options are no error, but the user probably expected an effect.
void note_idle_options(const PackArguments& args, const Pack& pack) {
  bool crops = false, warps = false, truth = false;
  const auto recipe = nlohmann::json::parse(pack.recipe);
  for (const auto& source : recipe.value("positives", nlohmann::json::array())) {
    const std::string kind = source.at("kind");
    crops |= kind == "crops";
    warps |= kind == "warps";
    truth |= kind != "crops" && kind != "warps" && kind != "vec";
  }
  const PackOptions &options = args.options, plain;
  const auto note = [](bool idle, const std::string& option, const std::string& why) {
    if (idle) say(option + " says nothing: " + why);
  };
  const std::string no_picture = "no positive is a picture to be warped",
                    no_truth = "no positive is of a truth";
  note(!crops && !args.crop.empty(), "--crop", "no positive is of a folder of crops");
  note(pack.negatives.empty() && !args.negative_crop.empty(), "--negative-crop", "there is no negative");
  note(!truth && options.margin != plain.margin, "--margin", no_truth);
  note(!truth && !options.category.empty(), "--category", no_truth);
  note(!truth && !options.pictures.empty(), "--pictures", no_truth);
  note(!truth && !options.truth_format.empty(), "--truth-format", no_truth);
  note(!truth && !options.eyes.empty(), "--eyes", no_truth);
  note(!truth && options.eye_span != plain.eye_span, "--eye-span", no_truth);
  note(!truth && options.eye_line != plain.eye_line, "--eye-line", no_truth);
  note(!warps && options.warps != plain.warps, "--warps", no_picture);
  note(!warps && !args.warp_angles.empty(), "--warp-angles", no_picture);
  note(!warps && options.warp_intensity != plain.warp_intensity, "--warp-light", no_picture);
  note(!warps && options.background != plain.background, "--background", no_picture);
  note(!warps && options.background_tolerance != plain.background_tolerance, "--background-tolerance",
       no_picture);
}

}  // namespace

double parse_real(const std::string& option, std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value);
  require(good, option + " wants numbers, not '" + std::string(text) + "'");
  return value;
}

// No machine has more memory than this.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;

std::int64_t parse_bytes(const std::string& option, const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
  const int shift = unit == "K" || unit == "k"   ? 10
                    : unit == "M" || unit == "m" ? 20
                    : unit == "G" || unit == "g" ? 30
                                                 : 0;
  require(read.ec == std::errc() && (unit.empty() || shift > 0) && value > 0 && value <= kMostBytes >> shift,
          option + " wants a size such as 60M (K, M or G), not '" + text + "'");
  return value << shift;
}

void add_pack_options(CLI::App& app, PackArguments& args, const std::string& heading) {
  const OptionGroup group(app, heading);
  PackOptions& options = args.options;
  const auto many = [&](const char* name, std::vector<std::string>& paths, const char* text) {
    group.value(name, paths, "PATH", text)->allow_extra_args(false);
  };
  many("--positives", args.positives, "folder of crops, truth, .vec file or picture; may be repeated");
  many("--negatives", args.negatives, "folder, list of pictures, data.yaml or picture; may be repeated");
  group.value("--window", args.window, "WxH", "size of a positive (24x24)");
  group.flag("--mirror", options.mirror, "also add each positive mirrored");
  group.flag("--color", options.color, "keep the colours of all samples, for `winnow train hog-svm`");
  group.value(
      "--encode", options.encode, "Q",
      "encode positives again, as JPEG of quality Q with halved colours, so that they are of the quality "
      "of negatives");
  group.value("--augment", args.augment, "KEY=X,...",
              "add N changed copies of each positive; each key sets the most that it changes: "
              "copies=N[,roll=5][,scale=0.04][,shift=0.02][,blur=0][,gamma=0][,gradient=0][,shade=0]"
              "[,noise=0]");
  group.value("--samples", options.samples, "N",
              "take at most N positives, evenly chosen, before copies are added (0: all)");
  add_seed(group, options.seed, fmt::format("seed of all random choices ({})", options.seed));
  group.value("--crop", args.crop, "X,Y,W,H", "use this part of each crop of a folder only");
  group.value("--negative-crop", args.negative_crop, "X,Y,W,H", "use this part of each negative only");
  group.value("--margin", options.margin, "F", "enlarge the boxes of a truth by this factor (1)");
  group.value("--category", options.category, "NAME", "use the objects of this category only");
  group.value("--pictures", options.pictures, "DIR", "folder of the pictures of a truth");
  group.value("--truth-format", options.truth_format, "NAME",
              "format of a truth, if its content does not show it");
  group.value("--eyes", options.eyes, "P/Q",
              "points of the two eyes, such as 0/1 or 36-41/42-47: windows are cut by the eyes");
  group.value("--eye-span", options.eye_span, "F",
              fmt::format("width of the window in distances between the eyes ({})", options.eye_span));
  group.value("--eye-line", options.eye_line, "F",
              fmt::format("height of the eyes as a part of the window, from its top ({})", options.eye_line));
  group.value("--warps", options.warps, "N",
              "make N positives of each positive picture: turned in space and drawn onto negatives");
  group.value("--warp-angles", args.warp_angles, "X,Y,Z",
              "largest turns about the three axes, in radians (1.1,1.1,0.5)");
  group.value("--warp-light", options.warp_intensity, "N",
              fmt::format("largest change of a warped picture's grey values ({})", options.warp_intensity));
  group.value("--background", options.background, "N",
              "grey value of the transparent pixels of a warped picture (none)");
  group.value("--background-tolerance", options.background_tolerance, "N",
              fmt::format("pixels that differ from --background by up to N are transparent ({})",
                          options.background_tolerance));
}

Pack make_pack_of(PackArguments& args) {
  finish(args);
  Pack pack = make_pack(args.positives, args.negatives, args.options,
                        [](const std::string& note) { say(printable(note)); });
  note_idle_options(args, pack);
  return pack;
}

}  // namespace winnow::cli
