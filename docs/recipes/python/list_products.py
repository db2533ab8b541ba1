"""Prints the titles of all products, page by page. API_URL is https://…/merchants/mer_…"""
import json
import os
import re
import urllib.parse
import urllib.request


def list_all(url: str, key: str):
    while url:
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"})
        with urllib.request.urlopen(request, timeout=30) as response:
            yield from json.load(response)
            link = re.search(r'<([^>]*)>;\s*rel="next"', response.headers.get("Link", ""))
        # The link is relative. Follow it instead of counting: a page can have fewer objects than `limit`.
        url = urllib.parse.urljoin(url, link.group(1)) if link else None


for product in list_all(os.environ["API_URL"] + "/products?limit=10", os.environ["API_KEY"]):
    print(product["title"])
