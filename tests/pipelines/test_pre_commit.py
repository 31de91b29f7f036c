""".pre-commit-hooks.yaml, run by pre-commit in scratch repositories.

CST is the program to test; the hooks run it by `language: system`, as docs/ci.md shows it. What is not covered: the build of the
program by `language: rust`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml
from identify import extensions, interpreters

from test_action import CST, GIT, ROOT, RULE, commit, git, write

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
SCRIPT = """
name = "log"
language = "python"
[[step]]
select = 'call:like("print($X)")'
replace = "log.info($X)"
"""


class PreCommitTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        # The hooks come from a repository; the program, from the PATH.
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        git(hooks, "init", "-q", "-b", "main")
        self.revision = commit(hooks)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/cst").symlink_to(CST)
        self.environment = {
            **os.environ, **GIT, "PATH": f"{self.folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PRE_COMMIT_HOME": str(self.folder / "cache"), "CST_STATE": str(self.folder / "state"), "PRE_COMMIT_COLOR": "never",
        }
        self.repository = self.folder / "work"
        self.repository.mkdir()
        git(self.repository, "init", "-q", "-b", "main")
        write(self.repository / ".cst/rules/team.toml", RULE)

    def use(self, hook: str, **more):
        configuration = {"repos": [{
            "repo": f"file://{self.folder / 'hooks'}", "rev": self.revision, "hooks": [{"id": hook, "language": "system", **more}],
        }]}
        write(self.repository / ".pre-commit-config.yaml", yaml.safe_dump(configuration))

    def run_hooks(self, *words):
        """Stages all, and runs the hook on what is staged."""
        git(self.repository, "add", "-A")
        return self.run_again(*words)

    def run_again(self, *words):
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--verbose", *words], cwd=self.repository, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )

    def assert_passed(self, ran, word="Passed"):
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn(word, ran.stdout)

    def assert_failed(self, ran, *texts, code=1):
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn(f"- exit code: {code}", ran.stdout)
        for text in texts:
            self.assertIn(text, ran.stdout)

    def test_a_finding_fails_and_a_clean_file_passes(self):
        self.use("cst-scan")
        write(self.repository / "a.py", "print(1)\n")
        self.assert_failed(self.run_hooks(), "error[rules/no-print]", "a.py:1:1")
        write(self.repository / "a.py", "log(1)\n")
        self.assert_passed(self.run_hooks())

    def test_a_commit_is_refused(self):
        self.use("cst-scan")
        done = subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=self.repository, env=self.environment, capture_output=True)
        self.assertEqual(done.returncode, 0)
        write(self.repository / "a.py", "print(1)\n")
        git(self.repository, "add", "-A")
        refused = subprocess.run(["git", "commit", "-q", "-m", "x"], cwd=self.repository, env=self.environment, capture_output=True, text=True)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("a.py:1:1", refused.stdout + refused.stderr)
        write(self.repository / "a.py", "log(1)\n")
        git(self.repository, "add", "-A")
        made = subprocess.run(["git", "commit", "-q", "-m", "x"], cwd=self.repository, env=self.environment, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)

    def test_files_of_other_languages_are_not_given(self):
        self.use("cst-scan", files=r"^[^-]*\.(txt|lua|png)$")
        write(self.repository / "notes.txt", "print(1)\n")
        write(self.repository / "x.lua", "print(1)\n")
        write(self.repository / "x.png", "print(1)\n")
        self.assert_passed(self.run_hooks(), "no files to check")

    def test_a_file_that_cannot_be_read(self):
        self.use("cst-scan")
        (self.repository / "bin.py").write_bytes(b"\0\1print(1)")
        self.assert_failed(self.run_hooks(), "binary", "bin.py", code=2)

    def test_only_files_without_a_rule(self):
        self.use("cst-scan", files=r"\.js$")
        write(self.repository / "x.js", "print(1)\n")
        self.assert_passed(self.run_hooks())

    def test_odd_names(self):
        self.use("cst-scan")
        for name in ["with space.py", "sub/-x.py", "quote'\".py", "ümläut.py", "$(touch injected).py"]:
            write(self.repository / name, "print(1)\n")
        for name in ["-y.py", "--fix", "--verify=touch injected"]:
            write(self.repository / name, "#!/usr/bin/env python3\nprint(1)\n")
        ran = self.run_hooks()
        self.assert_failed(ran, "with space.py:1:1", "sub/-x.py:1:1", "quote'\".py:1:1", "ümläut.py:1:1", "$(touch injected).py:1:1")
        self.assertNotIn("y.py", ran.stdout)
        self.assertFalse((self.repository / "injected").exists())
        self.assertIn("print", (self.repository / "with space.py").read_text(), "nothing was read as --fix")

    def test_deleted_renamed_and_partly_staged(self):
        write(self.repository / "gone.py", "print(1)\n")
        write(self.repository / "old.py", "print(2)\n")
        write(self.repository / "part.py", "log(1)\n")
        self.use("cst-scan")
        commit(self.repository)
        git(self.repository, "rm", "-q", "gone.py")
        self.assert_passed(self.run_again(), "no files to check")
        git(self.repository, "mv", "old.py", "new.py")
        self.assert_failed(self.run_again(), "new.py:1:1")
        git(self.repository, "rm", "-q", "-f", "new.py")
        # What is staged counts, and not what was written after that.
        write(self.repository / "part.py", "log(2)\n")
        git(self.repository, "add", "part.py")
        write(self.repository / "part.py", "print(3)\n")
        self.assert_passed(self.run_again())
        self.assertEqual((self.repository / "part.py").read_text(), "print(3)\n")
        write(self.repository / "part.py", "print(3)\n")
        git(self.repository, "add", "part.py")
        write(self.repository / "part.py", "log(3)\n")
        self.assert_failed(self.run_again(), "part.py:1:1")

    def test_more_files_than_a_command_line_holds(self):
        self.use("cst-scan", args=["--format", "compact"])
        for number in range(1500):
            write(self.repository / f"{'d' * 90}/{'f' * 90}{number}.py", "print(1)\n")
        ran = self.run_hooks()
        self.assert_failed(ran)
        self.assertEqual(ran.stdout.count(": error rules/no-print"), 1500)
        self.assertGreater(ran.stdout.count("errors in"), 1, "it was not split: the test needs more files")

    def test_without_rules(self):
        self.use("cst-scan")
        (self.repository / ".cst/rules/team.toml").unlink()
        write(self.repository / "a.py", "print(1)\n")
        self.assert_failed(self.run_hooks(), "there are no rules", code=2)
        self.use("cst-scan", args=["--pack", "python", "--fail-on", "warning"])
        self.assert_passed(self.run_hooks())

    def test_a_broken_rule(self):
        self.use("cst-scan")
        write(self.repository / ".cst/rules/team.toml", RULE.replace(":like", ":lke"))
        write(self.repository / "a.py", "print(1)\n")
        self.assert_failed(self.run_hooks(), ":lke", code=2)

    def test_fixes_are_written_and_fail_once(self):
        self.use("cst-scan", args=["--fix"])
        write(self.repository / ".cst/rules/team.toml", RULE + 'fix = "log($X)"\nsafe = true\n')
        write(self.repository / "a.py", "print(1)\n")
        ran = self.run_hooks("--all-files")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("files were modified by this hook", ran.stdout)
        self.assertEqual((self.repository / "a.py").read_text(), "log(1)\n")
        self.assert_passed(self.run_hooks("--all-files"))

    def test_syntax_errors(self):
        write(self.repository / "broken.py", "def f(:\n  print(2)\n")
        self.use("cst-check")
        self.assert_failed(self.run_hooks(), "broken.py:1:7")
        self.use("cst-scan")
        self.assert_failed(self.run_hooks(), "broken.py: syntax errors", "broken.py:2:3")
        write(self.repository / "broken.py", "def f():\n  log(2)\n")
        self.use("cst-check")
        self.assert_passed(self.run_hooks())

    def test_a_script(self):
        write(self.repository / "refactors/log.toml", SCRIPT)
        self.use("cst-run", args=["refactors/log.toml"], types_or=["python"])
        write(self.repository / "a.py", "print(1)\n")
        self.assert_failed(self.run_hooks(), "+log.info(1)")
        self.assertEqual((self.repository / "a.py").read_text(), "print(1)\n")
        write(self.repository / "a.py", "log.info(1)\n")
        write(self.repository / "x.js", "print(1)\n")
        self.assert_passed(self.run_hooks())
        self.use("cst-run", args=["refactors/not-there.toml"], types_or=["python"])
        self.assert_failed(self.run_hooks(), "not-there.toml", code=2)

    def test_from_a_wheel(self):
        """As docs/ci.md has it for who has no Rust: `language: python`, with the wheel from a folder."""
        wheels = os.environ.get("WHEELS")
        if not wheels:
            self.skipTest("WHEELS, a folder with a wheel of the package, is not set")
        hook = {
            "id": "cst-scan", "name": "cst scan", "entry": "cst scan", "language": "python", "additional_dependencies": ["cst-engine"],
            "types": ["python"],
        }
        write(self.repository / ".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}))
        (self.folder / "bin/cst").unlink()
        self.environment["PIP_FIND_LINKS"] = wheels
        write(self.repository / "a.py", "print(1)\n")
        self.assert_failed(self.run_hooks(), "a.py:1:1")

    def test_what_pre_commit_takes_for_a_language_is_one(self):
        """Each name and extension whose tags a hook accepts is read by the program, so none of them alone is an error."""
        unknown, count = [], 0
        hook = HOOKS[0]
        folder = self.repository / "names"
        tables = {"f.{}": extensions.EXTENSIONS, "{}": extensions.NAMES, "#!": interpreters.INTERPRETERS}
        for form, table in tables.items():
            for word, tags in table.items():
                name = "script" if form == "#!" else form.format(word)
                is_given = set(hook["types_or"]) & tags and not set(hook["exclude_types"]) & tags and "binary" not in tags
                if not is_given or re.search(hook["exclude"], f"names/{name}"):
                    continue
                text = f"#!/usr/bin/env {word}\n" if form == "#!" else '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}' if word == "ipynb" else ""
                file = write(folder / name, text)
                done = subprocess.run([CST, "check", name], cwd=folder, capture_output=True, text=True, env=self.environment)
                if done.returncode == 2:
                    unknown.append((word, done.stderr))
                file.unlink()
                count += 1
        self.assertEqual(unknown, [])
        self.assertGreater(count, 100)
        self.assertEqual({str(other.get("types_or")) for other in HOOKS}, {str(hook["types_or"])})


if __name__ == "__main__":
    sys.exit(unittest.main())
