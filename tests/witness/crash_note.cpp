#include "crash_note.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>

namespace witness {
namespace {

char note[1024];  // a handler may not allocate

void write_note(int signal) {
  constexpr char kHead[] = "\nwinnow_witness died in this case: ";
  // If writing fails, nothing else can be done.
  [[maybe_unused]] auto written = write(STDERR_FILENO, kHead, sizeof kHead - 1);
  written = write(STDERR_FILENO, note, std::strlen(note));
  written = write(STDERR_FILENO, "\n", 1);
  raise(signal);  // SA_RESETHAND removed this handler, so the signal now ends the program
}

}  // namespace

void install_crash_note() {
  struct sigaction action {};
  action.sa_handler = write_note;
  action.sa_flags = SA_RESETHAND | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

void set_crash_note(const std::string& command) { std::strncpy(note, command.c_str(), sizeof note - 1); }

}  // namespace witness
