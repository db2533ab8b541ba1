"""Creates or updates products by your own ids: lines of id, tab and JSON. API_URL is https://…/merchants/mer_…"""
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

for line in sys.stdin:
    external_id, body = line.rstrip("\n").split("\t", 1)
    request = urllib.request.Request(
        f"{os.environ['API_URL']}/products/external/{urllib.parse.quote(external_id, safe='')}",
        body.encode(),
        {"Authorization": f"Bearer {os.environ['API_KEY']}", "Content-Type": "application/json"},
        method="PUT",
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            print(external_id, "created" if response.status == 201 else "updated")
    except urllib.error.HTTPError as error:
        sys.exit(f"{external_id}: {error.read().decode()}")
