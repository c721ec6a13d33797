"""Programs that answer badly, each in its own way, to be asked as a command.

    python tests/conformance/programs.py garbage

Hello goes well; whatever is asked after it does not.
"""

import json
import os
import sys
import time

HELLO = {
    "protocol": 1,
    "implementation": "bad",
    "version": "1",
    "profiles": {"luso": {"options": {}}},
    "capabilities": [],
}


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(way: str) -> None:
    """Answer hello well, and everything else in a bad way."""
    for line in sys.stdin:
        request = json.loads(line)
        reply: dict[str, object] = {"id": request["id"], "ok": {"actions": []}}
        if request["op"] == "hello":
            reply["ok"] = HELLO
        else:
            match way:
                case "timeout":
                    time.sleep(0.45)
                case "hang":
                    time.sleep(60)
                case "crash":
                    sys.stderr.write("out of cards\n")
                    sys.exit(3)
                case "signal":
                    os.abort()
                case "garbage":
                    say("debug: dealing")
                case "list":
                    say("[]")
                case "neither":
                    say(json.dumps({"id": request["id"]}))
                case "wrong-id":
                    reply["id"] = request["id"] - 1
                case "unknown-profile":
                    reply = {"id": request["id"], "error": {"code": "unknown-profile"}}
                case "unknown-operation":
                    reply = {"id": request["id"], "error": {"code": "bad-request"}}
                case "another-shape":
                    reply = {"id": request["id"], "ok": {"moves": []}}
        say(json.dumps(reply))


if __name__ == "__main__":
    main(sys.argv[1])
