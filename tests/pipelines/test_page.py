"""The configurations of docs/ci.md are valid, and the commands in them run.

check-jsonschema has the schemas of GitHub's workflows and actions and of GitLab's pipelines, as SchemaStore publishes them.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

from test_action import ACTION, CST, GIT, ROOT, RULE, commit, git, write

PAGE = (ROOT / "docs/ci.md").read_text()
BLOCKS = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.S)


def program(*words, **options):
    return subprocess.run([sys.executable, "-m", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


class PageTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def assert_schema(self, name: str, path: Path):
        ran = program("check_jsonschema", "--builtin-schema", name, str(path))
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_the_action_is_one(self):
        self.assert_schema("vendor.github-actions", ROOT / "action.yml")
        broken = write(self.folder / "action.yml", (ROOT / "action.yml").read_text().replace("using: composite", "using: nothing"))
        self.assertNotEqual(program("check_jsonschema", "--builtin-schema", "vendor.github-actions", str(broken)).returncode, 0)

    def test_every_configuration_is_valid(self):
        self.assertEqual(len(BLOCKS), PAGE.count("```yaml"), "a block does not say which file it is")
        kinds = []
        for name, text in BLOCKS:
            path = write(self.folder / name, text)
            kinds.append(path.name)
            if name.startswith(".github/workflows"):
                self.assert_schema("vendor.github-workflows", path)
                used = next(step for step in yaml.safe_load(text)["jobs"]["scan"]["steps"] if step.get("id") == "cst")
                self.assertLessEqual(set(used["with"]), set(ACTION["inputs"]))
            elif path.name == ".gitlab-ci.yml":
                self.assert_schema("vendor.gitlab-ci", path)
            else:
                ran = program("pre_commit", "validate-config", str(path))
                self.assertEqual((ran.returncode, ran.stdout), (0, ""))
        self.assertEqual(sorted(set(kinds)), [".gitlab-ci.yml", ".pre-commit-config.yaml", "cst.yml"])

    def test_the_hooks_are_valid(self):
        ran = program("pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))
        self.assertEqual((ran.returncode, ran.stdout), (0, ""))

    def test_the_job_of_gitlab_writes_a_report(self):
        git(self.folder, "init", "-q", "-b", "main")
        write(self.folder / ".cst/rules/team.toml", RULE)
        write(self.folder / "old.py", "print(1)\n")
        base = commit(self.folder)
        write(self.folder / "new.py", "print(2)\n")
        commit(self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/cst").symlink_to(CST)
        job = yaml.safe_load(next(text for name, text in BLOCKS if name == ".gitlab-ci.yml"))["cst"]
        environment = {
            **os.environ, **GIT, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
            "CST_STATE": str(self.folder / "state"),
        }
        ran = subprocess.run(["sh", "-ec", "\n".join(job["script"])], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        report = json.loads((self.folder / job["artifacts"]["reports"]["codequality"]).read_text())
        self.assertEqual([finding["location"]["path"] for finding in report], ["new.py"])
        for key in ("description", "check_name", "fingerprint", "severity"):
            self.assertTrue(report[0][key], key)
        self.assertIn(report[0]["severity"], {"info", "minor", "major", "critical", "blocker"})


if __name__ == "__main__":
    sys.exit(unittest.main())
