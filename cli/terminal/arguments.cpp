#include "terminal/arguments.h"

#include <fmt/format.h>
#include <winnow/error.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <vector>

#include "terminal/exit_code.h"
#include "terminal/standard_output.h"
#include "terminal/suggestion.h"

namespace winnow::cli {
namespace {

// The largest number in a size or a box. The sum of two numbers up to this one stays inside an int.
constexpr int kLargestNumber = 1'000'000'000;

std::vector<int> parse_numbers(const std::string& option, const std::string& text, char separator,
                               std::size_t count, const std::string& shape) {
  const Error wrong(ErrorCode::kUsage, option + " wants " + shape + ", not '" + text + "'");
  std::vector<int> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (numbers.size() < count) {
    int number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc() || number > kLargestNumber || number < -kLargestNumber) throw wrong;
    numbers.push_back(number);
    at = read.ptr;
    if (numbers.size() < count && (at == end || *at++ != separator)) throw wrong;
  }
  if (at != end) throw wrong;
  return numbers;
}

std::string installed_models() {
  std::string text;
  for (const ModelEntry& entry : find_models()) text += "  " + entry.name + "\n";
  if (!text.empty()) return "Models found here:\n" + text;
  text = "No models were found in:\n";
  for (const std::string& folder : model_folders()) text += "  " + folder + "\n";
  return text;
}

bool takes_value(const CLI::App& app, const std::string& argument) {
  const CLI::Option* option = app.get_option_no_throw(argument);
  return option != nullptr && option->get_items_expected_max() > 0;
}

// Puts "./" before inputs such as "[a,b]". CLI11 would take "[a,b]" for a list of values, but "./[a,b]" for
// the name of the same file.
Arguments with_plain_brackets(const CLI::App& app, const Arguments& arguments) {
  Arguments plain = arguments;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const bool brackets = plain[i].starts_with('[') && plain[i].ends_with(']');
    if (brackets && (i == 0 || !takes_value(app, plain[i - 1]))) plain[i].insert(0, "./");
  }
  return plain;
}

// An empty value comes from a shell variable that was never set, not from a choice of the user.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) continue;
    const std::vector<std::string>& values = option->results();
    require(std::count(values.begin(), values.end(), "") == 0,
            option->get_name() + " wants a value, not an empty word; is a variable of the shell unset?");
  }
}

// The option in a question: "--out DIR". The lines of results go to standard output, and not to `--out`.
std::string asked_option(const CLI::App& app, const std::string& name) {
  const std::string text = "--" + name + " " + app.get_option_no_throw("--" + name)->get_type_name();
  const CLI::Option* format = app.get_option_no_throw("--format");
  const bool has_lines = format != nullptr && format->get_type_name() == "jsonl|csv";
  return name == "out" && has_lines ? text + " for marked copies, or > FILE for the lines" : text;
}

// The end of a sentence about the first unknown option: "; did you mean --enlarge?". "" if no option of the
// command is near, or means the same, and if the other command lacks the option, too.
std::string option_guess(const CLI::App& app, const CLI::App* with_others, std::string word) {
  word = word.substr(0, word.find('='));
  word.erase(0, word.find_first_not_of('-'));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  if (const std::string other = other_name(word, names); !other.empty())
    return "; did you mean " + asked_option(app, other) + "?";
  const std::string option = "--" + word;
  if (with_others != nullptr && app.get_option_no_throw(option) == nullptr &&
      with_others->get_option_no_throw(option) != nullptr)
    return "; `" + with_others->get_name() + "` has it";
  const std::string closest = closest_name(word, names);
  return closest.empty() ? "" : "; did you mean --" + closest + "?";
}

// The first word of the command line that looks like an option and is none; "" if there is none.
std::string unknown_option(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  const auto unknown = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word[0] == '-' && word != "--";
  });
  return unknown == words.end() ? "" : *unknown;
}

// The sentence about the first word that follows no option, with the option that was probably meant: the one before
// the word, or the one that takes what the command works on. "" if there is no such word or option.
std::string stray_word(const CLI::App& app, const Arguments& arguments) {
  const std::vector<std::string> words = app.remaining();
  if (words.empty()) return "";
  const auto word = std::find(arguments.begin(), arguments.end(), words.front());
  if (word == arguments.end()) return "";
  const auto before = std::find_if(std::make_reverse_iterator(word), arguments.rend(),
                                   [](const std::string& each) { return each.starts_with('-'); });
  std::string meant;
  for (const std::string option : {"--result", "--truth", "--positives", "--negatives"}) {
    if (app.get_option_no_throw(option) == nullptr) continue;
    const bool is_before = before != arguments.rend() && *before == option;
    if (is_before || option != "--negatives") meant = option;
    if (is_before) break;
  }
  return meant.empty()
             ? ""
             : "'" + *word + "' follows no option; did you mean " + meant + " " + quoted(*word) + "?";
}

// Whether the option takes the value. CLI11 gives no other way to learn which values an option takes.
bool takes(CLI::Option& option, const std::string& value) {
  option.clear();
  option.add_result(value);
  try {
    option.run_callback();
  } catch (const CLI::ParseError&) {
    return false;
  }
  return true;
}

// Says which kind of number the option wants; "" if the option takes no numbers. The option's value is lost,
// because other values are tried.
std::string wanted_number(CLI::Option& option, const std::string& text) {
  if (takes(option, "1.5")) return "a number such as 1.5";
  if (!takes(option, "1")) return "";
  const std::string digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
  return whole ? "a number closer to 0" : "a whole number such as 2";
}

// The sentence about the first option whose value cannot be read; "" if there is no such option.
std::string wrong_value(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    for (const std::string& value : std::vector<std::string>(option->results())) {
      if (takes(*option, value)) continue;
      if (option->get_items_expected_max() == 0)
        return option->get_name() + " takes no value; leave out '=" + value + "'";
      if (const std::string wanted = wanted_number(*option, value); !wanted.empty())
        return option->get_name() + " wants " + wanted + ", not '" + value + "'";
    }
  }
  return "";
}

// What is wrong with the command line, in one sentence.
std::string mistake(CLI::App& app, const CLI::App* other, const CLI::ParseError& error,
                    const Arguments& arguments) {
  if (const std::string word = unknown_option(app); !word.empty())
    return "there is no option " + word.substr(0, word.find('=')) + option_guess(app, other, word);
  std::string sentence;
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    sentence = wrong_value(app);
  } else {
    sentence = stray_word(app, arguments);  // also if a required option is missing, which is the next mistake
  }
  return sentence.empty() ? error.what() : sentence;
}

}  // namespace

bool parse_arguments(CLI::App& app, const Arguments& arguments, const CLI::App* other) {
  try {
    Arguments reversed = with_plain_brackets(app, arguments);
    std::reverse(reversed.begin(), reversed.end());
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::kUsage,
                mistake(app, other, error, arguments) + " (see `" + app.get_name() + " --help`)");
  }
  refuse_empty_values(app);
  return true;
}

// The check parses the number itself, because CLI11 would read -1 as 2^64-1.
void add_seed(const OptionGroup& group, std::uint64_t& seed, const std::string& help) {
  group.value("--seed", seed, "N", help)->check([](const std::string& text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    require(read.ec == std::errc() && read.ptr == text.data() + text.size(),
            "--seed wants a number from 0 on, of 64 bits, not '" + text + "'");
    return std::string();
  });
}

void require(bool holds, const std::string& sentence) {
  if (!holds) throw Error(ErrorCode::kUsage, sentence);
}

void check_line_format(const std::string& format) {
  const bool is_json = format == "json";
  require(format == "jsonl" || format == "csv",
          "--format is jsonl or csv, not '" + format + "'" +
              (is_json ? "; did you mean jsonl, one line of JSON per picture?" : ""));
}

Size parse_size(const std::string& option, const std::string& text) {
  const std::string shape = "a size such as 24x24";
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
    throw Error(ErrorCode::kUsage,
                option + " wants " + shape + ", not '" + text + "'; did you mean " + text + "x" + text + "?");
  const std::vector<int> numbers = parse_numbers(option, text, 'x', 2, shape);
  require(numbers[0] >= 0 && numbers[1] >= 0, option + " wants " + shape + ", not '" + text + "'");
  return {numbers[0], numbers[1]};
}

Size parse_sides(const std::string& option, const std::string& text) {
  constexpr int kMost = 65536;  // the longest side of a picture that a detector searches
  Size sides;
  if (text.find('x') != std::string::npos) {
    const std::vector<int> numbers = parse_numbers(option, text, 'x', 2, "8 or 8x4");
    sides = {numbers[0], numbers[1]};
  } else {
    sides.width = sides.height = parse_numbers(option, text, 'x', 1, "8 or 8x4").front();
  }
  require(std::min(sides.width, sides.height) >= 0 && std::max(sides.width, sides.height) <= kMost,
          option + " must be from 0 to " + std::to_string(kMost));
  return sides;
}

Box parse_box(const std::string& option, const std::string& text) {
  const std::vector<int> numbers = parse_numbers(option, text, ',', 4, "X,Y,WIDTH,HEIGHT");
  require(numbers[2] > 0 && numbers[3] > 0,
          option + " wants a width and a height above 0, not '" + text + "'");
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

bool names_close_models(const Error& error) {
  return std::string(error.what()).find("; close to it: ") != std::string::npos;
}

std::string find_model_file(const std::string& name_or_path) {
  if (name_or_path.empty())
    throw ListedError("a model is needed: give its name or file with -m.", installed_models());
  try {
    return resolve_model(name_or_path);
  } catch (const Error& error) {
    const bool is_path = name_or_path.find('/') != std::string::npos;
    const std::string sentence = error.what();
    if (is_path) throw Error(ErrorCode::kUsage, sentence);
    if (!names_close_models(error)) throw ListedError(sentence + ".", installed_models());
    throw Error(ErrorCode::kUsage, sentence + "; `winnow models` lists all names");
  }
}

std::string model_name(const ModelCard& card, const std::string& path) {
  if (!card.name.empty()) return card.name;
  return std::filesystem::path(path).stem().string();
}

std::string unique_name(std::set<std::string>& names, const std::string& name) {
  std::string unique = name;
  for (int i = 2; !names.insert(unique).second; ++i) unique = name + fmt::format(" ({})", i);
  return unique;
}

}  // namespace winnow::cli
