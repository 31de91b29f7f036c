#!/usr/bin/env node
// Runs the program of the platform. It gets the terminal, standard input and output as they are.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { programPath } from "../lib/program.js";

function start() {
  let program;
  try {
    program = programPath();
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exit(2);
  }
  const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: false });

  // Signals are for the program. In a terminal it gets an interrupt by itself, too, and the second one changes nothing.
  const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];
  const forward = (signal) => child.kill(signal);
  for (const signal of forwarded) process.on(signal, forward);

  child.once("error", (error) => {
    console.error(`error: '${program}' cannot be started: ${error.message}`);
    process.exit(2);
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    // This process ends as the program did: by the signal.
    for (const name of forwarded) process.off(name, forward);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1000);
  });
}

start();
