"""What tests of `winnow train cascade` share: drawn rings, and a small training."""

from rings import SIDE, background, crop
from runner import CommandTest

COUNT = 100


class Cascade(CommandTest):
    SMALL = ["--window", f"{SIDE}x{SIDE}", "--stages", "4", "--stage-negatives", "150", "--features-per-round", "300"]

    def setUp(self):
        super().setUp()
        for i in range(COUNT):
            self.write(f"crops/{i:02}.pgm", crop(i))
        for i in range(8):
            self.write(f"scenes/{i}.png", background(i))

    def arguments(self, *more, small=SMALL, samples=("--positives", "crops", "--negatives", "scenes")):
        return ["train", "cascade", *samples, *small, *more]

    def train(self, *more, code=0, **changes):
        result = self.run_command(*self.arguments(*more, **changes))
        self.assertEqual(result.code, code, result.err)
        return result

    def assert_refused(self, *arguments, says, code=2):
        """Expects that the command is refused with one sentence, and makes no file."""
        before = self.files(".")
        result = self.run_command(*arguments)
        self.assertEqual((result.code, result.out), (code, b""), (arguments, result.err))
        self.assertTrue(result.err.startswith("winnow: "), result.err)
        self.assertIn(says, result.err)
        self.assertEqual(result.err.count("\n"), 1, result.err)
        self.assertEqual(self.files("."), before)
        return result

    def found(self, model, picture):
        result = self.run_command("detect", "-m", model, picture)
        self.assertEqual(result.code, 0, result.err)
        return result.lines()[0]["objects"]
