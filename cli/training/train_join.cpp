// Runs `winnow train join`: makes one soft cascade of several. The opening comment of cli/commands.h, which
// declares this, holds here.
#include <fmt/format.h>
#include <winnow/answer.h>
#include <winnow/error.h>
#include <winnow/train.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "terminal/arguments.h"
#include "terminal/outputs.h"
#include "terminal/standard_output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "training/card_arguments.h"
#include "training/pack_arguments.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Example:\n"
    "  winnow train join haar-1.winnow haar-2.winnow lbp-1.winnow --pack faces.pack --out face.winnow\n"
    "\n"
    "Members are soft cascades that were trained with the same samples: with different seeds, or tables\n"
    "first and LBP features after them. The first member rejects nearly all windows; the sum of all members\n"
    "judges the rest. The limits are set anew with the positives of the pack.\n"
    "Exit code: 0 done, 1 a file could not be read or written, 2 bad usage.";

struct JoinArguments {
  std::vector<std::string> members, packs;
  std::string out;
  std::optional<std::string> memory;  // no value: the library's default
  CardArguments card;
  bool force = false;
  JoinRule rule;
  RunOptions run;
};

void add_options(CLI::App& app, JoinArguments& args) {
  app.add_option("MEMBER", args.members, "soft cascades with the same window size")
      ->required()
      ->type_name("");
  app.add_option("--pack", args.packs, "pack with the positives of their training; may be repeated")
      ->required()
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--min-hit", args.rule.min_hit,
                 fmt::format("part of the positives that must pass all limits ({})", args.rule.min_hit))
      ->type_name("R");
  app.add_option("--out", args.out, "file to write")->required()->type_name("FILE.winnow");
  add_card_options(app, args.card, "the name of the file", "as the first member",
                   app.get_option("--out")->get_group());
  app.add_option("--threads", args.run.machine.threads, "number of threads (0: all cores)")->type_name("N");
  app.add_option(
         "--memory", args.memory,
         fmt::format("most memory for the integral sums of the positives ({}G)", args.run.memory >> 30))
      ->type_name("SIZE");
  app.add_flag("--force", args.force, "write over an existing model");
}

// Refuses members with different terms unless --terms is given, because no member's terms may be lost
// silently.
void check_cards(const std::vector<Cascade>& members, const JoinArguments& args) {
  const ModelCard& first = members.front().model().card;
  for (const Cascade& member : members) {
    const ModelCard& card = member.model().card;
    require(!args.card.terms.empty() || card.terms == first.terms, "the terms of '" + card.name +
                                                                       "' are not those of '" + first.name +
                                                                       "': --terms says what holds for both");
    require(!args.card.finds.empty() || card.kind == first.kind,
            "'" + card.name + "' does not find what '" + first.name +
                "' does: --finds says what the model finds");
  }
}

// The output must not overwrite a file from which the model is made.
void check_no_input(const JoinArguments& args) {
  for (const std::string& pack : args.packs)
    require(!same_place(args.out, pack), args.out + " is one of the packs: --out must be another file");
  for (const std::string& member : args.members) {
    require(!same_place(args.out, resolve_model(member)),
            args.out + " is a member of what is joined: --out must be another file");
  }
}

}  // namespace

int train_join_command(const Arguments& arguments) {
  CLI::App app("Makes one soft cascade of several.", "winnow train join");
  app.footer(kExamples);
  JoinArguments args;
  add_options(app, args);
  if (!parse_arguments(app, arguments)) return kExitDone;
  if (args.memory) args.run.memory = parse_bytes("--memory", *args.memory);
  require(std::filesystem::path(args.out).extension() == ".winnow",
          "the model must end in .winnow: " + args.out);
  check_no_input(args);
  if (!args.force) check_new(args.out);
  check_writable(args.out, true);
  std::vector<Cascade> members;
  for (const std::string& member : args.members) members.push_back(Cascade::load(resolve_model(member)));
  check_cards(members, args);
  check_join(members, args.rule, args.run);
  const ModelCard card = card_of(args.card, members.front().model().card, args.out);
  CascadeModel model = join_cascades(members, read_pack(args.packs), args.rule, args.run).model();
  model.card = card;
  const auto weak = static_cast<long long>(model.weak_count());
  Cascade(std::move(model)).save(args.out, CascadeFormat::kWinnow);
  print(printable(args.out) + ": " + counted(weak, "weak classifier") + " of " +
        counted(static_cast<long long>(members.size()), "cascade") + "\n");
  return kExitDone;
}

}  // namespace winnow::cli
