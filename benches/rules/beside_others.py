"""CPU of 1, 10 and 100 rules over Python code: `cst scan` with selectors, `cst scan` with ast-grep's YAML, ast-grep, semgrep.

The rules are the same in all forms. Prints CPU seconds (user and system, all processes), findings, and the ratio to one rule.

    python3 beside_others.py FOLDER --cst CST [--ast-grep AST_GREP] [--semgrep SEMGREP] [--rounds N]
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

CALLS = """
print eval exec open input compile globals locals vars setattr getattr delattr hasattr isinstance issubclass
os.system os.popen os.remove os.path.join os.environ.get os.getcwd os.listdir os.chmod os.makedirs os.unlink
subprocess.call subprocess.run subprocess.Popen subprocess.check_output subprocess.check_call
pickle.loads pickle.load yaml.load marshal.loads json.loads json.dumps hashlib.md5 hashlib.sha1 random.random random.choice
tempfile.mktemp tempfile.mkdtemp shutil.rmtree shutil.copy logging.warn logging.getLogger warnings.warn time.sleep time.time
datetime.datetime.now datetime.datetime.utcnow re.compile re.match re.sub itertools.chain functools.reduce collections.OrderedDict
asyncio.get_event_loop threading.Thread socket.socket requests.get requests.post urllib.request.urlopen
np.array np.asarray np.zeros np.dot np.matrix np.float np.testing.assert_equal pd.DataFrame pd.concat pytest.raises pytest.skip
self.assertEquals self.assertEqual self.assertIn self.assertIsNone self.assertRaises self.assertTrue self.fail super sys.exit sys.setrecursionlimit copy.deepcopy
""".split()
EXPRESSIONS = [
    ("$A == None", "$A == None"),
    ("$A != None", "$A != None"),
    ("$A == True", "$A == True"),
    ("$A == False", "$A == False"),
    ("not $A in $B", "not $A in $B"),
    ("not $A is $B", "not $A is $B"),
    ("$A is $A", "$A is $A"),
    ("$A == $A", "$A == $A"),
    ("type($A) == type($B)", "type($A) == type($B)"),
    ("len($A) == 0", "len($A) == 0"),
    ("lambda: $A", "lambda: $A"),
    ("$A if $A else $B", "$A if $A else $B"),
    ("$A.has_key($B)", "$A.has_key($B)"),
    ("dict([$A])", "dict([$A])"),
    ("list($A.keys())", "list($A.keys())"),
]


def rules():
    """(id, pattern of cst and ast-grep, pattern of semgrep), from those that other tools' users begin with."""
    calls = [(f"call-{name.replace('.', '-').lower()}", f"{name}($$$)", f"{name}(...)") for name in CALLS]
    others = [(f"expression-{at}", ours, theirs) for at, (ours, theirs) in enumerate(EXPRESSIONS)]
    # Mixed, so that ten have some of each kind; the first is the commonest one.
    mixed = []
    while calls or others:
        mixed += calls[:6] + others[:1]
        calls, others = calls[6:], others[1:]
    return mixed


def write(folder, count):
    """The rules in three forms."""
    chosen = rules()[:count]
    assert len(chosen) == count, len(chosen)
    toml = "".join(
        f"[[rule]]\nid = {json.dumps(name)}\nlanguages = [\"python\"]\nmessage = \"found\"\n"
        f"select = {json.dumps(f':like({json.dumps(ours)})')}\n\n"
        for name, ours, _ in chosen
    )
    (folder / f"{count}.toml").write_text(toml)
    yaml = "\n---\n".join(
        f"id: {name}\nlanguage: python\nseverity: warning\nmessage: found\nrule:\n  pattern: {json.dumps(ours)}\n"
        for name, ours, _ in chosen
    )
    (folder / f"{count}.yml").write_text(yaml)
    semgrep = {
        "rules": [
            {"id": name, "languages": ["python"], "severity": "WARNING", "message": "found", "pattern": theirs}
            for name, _, theirs in chosen
        ]
    }
    (folder / f"{count}.semgrep.yml").write_text(json.dumps(semgrep))


def cpu(command, folder):
    """CPU seconds of a command and its children, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime), done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--cst", required=True)
    parser.add_argument("--ast-grep", default="ast-grep")
    parser.add_argument("--semgrep")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--counts", default="1,10,100")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    counts = [int(count) for count in arguments.counts.split(",")]
    with tempfile.TemporaryDirectory() as made:
        made = Path(made)
        for count in counts:
            write(made, count)
        def lines(text):
            return sum(1 for line in text.splitlines() if line.startswith("{"))
        tools = {
            "cst, selectors": (lambda n: [arguments.cst, "scan", "--rules", f"{made}/{n}.toml", "--jsonl", folder], lines),
            "cst, YAML": (lambda n: [arguments.cst, "scan", "--rules", f"{made}/{n}.yml", "--jsonl", folder], lines),
            "ast-grep": (lambda n: [arguments.ast_grep, "scan", "-r", f"{made}/{n}.yml", "--json=stream", folder], lines),
        }
        if arguments.semgrep:
            tools["semgrep"] = (
                lambda n: [arguments.semgrep, "scan", "--metrics=off", "--disable-version-check", "--json", "--quiet",
                           "--no-git-ignore", "--config", f"{made}/{n}.semgrep.yml", folder],
                lambda text: len(json.loads(text)["results"]),
            )
        taken = {}
        for _ in range(arguments.rounds):
            for count in counts:
                for name, (command, found) in tools.items():
                    seconds, output = cpu(command(count), made)
                    taken.setdefault((name, count), []).append((seconds, found(output)))
        print(f"{'tool':18}" + "".join(f"{count:>5} rules{'×':>7}{'found':>8}" for count in counts))
        for name in tools:
            row = f"{name:18}"
            one = statistics.median(seconds for seconds, _ in taken[name, counts[0]])
            for count in counts:
                seconds = statistics.median(seconds for seconds, _ in taken[name, count])
                row += f"{seconds:10.2f}s{seconds / one:6.1f}{taken[name, count][0][1]:8}"
            print(row)


main()
