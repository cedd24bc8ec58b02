"""What the tests of this folder share: they use Tacet as somebody does who has nothing but what is installed."""
import os
import subprocess
import sys

# What would lead a stranger's programs back to this machine's build.
OURS = ("LD_LIBRARY_PATH", "DESTDIR", "CMAKE_PREFIX_PATH")


def ended(*command, cwd=None, **environment):
    """The command when it has ended, whatever its status."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, cwd=cwd,
                          env={**kept, **{name: str(value) for name, value in environment.items()}})


def run(*command, **how):
    """What the command prints; ends the test where it fails."""
    done = ended(*command, **how)
    if done.returncode != 0:
        sys.exit(f"failed with {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def must(true, sentence):
    if not true:
        sys.exit(sentence)


def must_not_name(places, files):
    """No file names a folder of this machine."""
    for path in files:
        text = path.read_bytes()
        for place in places:
            must(str(place).encode() not in text, f"{path.name} names {place}, which another machine does not have")
