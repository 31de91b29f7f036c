"""action.yml without a runner: its steps are run as a runner runs them, in scratch repositories.

CST is the program to test. PyYAML reads the file. What is not covered: the runner itself, GitHub's releases, and upload-sarif.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from typing import Optional

import yaml

ROOT = Path(__file__).resolve().parents[2]
CST = Path(os.environ["CST"]).resolve()
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
VERSION = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
RULE = """
[[rule]]
id = "no-print"
languages = ["python"]
severity = "error"
message = "`$X` is printed"
select = ':like("print($X)")'
"""
GIT = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
}


def git(folder, *words):
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True, env={**os.environ, **GIT}).stdout.strip()


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def commit(folder: Path, message="change") -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")


class Ran:
    """What the steps left: the exit status of the last one, the log, the outputs of the action."""

    def __init__(self, status, log, outputs):
        self.status, self.log, self.outputs = status, log, outputs

    def sarif(self):
        return json.loads(Path(self.outputs["sarif"]).read_text())

    def places(self):
        found = [result["locations"][0]["physicalLocation"] for result in self.sarif()["runs"][0]["results"]]
        return [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in found]


class ActionTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()
        self.repository = self.folder / "work"
        self.repository.mkdir()
        git(self.repository, "init", "-q", "-b", "main")
        write(self.repository / ".cst/rules/team.toml", RULE)

    def run_action(self, event: Optional[dict] = None, workspace: Optional[Path] = None, runner=("Linux", "X64"), **inputs) -> Ran:
        """Runs the steps with these inputs, `_` for `-`; CST is the program unless one or a version is given."""
        if not {"program", "version", "base_url"} & set(inputs):
            inputs["program"] = str(CST)
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        self.assertFalse(set(given) - set(ACTION["inputs"]), "inputs that the action does not have")
        values = {name: given.get(name, spec["default"]) for name, spec in ACTION["inputs"].items()}
        temporary = self.folder / "runner"
        temporary.mkdir(exist_ok=True)
        path_file = write(temporary / "path", "")
        environment = {
            **os.environ, **GIT, "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_PATH": str(path_file), "RUNNER_TEMP": str(temporary),
            "RUNNER_OS": runner[0], "RUNNER_ARCH": runner[1], "CST_STATE": str(self.folder / "state"),
        }
        outputs, log, status = {}, "", 0
        for step in ACTION["runs"]["steps"]:
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"], "an input in the text of a script is an injection")
            out = write(temporary / "output", "")
            bound = {name: self.evaluate(value, values, outputs, event or {}) for name, value in step["env"].items()}
            script = write(temporary / "step.sh", step["run"])
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=workspace or self.repository,
                env={**environment, **bound, "GITHUB_OUTPUT": str(out)}, capture_output=True, text=True,
            )
            log, status = log + done.stdout + done.stderr, done.returncode
            outputs[step["id"]] = dict(line.split("=", 1) for line in out.read_text().splitlines())
            if status:
                break
        taken = {name: self.evaluate(spec["value"], values, outputs, {}) for name, spec in ACTION["outputs"].items()}
        return Ran(status, log, taken)

    def evaluate(self, text: str, inputs: dict, outputs: dict, event: dict) -> str:
        """The expressions that action.yml uses: `inputs.X`, `steps.S.outputs.X`, `github.event.…`, and `||`."""

        def value(path: str) -> str:
            if path.startswith("inputs."):
                return inputs[path[len("inputs.") :]]
            if path.startswith("steps."):
                _, step, _, name = path.split(".")
                return outputs.get(step, {}).get(name, "")
            self.assertTrue(path.startswith("github.event."), path)
            found = event
            for key in path.split(".")[2:]:
                found = found.get(key, {}) if isinstance(found, dict) else {}
            return found if isinstance(found, str) else ""

        def expression(found) -> str:
            return next((result for path in found.group(1).split("||") if (result := value(path.strip()))), "")

        return re.sub(r"\$\{\{(.*?)\}\}", expression, text)

    # What is found

    def test_all_lines_without_a_base(self):
        write(self.repository / "a.py", "print(1)\n")
        ran = self.run_action()
        self.assertEqual((ran.status, ran.outputs["exit-code"]), (1, "1"), ran.log)
        self.assertIn("::error file=a.py,line=1,col=1", ran.log)
        self.assertEqual(ran.places(), [("a.py", 1)])
        self.assertEqual(ran.outputs["program"], str(CST))

    def test_nothing_found(self):
        write(self.repository / "a.py", "log(1)\n")
        ran = self.run_action()
        self.assertEqual((ran.status, ran.outputs["exit-code"]), (0, "0"), ran.log)
        self.assertEqual(ran.places(), [])

    def test_never_fails_on_findings_but_on_errors(self):
        write(self.repository / "a.py", "print(1)\n")
        ran = self.run_action(fail_on="never")
        self.assertEqual((ran.status, ran.outputs["exit-code"]), (0, "1"), ran.log)
        ran = self.run_action(fail_on="never", rules="not-there")
        self.assertEqual((ran.status, ran.outputs["exit-code"]), (2, "2"), ran.log)
        self.assertIn("not-there", ran.log)
        self.assertEqual(ran.outputs["sarif"], "", "no log was written, so none is to be uploaded")

    def test_severities(self):
        write(self.repository / ".cst/rules/team.toml", RULE.replace('"error"', '"warning"'))
        write(self.repository / "a.py", "print(1)\n")
        self.assertEqual(self.run_action().status, 0)
        self.assertEqual(self.run_action(fail_on="warning").status, 1)
        write(self.repository / ".cst/config.toml", '[scan]\nfail_on = "warning"\n')
        self.assertEqual(self.run_action().status, 1, "the configuration's counts where the input is not given")

    def test_no_rules(self):
        (self.repository / ".cst/rules/team.toml").unlink()
        write(self.repository / "a.py", "print(1)\n")
        ran = self.run_action()
        self.assertEqual(ran.status, 2, ran.log)
        self.assertIn("there are no rules", ran.log)
        self.assertEqual(self.run_action(packs="python, quality").status, 0)

    def test_odd_paths_and_a_baseline(self):
        write(self.repository / "with space/a b.py", "print(1)\n")
        write(self.repository / "-x.py", "print(2)\n")
        write(self.repository / "$(touch injected).py", "print(3)\n")
        write(self.repository / "other.py", "print(4)\n")
        ran = self.run_action(paths="with space\n  -x.py\r\n\n$(touch injected).py\n", format="compact")
        self.assertEqual(ran.status, 1, ran.log)
        self.assertIn("-x.py:1:1: error", ran.log)
        self.assertEqual(sorted(ran.places()), [("%24(touch%20injected).py", 1), ("-x.py", 1), ("with%20space/a%20b.py", 1)])
        self.assertFalse((self.repository / "injected").exists())
        subprocess.run([CST, "scan", "--baseline", "known.json", "--write-baseline"], cwd=self.repository, check=True, capture_output=True)
        ran = self.run_action(baseline="known.json")
        self.assertEqual(ran.status, 0, ran.log)

    def test_a_missing_path_and_a_broken_file(self):
        write(self.repository / "broken.py", "def f(:\n  print(2)\n")
        ran = self.run_action()
        self.assertEqual(ran.status, 1, ran.log)
        self.assertIn("syntax errors", ran.log)
        self.assertEqual(self.run_action(paths="not-there.py").status, 2)

    # Where it runs

    def test_a_working_directory_keeps_paths_from_the_root(self):
        write(self.repository / "packages/a, b/.cst/rules/own.toml", RULE.replace("no-print", "own"))
        write(self.repository / "packages/a, b/src/x.py", "print(1)\n")
        write(self.repository / "y.py", "print(1)\n")
        ran = self.run_action(working_directory="packages/a, b", sarif_file="scan.sarif")
        self.assertEqual(ran.status, 1, ran.log)
        self.assertIn("::error file=packages/a%2C b/src/x.py,line=1", ran.log)
        self.assertEqual(ran.places(), [("packages/a,%20b/src/x.py", 1)])
        self.assertNotIn("working directory", json.dumps(ran.sarif()["runs"][0]["originalUriBaseIds"]))
        self.assertEqual(Path(ran.outputs["sarif"]), self.repository / "packages/a, b/scan.sarif")
        ran = self.run_action(working_directory="not-there")
        self.assertEqual(ran.status, 2)
        self.assertIn("::error title=cst::the working directory 'not-there' is not there", ran.log)

    # Changed lines

    def history(self, commits: int) -> str:
        """An old finding, then commits; the last one is returned."""
        write(self.repository / "a.py", "print('old')\n")
        last = commit(self.repository)
        for number in range(commits):
            last = commit(self.repository, f"{number}") if write(self.repository / "n.txt", f"{number}\n") else last
        return last

    def test_a_pull_request_in_a_clone_of_one_commit(self):
        # The base goes on after the branch was made: the two have a common ancestor far below both.
        self.history(3)
        git(self.repository, "checkout", "-q", "-b", "feature")
        for number in range(80):
            write(self.repository / "b.py", f"x = {number}\n")
            commit(self.repository)
        write(self.repository / "b.py", "print('new')\n")
        commit(self.repository)
        git(self.repository, "checkout", "-q", "main")
        write(self.repository / "n.txt", "later\n")
        base = commit(self.repository)
        git(self.repository, "checkout", "-q", "feature")
        shallow = self.folder / "shallow"
        git(self.folder, "clone", "-q", "--depth=1", f"file://{self.repository}", str(shallow))
        self.assertEqual(git(shallow, "rev-list", "--count", "HEAD"), "1")
        ran = self.run_action({"pull_request": {"base": {"sha": base}}}, workspace=shallow)
        self.assertEqual(ran.status, 1, ran.log)
        self.assertEqual(ran.places(), [("b.py", 1)])

    def test_a_push_a_new_branch_and_a_forced_push(self):
        before = self.history(2)
        write(self.repository / "b.py", "print('new')\n")
        commit(self.repository)
        self.assertEqual(self.run_action({"before": before}).places(), [("b.py", 1)])
        both = [("a.py", 1), ("b.py", 1)]
        self.assertEqual(self.run_action({"before": "0" * 40}).places(), both)
        ran = self.run_action({"before": "1" * 40})
        self.assertEqual(ran.places(), both)
        self.assertIn("::warning title=cst::1111", ran.log)
        self.assertEqual(self.run_action({"before": before}, changed_since="none").places(), both)
        self.assertEqual(self.run_action(changed_since="HEAD~1").places(), [("b.py", 1)])
        self.assertEqual(self.run_action(changed_since="not-there").status, 2)

    # The program of a release

    def release(self, name: str, content=None) -> str:
        """A folder that looks like releases, with a program that runs CST."""
        folder = self.folder / "releases" / f"v{VERSION}"
        program = write(self.folder / "pack" / name / "cst", f'#!/bin/sh\nexec "{CST}" "$@"\n')
        program.chmod(0o755)
        folder.mkdir(parents=True)
        archive = folder / f"{name}.tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(program.parent, name)
        self.sum = hashlib.sha256(content or archive.read_bytes()).hexdigest()
        write(folder / "SHA256SUMS", f"{'0' * 64}  other.tar.gz\n{self.sum}  {name}.tar.gz\n")
        return (self.folder / "releases").as_uri()

    def test_the_program_of_a_release(self):
        write(self.repository / "a.py", "print(1)\n")
        for runner, triple in {("Linux", "X64"): "x86_64-unknown-linux-musl", ("macOS", "ARM64"): "aarch64-apple-darwin"}.items():
            with self.subTest(runner=runner):
                base = self.release(f"cst-{VERSION}-{triple}")
                ran = self.run_action(base_url=base, runner=runner)
                self.assertEqual((ran.status, ran.outputs["exit-code"]), (1, "1"), ran.log)
                self.assertIn(f"cst {VERSION}", ran.log)
                self.assertIn(triple, ran.outputs["program"])
                path = (self.folder / "runner/path").read_text().strip()
                self.assertTrue((Path(path) / "cst").exists(), "later steps find it")
                # Pinned by its checksum; and as people write versions of tags.
                self.assertEqual(self.run_action(base_url=base, runner=runner, version=f"v{VERSION}", sha256=self.sum).status, 1)
                ran = self.run_action(base_url=base, runner=runner, sha256="1" * 64)
                self.assertEqual(ran.status, 2)
                self.assertIn(f"has the checksum {self.sum}, and {'1' * 64} was expected", ran.log)
                for path in (self.folder / "releases").rglob("*"):
                    path.is_file() and path.unlink()
                (self.folder / "releases" / f"v{VERSION}").rmdir()

    def test_an_archive_that_was_changed(self):
        ran = self.run_action(base_url=self.release(f"cst-{VERSION}-x86_64-unknown-linux-musl", b"other"))
        self.assertEqual((ran.status, ran.outputs["program"]), (2, ""), ran.log)
        self.assertIn("and " + self.sum + " was expected", ran.log)

    def test_programs_that_cannot_be_had(self):
        for message, inputs in {
            "cannot download": {"base_url": (self.folder / "none").as_uri()},
            "is not a version": {"version": "../1"},
            "the program 'not-there' is not there": {"program": "not-there"},
            "the releases of this action are not known": {"version": "1.0.0"},
        }.items():
            with self.subTest(message):
                ran = self.run_action(**inputs)
                self.assertEqual(ran.status, 2, ran.log)
                self.assertIn("::error title=cst::", ran.log)
                self.assertIn(message, ran.log)
        ran = self.run_action(version="1.0.0", runner=("Linux", "ARM"))
        self.assertIn("there is no release for Linux on ARM", ran.log)

    def test_where_the_releases_of_an_action_are(self):
        for path, variable, expected in (
            ("/home/runner/work/_actions/owner/cst/v1", "", "https://example.com/owner/cst/releases/download"),
            ("D:\\a\\_actions\\owner\\cst\\v1", "other/one", "https://example.com/owner/cst/releases/download"),
            ("/work/cst", "owner/cst", "https://example.com/owner/cst/releases/download"),
        ):
            text = (ROOT / ".ci/action").read_text().split("\ncase ${1:-} in")[0] + "\nreleases"
            environment = {
                **os.environ, "GITHUB_ACTION_PATH": path, "GITHUB_ACTION_REPOSITORY": variable, "GITHUB_SERVER_URL": "https://example.com",
            }
            done = subprocess.run(["bash", "-c", text], env=environment, capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, expected)

    def test_the_documentation_names_every_input(self):
        page = (ROOT / "docs/ci.md").read_text()
        missing = [name for name in [*ACTION["inputs"], *ACTION["outputs"]] if f"`{name}`" not in page]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    sys.exit(unittest.main())
