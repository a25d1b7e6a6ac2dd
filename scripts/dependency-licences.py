"""Lists the crates that are compiled into the program, with versions and licences, and copies the licence files that they ship:
    scripts/dependency-licences.py TARGET FOLDER
Writes FOLDER/README.md and FOLDER/CRATE-VERSION/LICENSE... from `cargo metadata`. A crate without a licence is an error.
"""
import json
import pathlib
import shutil
import subprocess
import sys

LICENCE_FILES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def compiled(metadata):
    """The packages that the program is linked from: normal dependencies, from `acidtest` on."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [identity for identity, package in packages.items() if package["name"] == "acidtest"]
    found = set()
    while waiting:
        identity = waiting.pop()
        if identity in found:
            continue
        found.add(identity)
        for dependency in nodes[identity]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    # Packages without a source are our own.
    return sorted((packages[one] for one in found if packages[one]["source"]), key=lambda package: (package["name"], package["version"]))


def main():
    target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Crates that are compiled into the program", "", "| crate | version | licence |", "|---|---|---|"]
    for package in compiled(metadata):
        name, version, home = package["name"], package["version"], pathlib.Path(package["manifest_path"]).parent
        licence = package["license"] or package["license_file"]
        if not licence:
            sys.exit(f"dependency-licences.py: {name} {version} names no licence")
        lines.append(f"| {name} | {version} | {licence} |")
        for file in sorted(home.iterdir()):
            if file.is_file() and file.name.upper().startswith(LICENCE_FILES):
                (folder / f"{name}-{version}").mkdir(exist_ok=True)
                shutil.copyfile(file, folder / f"{name}-{version}" / file.name)
    (folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
