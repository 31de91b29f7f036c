import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { ProgramError } from "./errors.js";

/** The packages with the program, by `process.platform` and `process.arch`. The one for Linux is static: glibc and musl. */
const PACKAGES: Record<string, string> = {
  "linux-x64": "@cst-engine/linux-x64",
  "linux-arm64": "@cst-engine/linux-arm64",
  "darwin-x64": "@cst-engine/darwin-x64",
  "darwin-arm64": "@cst-engine/darwin-arm64",
  "win32-x64": "@cst-engine/win32-x64",
  // It runs programs for x64.
  "win32-arm64": "@cst-engine/win32-x64",
};

/**
 * The path of the program: that of the package for this platform, or what the variable CST_BINARY_PATH says.
 *
 * @throws {ProgramError} `not_installed`
 */
export function programPath(): string {
  const given = process.env["CST_BINARY_PATH"];
  if (given) {
    if (existsSync(given)) return given;
    throw new ProgramError("not_installed", `CST_BINARY_PATH names '${given}', which is not there`);
  }
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new ProgramError("not_installed", `there is no program of cst for ${platform}`, {
      hint: "build it from source with cargo, and name it in the variable CST_BINARY_PATH",
    });
  }
  try {
    return createRequire(import.meta.url).resolve(`${name}/${process.platform === "win32" ? "cst.exe" : "cst"}`);
  } catch (cause) {
    throw new ProgramError("not_installed", `the package ${name}, with the program of cst for ${platform}, is not installed`, {
      hint:
        "it is an optional dependency of cst-engine: install without --omit=optional or --no-optional, and again if " +
        "node_modules comes from another platform; or name a program in the variable CST_BINARY_PATH",
      cause,
    });
  }
}
