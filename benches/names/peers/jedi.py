"""Renames by jedi."""
import os
import shutil
import tempfile

import jedi


class Peer:
    def __init__(self, scratch, language):
        self.scratch = scratch

    def rename(self, files, place, new):
        """The files afterwards, or None if jedi refuses."""
        folder = tempfile.mkdtemp(dir=self.scratch)
        for path, text in files.items():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as file:
                file.write(text)
        path, line, column = place.split(":")
        try:
            script = jedi.Script(path=os.path.join(folder, path), project=jedi.Project(folder))
            refactoring = script.rename(int(line), int(column) - 1, new_name=new)
            after = dict(files)
            for changed, file in refactoring.get_changed_files().items():
                after[os.path.relpath(str(changed), folder)] = file.get_new_code()
            for old, moved in refactoring.get_renames():
                old, moved = os.path.relpath(str(old), folder), os.path.relpath(str(moved), folder)
                for path in [path for path in after if path == old or path.startswith(old + "/")]:
                    after[moved + path[len(old):]] = after.pop(path)
            return after
        except Exception:  # jedi raises errors of many kinds
            return None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
