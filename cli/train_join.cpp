// Runs `winnow train join`: makes one soft cascade of several.
#include <fmt/format.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "card_words.h"
#include "commands.h"
#include "outputs.h"
#include "pack_words.h"
#include "standard_output.h"
#include "terminal.h"
#include "text.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Example:\n"
    "  winnow train join haar-1.winnow haar-2.winnow lbp-1.winnow --pack faces.pack --out face.winnow\n"
    "\n"
    "Members are soft cascades of the same samples, trained with different seeds, or of tables and then of "
    "LBP features. The first decides about nearly all windows, all together sort what it leaves; limits are "
    "set anew from the pack's positives.\n"
    "Exit code: 0 done, 1 a file could not be read or written, 2 bad usage.";

struct Words {
  std::vector<std::string> members, packs;
  std::string out;
  std::optional<std::string> memory;  // or the library's default
  CardWords card;
  bool force = false;
  JoinRule rule;
  RunOptions run;
};

void add_options(CLI::App& app, Words& words) {
  app.add_option("MEMBER", words.members, "soft cascades of one window")->required()->type_name("");
  app.add_option("--pack", words.packs, "with the positives they were trained on; several become one")
      ->required()
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--min-hit", words.rule.min_hit,
                 fmt::format("part of the positives that must pass all limits ({})", words.rule.min_hit))
      ->type_name("R");
  app.add_option("--out", words.out, "the model")->required()->type_name("FILE.winnow");
  add_card_words(app, words.card, "as the first member", app.get_option("--out")->get_group());
  app.add_option("--threads", words.run.machine.threads, "number of threads (0: all cores)")->type_name("N");
  app.add_option("--memory", words.memory,
                 fmt::format("memory for the integral sums of the positives ({}G)", words.run.memory >> 30))
      ->type_name("SIZE");
  app.add_flag("--force", words.force, "write over a model that is there");
}

// Terms must not be lost without a word.
void check_cards(const std::vector<Cascade>& members, const Words& words) {
  const ModelCard& first = members.front().model().card;
  for (const Cascade& member : members) {
    const ModelCard& card = member.model().card;
    require(!words.card.terms.empty() || card.terms == first.terms,
            "the terms of '" + card.name + "' are not those of '" + first.name +
                "': --terms says what holds for both");
    require(!words.card.finds.empty() || card.kind == first.kind,
            "'" + card.name + "' does not find what '" + first.name +
                "' does: --finds says what the model finds");
  }
}

// The output must not overwrite a file that the model is made of.
void check_no_input(const Words& words) {
  for (const std::string& pack : words.packs)
    require(!same_place(words.out, pack), words.out + " is one of the packs: --out must be another file");
  for (const std::string& member : words.members) {
    require(!same_place(words.out, resolve_model(member)),
            words.out + " is a member of what is joined: --out must be another file");
  }
}

}  // namespace

int train_join_command(const Arguments& arguments) {
  CLI::App app("Makes one soft cascade of several.", "winnow train join");
  app.footer(kExamples);
  Words words;
  add_options(app, words);
  if (!parse_arguments(app, arguments)) return kExitDone;
  if (words.memory) words.run.memory = parse_bytes("--memory", *words.memory);
  require(std::filesystem::path(words.out).extension() == ".winnow",
          "the model must end in .winnow: " + words.out);
  check_no_input(words);
  if (!words.force) check_new(words.out);
  check_writable(words.out, true);
  std::vector<Cascade> members;
  for (const std::string& member : words.members) members.push_back(Cascade::load(resolve_model(member)));
  check_cards(members, words);
  check_join(members, words.rule, words.run);
  const ModelCard card = card_of(words.card, members.front().model().card, words.out);
  CascadeModel model = join_cascades(members, read_pack(words.packs), words.rule, words.run).model();
  model.card = card;
  const auto weak = static_cast<long long>(model.weak_count());
  Cascade(std::move(model)).save(words.out, CascadeFormat::kWinnow);
  print(printable(words.out) + ": " + counted(weak, "weak classifier") + " of " +
        counted(static_cast<long long>(members.size()), "cascade") + "\n");
  return kExitDone;
}

}  // namespace winnow::cli
