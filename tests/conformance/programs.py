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
                    print("out of cards", file=sys.stderr)
                    sys.exit(3)
                case "signal":
                    os.abort()
                case "garbage":
                    print("debug: dealing", flush=True)
                case "list":
                    print("[]", flush=True)
                case "neither":
                    print(json.dumps({"id": request["id"]}), flush=True)
                case "wrong-id":
                    reply["id"] = request["id"] - 1
                case "unknown-profile":
                    reply = {"id": request["id"], "error": {"code": "unknown-profile"}}
                case "unknown-operation":
                    reply = {"id": request["id"], "error": {"code": "bad-request"}}
                case "another-shape":
                    reply = {"id": request["id"], "ok": {"moves": []}}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
