"""Runs programs one by one from files: a command that compiles, and one that runs."""
import os
import shutil
import signal
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
        out = ""
        for command in self.commands:
            done = subprocess.Popen(command, shell=True, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
            try:
                out, complaints = done.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                # The shell and what it started.
                os.killpg(done.pid, signal.SIGKILL)
                done.wait()
                return 2, "late"
            if done.returncode != 0:
                return 1, out + "error " + (complaints or out)[:300]
        return 0, out
