// Writes and reads what ranks tell each other of one picture that all of them search.
//
// In:     a part of a picture's plan with the rows of pixels that it covers; what a rank found in them; or a
//         message that may be hostile.
// Out:    messages; or values, of which `read_rows` says what it checked. kFormat for other bytes.
// Exact:  what is read is what was written.
// Memory: pixels are a part of a message.
// Thread: any.
#pragma once

#include <optional>

#include "cluster/messages.h"
#include "scale/plan.h"
#include "sieve/stages.h"

namespace winnow {

struct PictureRows {
  Size picture;
  RowRange rows;   // of the picture; these pixels travel
  LevelPlan plan;  // whose windows the rank judges
};
// `pixels`: the rows, without gaps.
Message to_message(const PictureRows& rows, MessagePart pixels);
// Checks that the message has the pixels of its rows, and that all windows lie on their levels, if each is of
// this size.
PictureRows read_rows(const Message& message, Size window);

struct Sifted {
  SieveResult result;
  std::optional<Failure> failure;
};
Message to_message(const Sifted& sifted);
Sifted read_sifted(const Message& message);

}  // namespace winnow
