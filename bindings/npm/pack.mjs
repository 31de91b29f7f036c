// Packs what is published: `cst-engine`, and a package with the program for each platform.
//
//     node pack.mjs PROGRAMS OUT
//
// PROGRAMS has a folder for each target, `cst-VERSION-TARGET` or `TARGET`, with the program in it: the unpacked archives of a
// release. OUT gets the tarballs. `npm run build` comes first. A platform without a program is named, and is an error with --all.

import { spawnSync } from "node:child_process";
import { copyFileSync, chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What npm calls a platform, and the target whose program it gets. Static programs of musl run on glibc, too. */
const PLATFORMS = {
  "linux-x64": { target: "x86_64-unknown-linux-musl", os: ["linux"], cpu: ["x64"] },
  "linux-arm64": { target: "aarch64-unknown-linux-musl", os: ["linux"], cpu: ["arm64"] },
  "darwin-x64": { target: "x86_64-apple-darwin", os: ["darwin"], cpu: ["x64"] },
  "darwin-arm64": { target: "aarch64-apple-darwin", os: ["darwin"], cpu: ["arm64"] },
  // Windows for ARM64 runs programs for x64.
  "win32-x64": { target: "x86_64-pc-windows-gnu", os: ["win32"], cpu: ["x64", "arm64"] },
};

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const words = process.argv.slice(2);
const isStrict = words.includes("--all");
const [programs, out] = words.filter((word) => !word.startsWith("--")).map((word) => resolve(word));
if (!out) throw new Error("usage: node pack.mjs PROGRAMS OUT [--all]");

const main = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const version = /^version = "(.*)"/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
if (main.version !== version) throw new Error(`package.json has the version ${main.version}, and Cargo.toml ${version}`);
if (!existsSync(join(here, "lib/node.js"))) throw new Error("lib/ is not there: npm run build");

mkdirSync(out, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "cst-npm-"));

function pack(folder) {
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(root, name), join(folder, name));
  const isWindows = process.platform === "win32";
  const ran = spawnSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", out], { cwd: folder, encoding: "utf8", shell: isWindows });
  if (ran.status !== 0) throw new Error(`npm pack in ${folder}: ${ran.error ?? ran.stderr}`);
  console.log(join(out, ran.stdout.trim()));
}

const missing = [];
for (const [platform, { target, os, cpu }] of Object.entries(PLATFORMS)) {
  const file = os.includes("win32") ? "cst.exe" : "cst";
  const program = [`cst-${version}-${target}`, target].map((name) => join(programs, name, file)).find(existsSync);
  if (!program) {
    missing.push(`${platform} (${target})`);
    continue;
  }
  const folder = join(scratch, platform);
  mkdirSync(folder);
  copyFileSync(program, join(folder, file));
  chmodSync(join(folder, file), 0o755);
  const { license } = main;
  const name = `@cst-engine/${platform}`;
  const description = `The program of cst-engine for ${platform}`;
  // A program cannot be run out of a zip archive, as Yarn keeps packages.
  const manifest = { name, version, description, license, os, cpu, files: [file, "LICENSE-*"], preferUnplugged: true, publishConfig: { access: "public" } };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "README.md"), `# ${name}\n\n${description}. Install \`cst-engine\`, which depends on it.\n`);
  pack(folder);
}

const folder = join(scratch, "main");
mkdirSync(folder);
for (const name of ["bin", "lib", "README.md"]) cpSync(join(here, name), join(folder, name), { recursive: true });
const { scripts: _, devDependencies: __, ...manifest } = main;
// Written here, so that an installation for development does not look for packages that are not published yet.
manifest.optionalDependencies = Object.fromEntries(Object.keys(PLATFORMS).map((platform) => [`@cst-engine/${platform}`, version]));
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
pack(folder);
rmSync(scratch, { recursive: true });

if (missing.length > 0) {
  console.error(`no program for ${missing.join(", ")}`);
  if (isStrict) process.exitCode = 1;
}
