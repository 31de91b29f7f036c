"""Builds the corpora from packages, with the ordinary clients of their registries.

Versions are pinned where a registry keeps old ones; Debian's packages follow the release that the machine has, so
`MANIFEST.txt` in each corpus says what was taken, and counts it. What can't be got is told and left out. A corpus that is
there already is left alone: remove it to build it again.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

WHEELS = """
Django==5.1.4 sympy==1.13.3 pandas==2.2.3 numpy==1.26.4 scikit-learn==1.5.2 SQLAlchemy==2.0.36 setuptools==75.6.0
mypy==1.13.0 scipy==1.14.1 networkx==3.4.2
""".split()
NPM = """
typescript@5.6.3 rxjs@7.8.1 zod@3.25.76 effect@3.11.0 viem@2.21.50 ethers@6.13.4 three@0.170.0 lodash@4.17.21
react-native@0.76.3 react-native-paper@5.12.5 @react-navigation/core@7.0.0 react-native-reanimated@3.16.1
monaco-editor@0.52.0 @tanstack/query-core@5.60.5 prettier@3.3.3 bootstrap@5.3.3
""".split()
#: Packages with native code: Kotlin, Swift and Objective-C, and with C#.
MOBILE = """
react-native@0.76.3 lottie-ios@4.5.0 expo-modules-core@2.1.1 expo-camera@16.0.10 expo-updates@0.26.10
react-native-screens@4.4.0 react-native-vision-camera@4.6.3 @stripe/stripe-react-native@0.41.0
""".split()
CSHARP = "com.cysharp.unitask@2.2.5 com.neuecc.unirx@7.1.0".split()
CRATES = """
[package]
name = "corpus"
version = "0.0.0"
edition = "2021"
[dependencies]
tokio = { version = "=1.41.1", features = ["full"] }
serde = { version = "=1.0.215", features = ["derive"] }
serde_json = "=1.0.133"
syn = { version = "=2.0.89", features = ["full"] }
clap = { version = "=4.5.21", features = ["derive"] }
hyper = { version = "=1.5.1", features = ["full"] }
regex = "=1.11.1"
rayon = "=1.10.0"
rustls = "=0.23.18"
nom = "=7.1.3"
polars-core = "=0.44.2"
bevy_ecs = "=0.14.2"
wgpu-core = "=23.0.0"
"""
#: Below a corpus: its folder, Debian's packages, the extensions that are kept.
PYTHON_DEBS = ["libpython3.11-minimal", "libpython3.11-stdlib", "libpython3.11-testsuite"]
DEBS = [
    (
        "go",
        """golang-1.19-src golang-golang-x-tools-dev golang-k8s-kube-openapi-dev golang-google-grpc-dev
        golang-github-prometheus-common-dev""".split(),
        ["go"],
    ),
    ("java", ["openjdk-17-source"], ["java"]),
    ("c", ["linux-source-6.1"], ["c", "h"]),
    ("cpp", ["libboost1.74-dev", "googletest", "libeigen3-dev", "llvm-14-dev"], "c cc cpp h hpp ipp".split()),
    (
        "other",
        """ruby-activerecord ruby-actionpack ruby-activesupport php-symfony php-twig phpunit git lua-penlight""".split(),
        ["rb", "php", "sh", "lua"],
    ),
]
#: Of the JDK and of Linux these parts are enough.
JAVA_MODULES = {"java.base", "java.desktop", "jdk.compiler", "java.xml"}
LINUX_PARTS = {"kernel", "mm", "fs", "net", "lib"}


def fetch(folder, which):
    for name in which:
        place = folder / name
        if place.exists():
            print(f"{place} is there already")
            continue
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="corpus-", dir=folder) as beside:
            made = Path(beside) / name
            made.mkdir()
            taken = MAKERS[name](made, Path(beside))
            manifest = "\n".join([*taken, *counts(made)]) + "\n"
            (made / "MANIFEST.txt").write_text(manifest)
            made.rename(place)
        print(manifest, end="")


def python(made, beside):
    taken = []
    for wheel in WHEELS:
        into = beside / "wheel"
        into.mkdir()
        pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
        if got(wheel, [*pip, "--only-binary", ":all:", "-d", ".", wheel], into):
            with zipfile.ZipFile(next(into.glob("*.whl"))) as archive:
                archive.extractall(made / wheel.split("==")[0])
            taken.append(f"wheel {wheel}")
        shutil.rmtree(into)
    taken += debs(PYTHON_DEBS, made / "cpython", beside)
    keep(made, ["py"])
    return taken


def mixed(made, beside):
    taken = npm(made / "js", beside) + crates(made / "rust", beside)
    for name, packages, extensions in DEBS:
        taken += debs(packages, made / name, beside)
        if name == "java":
            jdk(made / name)
        if name == "c":
            linux(made / name)
        keep(made / name, extensions)
    return taken


def more(made, beside):
    """Languages that are in few registries."""
    taken = npm_packages(MOBILE, made / "mobile", beside) + npm_packages(CSHARP, made / "csharp", beside)
    keep(made / "mobile", "kt swift m mm".split())
    keep(made / "csharp", ["cs"])
    return taken


def npm(made, beside):
    taken = npm_packages(NPM, made, beside)
    for pattern in ["*.min.js", "*.min.css", "*.map"]:
        for path in list(made.rglob(pattern)):
            path.unlink()
    for minified in ["min", "dev"]:
        shutil.rmtree(made / "monaco-editor" / "package" / minified, ignore_errors=True)
    keep(made, "ts tsx js jsx mjs cjs json css scss html yaml yml".split())
    return taken


def npm_packages(packages, made, beside):
    taken = []
    for package in packages:
        into = beside / "npm"
        into.mkdir()
        if got(package, ["npm", "pack", "--silent", package], into):
            name = package.rsplit("@", 1)[0].lstrip("@").replace("/", "-")
            unpack(next(into.glob("*.tgz")), made / name)
            taken.append(f"npm {package}")
        shutil.rmtree(into)
    return taken


def crates(made, beside):
    package = beside / "crates"
    (package / "src").mkdir(parents=True)
    (package / "src" / "lib.rs").write_text("")
    (package / "Cargo.toml").write_text(CRATES)
    if not got("the crates", ["cargo", "vendor", "-q", "vendor"], package):
        return []
    for pattern in ["windows*", "winapi*"]:
        for path in (package / "vendor").glob(pattern):
            shutil.rmtree(path)
    made.mkdir()
    (package / "vendor").rename(made / "vendor")
    count = len(list((made / "vendor").iterdir()))
    keep(made, ["rs", "toml"])
    return [f"cargo vendor {count} crates"]


def debs(packages, made, beside):
    """Downloads and unpacks; nothing is installed."""
    taken = []
    for package in packages:
        into = beside / "deb"
        into.mkdir()
        # apt-get downloads as a user of its own.
        into.chmod(0o777)
        beside.chmod(0o755)
        if got(package, ["apt-get", "download", "-q", package], into):
            file = next(into.glob("*.deb"))
            place = made / package
            place.mkdir(parents=True)
            if got(package, ["dpkg-deb", "-x", str(file), str(place)], into):
                version = subprocess.run(["dpkg-deb", "-f", str(file), "Version"], capture_output=True, text=True)
                taken.append(f"deb {package} {version.stdout.strip()}")
        shutil.rmtree(into)
    return taken


def jdk(folder):
    for archive in list(folder.rglob("src.zip")):
        if archive.is_symlink():
            continue
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                if name.split("/")[0] in JAVA_MODULES:
                    opened.extract(name, folder / "jdk")


def linux(folder):
    for archive in list(folder.rglob("linux-source-*.tar.xz")):
        unpack(archive, folder / "linux", 1, lambda parts: len(parts) > 1 and parts[1] in LINUX_PARTS)


def unpack(archive, place, strip=0, wanted=lambda parts: True):
    """The plain files of a tar archive, so no link leads out of the folder."""
    with tarfile.open(archive) as opened:
        for member in opened:
            parts = [part for part in member.name.split("/") if part not in ("", ".")]
            if not member.isfile() or ".." in parts or not wanted(parts):
                continue
            path = place.joinpath(*parts[strip:])
            path.parent.mkdir(parents=True, exist_ok=True)
            with opened.extractfile(member) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target)


def keep(folder, extensions):
    """Drops links and all that isn't source of these kinds."""
    kept = {f".{extension}" for extension in extensions}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_symlink() or path.is_file():
            if path.is_symlink() or path.suffix not in kept:
                path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def got(what, command, folder):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        print(f"could not get {what}: {command[0]} is not installed", file=sys.stderr)
        return False
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"could not get {what}: {last}", file=sys.stderr)
    return done.returncode == 0


#: What makes each corpus.
MAKERS = {"py": python, "multi": mixed, "more": more}


def counts(folder):
    rows = {}
    for path in folder.rglob("*"):
        if path.is_file():
            row = rows.setdefault(path.suffix[1:], [0, 0, 0])
            text = path.read_bytes()
            row[0] += 1
            row[1] += text.count(b"\n")
            row[2] += len(text)
    yield f"{'ext':<6} {'files':>8} {'lines':>10} {'MB':>9}"
    for extension, (files, lines, size) in sorted(rows.items()):
        yield f"{extension:<6} {files:>8} {lines:>10} {size / 1e6:>9.1f}"
