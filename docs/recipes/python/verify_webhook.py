"""Verifies a webhook: python3 verify_webhook.py ID TIMESTAMP SIGNATURE < body, with WEBHOOK_SECRET."""
import base64
import hashlib
import hmac
import json
import os
import sys
import time

TOLERANCE_SECONDS = 300


def verify(secret: str, webhook_id: str, timestamp: str, signatures: str, body: bytes) -> dict:
    """Returns the event. Raises ValueError if it is not authentic. `body` is the raw body."""
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("sent too long ago, or this machine's clock is wrong")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{webhook_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    # Several signatures while a secret is rotated.
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" ")):
        raise ValueError("not signed with this secret")
    return json.loads(body)


if __name__ == "__main__":
    try:
        event = verify(os.environ["WEBHOOK_SECRET"], *sys.argv[1:4], sys.stdin.buffer.read())
    except ValueError as error:
        sys.exit(str(error))
    print(event["type"], event["id"])
