#include "training/train_files.h"

#include <winnow/error.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "terminal/arguments.h"
#include "terminal/outputs.h"

namespace winnow::cli {

namespace fs = std::filesystem;

namespace {

bool same_bytes(const std::string& a, const std::string& b) {
  std::error_code error;
  if (!fs::is_regular_file(a, error) || !fs::is_regular_file(b, error)) return false;
  std::ifstream one(a, std::ios::binary), other(b, std::ios::binary);
  const std::istreambuf_iterator<char> end;
  return one && other &&
         std::equal(std::istreambuf_iterator<char>(one), end, std::istreambuf_iterator<char>(other), end);
}

}  // namespace

std::string TrainFiles::copy_of_model() const { return (fs::path(checkpoint) / "model").string(); }
std::string TrainFiles::replaced_model() const { return (fs::path(checkpoint) / "replaced").string(); }
std::string TrainFiles::list() const { return (fs::path(checkpoint) / "written").string(); }

// Whether the model on disk equals the copy beside the state, or the model that a broken `save` was replacing.
bool TrainFiles::wrote_model() const {
  return resume && (same_bytes(model, copy_of_model()) || same_bytes(model, replaced_model()));
}

// The list's names are relative to the folder of the state, so that all files may be moved together. Each
// name ends in a zero byte, which no name holds.
std::string TrainFiles::name_in_list(const std::string& path) const {
  std::error_code error;
  return fs::relative(fs::absolute(path, error), fs::absolute(checkpoint, error), error).string();
}

bool TrainFiles::owns(const std::string& path) const {
  std::error_code error;
  if (!resume || !fs::exists(fs::path(checkpoint) / "stage", error)) return false;
  std::ifstream names(list(), std::ios::binary);
  const std::string wanted = name_in_list(path);
  for (std::string name; std::getline(names, name, '\0');) {
    if (name == wanted) return true;
  }
  return false;
}

void TrainFiles::remember(const std::string& path) const {
  if (checkpoint.empty() || path.empty() || owns(path)) return;
  std::ofstream(list(), std::ios::binary | std::ios::app) << name_in_list(path) << '\0';
}

void TrainFiles::check(const std::vector<std::string>& packs, bool force) const {
  if (!force && !wrote_model()) check_new(model);
  check_writable(model, true);
  const auto other = [](const std::string& a, const std::string& b) {
    return a.empty() || b.empty() || !same_place(a, b);
  };
  require(other(log, model) && other(report, model) && other(log, report),
          "--out, --log and --report must be different files");
  for (const std::string& pack : packs)
    require(other(pack, log) && other(pack, report) && other(pack, model),
            pack + " is what is learned from: nothing may be written over it");
  for (const std::string& path : {report, log}) {
    if (path.empty()) continue;
    check_writable(path, false);
    if (!force && !owns(path)) check_nothing_lost(path);
  }
}

// A training is lost without its model. If the model cannot be written, the error tells the user how to write
// it later.
void TrainFiles::save(const std::function<void(const std::string& path)>& write) const {
  try {
    // The copy is written first. If a break came between the two, a model without its copy would be left,
    // and the resumed training would not recognise this model as its own. An older model is kept until then, so
    // that it is recognised, too.
    std::error_code ignored;
    if (!checkpoint.empty()) {
      fs::copy_file(model, replaced_model(), fs::copy_options::overwrite_existing, ignored);
      write(copy_of_model());
    }
    write(model);
    if (!checkpoint.empty()) fs::remove(replaced_model(), ignored);
  } catch (const Error& error) {
    if (checkpoint.empty()) throw;
    throw Error(error.code(),
                std::string(error.what()) + "; nothing is lost: the same command with --resume writes it");
  }
}

}  // namespace winnow::cli
