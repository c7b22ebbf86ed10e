# check: runs every step, up to the first failure, and prints a table of the steps and their seconds.
# nightly: runs the steps that are too slow for check, all of them even after a failure, and prints the same table.
# ./dev sources this file.

check_tests=0  # tests that passed in steps of many tests
check_other=0  # steps that passed and count as one test
check_rows=""
check_counts=""
check_failure=check_end  # what a failed step calls

check_step() {  # NAME COMMAND...
  local name=$1 start=$SECONDS status
  shift
  echo "== $name"
  set +e
  (
    set -e
    "$@"
  )
  status=$?
  set -e
  check_rows+=$(printf '%6d s  %-6s  %s' $((SECONDS - start)) "$( ((status)) && echo FAILED || echo ok)" "$name")$'\n'
  ((status)) && "$check_failure" "$name"
  return 0
}

check_one() {
  check_step "$@"
  check_other=$((check_other + 1))
}

# Runs a step that uses ctest, and counts its tests one by one.
check_many() {
  rm -f build/check-tests.log
  check_counts=yes
  check_step "$@"
  check_counts=""
  local failed all
  read -r failed all < <(check_ctest)
  check_tests=$((check_tests + all))
}

# Prints the numbers of failed tests and of all tests in the last run of ctest; "1 1" if that run did not end.
check_ctest() {
  local said
  said=$(sed -n 's/.*, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' build/check-tests.log 2>/dev/null | tail -n 1) || true
  echo "${said:-1 1}"
}

check_end() {  # [NAME OF THE STEP THAT FAILED]
  local passed=$((check_tests + check_other))
  printf '\n%s%6d s  in all\n' "$check_rows" "$SECONDS"
  if (($#)); then
    local failed=1
    if [[ $check_counts == yes ]]; then
      read -r failed passed < <(check_ctest | awk -v before="$passed" '{print ($1 > 0 ? $1 : 1), before + $2 - $1}')
    fi
    echo "check: failed in: $1"
    echo "$passed passed, $failed failed"
    exit 1
  fi
  echo "check: $check_tests tests and $check_other other parts"
  echo "$passed passed, 0 failed"
}

check_format() { sources | xargs -0 clang-format --dry-run -Werror; }

check_prose() {
  python3 -B tools/check_prose.py --self-test
  python3 -B tools/check_prose.py
  python3 -B tools/check_links.py --self-test
  python3 -B tools/check_links.py
  python3 -B tools/check_names.py --self-test
  python3 -B tools/check_names.py
}

check_contracts() {
  python3 -B tools/check_contracts.py --self-test
  python3 -B tools/check_contracts.py
}

check_backends() {
  python3 -B tools/check_backends.py --self-test
  python3 -B tools/check_backends.py
}

check_tests() { run_tests witness -LE witness --output-log "$PWD/build/check-tests.log"; }

check_witness() {
  run_tests witness -L witness -j 1 --output-log "$PWD/build/check-tests.log"
  grep -E '^[0-9]+ passed, [0-9]+ failed' build/witness/Testing/Temporary/LastTest.log
}

check_threads() { threaded_tests 2>&1 | tee build/check-tests.log; }

check_fuzz() {
  build fuzz winnow_fuzzers
  tools/fuzz.sh 60
}

# One architecture is enough here: the build for tests has compiled its kernels already.
check_wheels() { tools/wheel.py build --cuda-architectures 90; }

check_python() { tools/wheel.py test; }

check() {
  SECONDS=0
  check_one "files: sizes, paths" python3 -B tools/check_tree.py
  check_one "includes" python3 -B tools/check_includes.py
  check_one "opening comments of headers and sources" check_contracts
  check_one "steps of all backends in HACKING.md" check_backends
  check_one "prose of documents and comments, links, names" check_prose
  check_one "results in docs" python3 -B tools/results.py --check
  check_one "format" check_format
  check_one "planted bugs fit" python3 -B tests/planted/run.py --fits
  check_one "headers alone" build witness all_verify_interface_header_sets
  check_one "build, warnings as errors" build witness
  check_many "tests" check_tests
  check_many "witness, subset" check_witness
  check_one "install: find_package, add_subdirectory, static, no video" tools/install_test.sh build/witness
  check_one "Python wheels: build" check_wheels
  check_one "Python wheels: tests in empty environments" check_python
  check_one "fuzz, 60 s" check_fuzz
  check_many "threaded tests under TSan" check_threads
  check_end
}

nightly_failed=()
nightly_note() { nightly_failed+=("$1"); }

nightly_witness() { build_witness && witness; }

nightly_planted() { python3 -B tests/planted/run.py; }

nightly_asan() { build asan && run_tests asan; }

nightly_flaky() { build release && tools/flaky.py build/release 3; }

nightly_fuzz() { build fuzz winnow_fuzzers && tools/fuzz.sh 3600; }

# The tests that threaded_tests leaves out.
nightly_threads() {
  build tsan winnow_threaded_tests
  tsan_tests -L slow-under-tsan --timeout 7200
}

nightly_wheels() { tools/wheel.py build && tools/wheel.py test; }

nightly() {
  SECONDS=0
  check_failure=nightly_note
  check_step "witness, whole" nightly_witness
  check_step "planted bugs" nightly_planted
  check_step "all tests under ASan and UBSan" nightly_asan
  check_step "all tests three times, every core busy" nightly_flaky
  check_step "fuzz, 3600 s" nightly_fuzz
  check_step "threaded tests that are slow under TSan" nightly_threads
  check_step "Python wheels for all GPUs: build and tests" nightly_wheels
  printf '\n%s%6d s  in all\n' "$check_rows" "$SECONDS"
  ((${#nightly_failed[@]} == 0)) && return
  printf 'nightly: failed in: %s\n' "${nightly_failed[@]}"
  return 1
}
