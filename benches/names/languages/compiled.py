"""Runs programs one by one from files: a command that compiles, and one that runs."""
import os
import shutil
import subprocess


class Runner:
    def __init__(self, scratch, *commands):
        self.folder = os.path.join(scratch, f"run{os.getpid()}")
        self.commands = commands

    def run_many(self, programs):
        return [self.run(files) for files in programs]

    def run(self, files):
        shutil.rmtree(self.folder, ignore_errors=True)
        for path, text in files.items():
            full = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as file:
                file.write(text)
        done = None
        for command in self.commands:
            try:
                done = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=10)
            except subprocess.TimeoutExpired:
                return 2, "late"
            if done.returncode != 0:
                return 1, done.stdout + "error " + (done.stderr or done.stdout)[:300]
        return 0, done.stdout
