#include "train/samples/pack_options.h"

#include <cmath>
#include <string>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "train/options.h"
#include "train/samples/jitter.h"
#include "train/samples/positives.h"

namespace winnow {
namespace {

constexpr int kMostCropSide = 1 << 20;  // wider than any picture

void require(bool good, const char* sentence) {
  if (!good) throw Error(ErrorCode::kUsage, sentence);
}

void check_warps(const PackOptions& options) {
  if (options.warps < 0 || options.warps > kMostSamples)
    refuse("the number of warps must be from 0 to " + std::to_string(kMostSamples));
  // Turned by nearly 90 degrees (1.57) about x or y, the picture becomes a line.
  const auto angle = [](double radians, double most) { return radians >= 0 && radians <= most; };
  require(angle(options.warp_x, 1.4) && angle(options.warp_y, 1.4), "a warp turns by 0 to 1.4 about x and y");
  require(angle(options.warp_z, 3.14159), "a warp turns by 0 to 3.14159 about z");
  require(options.warp_intensity >= 0 && options.warp_intensity <= 255,
          "the intensity of warps must be from 0 to 255");
  require(options.background >= -1 && options.background <= 255, "the background must be from 0 to 255");
  require(options.background_tolerance >= 0 && options.background_tolerance <= 255,
          "the tolerance of the background must be from 0 to 255");
}

}  // namespace

void check_pack_options(const PackOptions& options) {
  const auto side = [](int pixels) { return pixels >= kLeastSide && pixels <= kMostPackSide; };
  if (!side(options.window.width) || !side(options.window.height)) refuse_window(kMostPackSide);
  require(options.encode >= 0 && options.encode <= 100,
          "the quality of encoding must be from 1 to 100, or 0 for none");
  require(options.samples >= 0, "the number of samples must not be negative");
  require(options.margin > 0.01 && options.margin <= 100, "the margin must be from 0.01 to 100");
  require(options.eye_span > 0.5 && options.eye_span <= 100, "the eye span must be from 0.5 to 100");
  require(options.eye_line >= 0 && options.eye_line <= 1, "the eye line must be from 0 to 1");
  const RealBox& crop = options.crop;
  require(crop == RealBox{} || (crop.x >= 0 && crop.y >= 0 && crop.width > 0 && crop.height > 0 &&
                                std::isfinite(crop.x + crop.y + crop.width + crop.height)),
          "the part of crops must begin inside them and not be empty");
  const Box& negative_crop = options.negative_crop;
  require(negative_crop == Box{} ||
              (negative_crop.x >= 0 && negative_crop.y >= 0 && negative_crop.width >= options.window.width &&
               negative_crop.height >= options.window.height &&
               negative_crop.width <= kMostCropSide - negative_crop.x &&
               negative_crop.height <= kMostCropSide - negative_crop.y),
          "the part of negatives must begin inside them and not be smaller than the window");
  if (!options.eyes.empty()) parse_eyes(options.eyes);
  check_jitter(options.jitter, options.window);
  check_warps(options);
}

WarpBounds warp_bounds(const PackOptions& options) {
  return {options.warp_x,         options.warp_y,     options.warp_z,
          options.warp_intensity, options.background, options.background_tolerance};
}

nlohmann::ordered_json options_json(const PackOptions& options) {
  nlohmann::ordered_json json;
  json["mirror"] = options.mirror;
  json["seed"] = options.seed;
  json["samples"] = options.samples;
  if (options.color) json["color"] = true;
  if (options.encode > 0) json["encode"] = options.encode;
  json["margin"] = options.margin;
  if (!options.category.empty()) json["category"] = clean_text(options.category);
  if (!options.pictures.empty()) json["pictures"] = clean_text(options.pictures);
  if (!options.truth_format.empty()) json["truth_format"] = clean_text(options.truth_format);
  if (!options.eyes.empty()) {
    json["eyes"] = options.eyes;
    json["eye_span"] = options.eye_span;
    json["eye_line"] = options.eye_line;
  }
  const RealBox& crop = options.crop;
  if (crop.width > 0) json["crop"] = {crop.x, crop.y, crop.width, crop.height};
  if (const Box& negative_crop = options.negative_crop; negative_crop.width > 0)
    json["negative_crop"] = {negative_crop.x, negative_crop.y, negative_crop.width, negative_crop.height};
  if (const Jitter& jitter = options.jitter; jitter.copies > 0) {
    json["augment"] = {{"copies", jitter.copies},     {"roll", jitter.roll},  {"scale", jitter.scale},
                       {"shift", jitter.shift},       {"blur", jitter.blur},  {"gamma", jitter.gamma},
                       {"gradient", jitter.gradient}, {"noise", jitter.noise}};
    if (jitter.shade > 0) json["augment"]["shade"] = jitter.shade;
  }
  if (options.warps > 0) {
    json["warps"] = {{"count", options.warps},
                     {"angles", {options.warp_x, options.warp_y, options.warp_z}},
                     {"intensity", options.warp_intensity},
                     {"background", options.background},
                     {"tolerance", options.background_tolerance}};
  }
  return json;
}

}  // namespace winnow
