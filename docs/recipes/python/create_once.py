"""Creates a product exactly once, whatever the network does. API_URL is https://…/merchants/mer_…"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

MAX_ATTEMPTS = 5


def post(url: str, key: str, body: dict) -> dict:
    # The same key for all attempts: a repeated request returns the first response.
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    data = json.dumps(body).encode()
    for attempt in range(1, MAX_ATTEMPTS + 1):
        wait = 0.25 * 2**attempt
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if attempt == MAX_ATTEMPTS or (error.code != 429 and error.code < 500):
                raise RuntimeError(error.read().decode()) from error
            wait = max(wait, float(error.headers.get("Retry-After") or 0))
        except OSError:  # No response.
            if attempt == MAX_ATTEMPTS:
                raise
        time.sleep(wait)
    raise AssertionError


try:
    print(post(os.environ["API_URL"] + "/products", os.environ["API_KEY"], {"title": "Lemon tart", "price": "4.50"})["id"])
except RuntimeError as error:
    sys.exit(str(error))
