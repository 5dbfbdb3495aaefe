"""Plays every match of Tokonoma that it is challenged to: RIPOSTE_KEY=rip_… python examples/bot.py"""

import json
import os
import random
import time
import urllib.request

URL = os.environ.get("RIPOSTE_URL", "http://127.0.0.1:8080") + "/api/v1"
HEADERS = {"Authorization": f"Bearer {os.environ['RIPOSTE_KEY']}", "Content-Type": "application/json"}


def ask(path, body=None):
    """Read something, or, with a body, do something; returns the answer, or None after saying why not."""
    data = None if body is None else json.dumps(body).encode()
    headers = HEADERS | ({} if body is None else {"Idempotency-Key": os.urandom(16).hex()})
    try:
        with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers), timeout=60) as answer:
            return json.load(answer)
    except urllib.request.HTTPError as error:
        print(path, "-", json.load(error)["detail"])
        return None


def turn(number):
    """Pick at random until a turn is complete; where the umpire refuses, only what leads to a tenable one."""
    picks = []
    while menu := ask(f"/matches/{number}/menu?" + "&".join(f"pick={pick}" for pick in picks)):
        offered = [*menu["places"], *(choice["key"] for choice in menu["choices"])]
        good = [pick for pick in offered if pick in menu["reach"]] or offered
        if menu["complete"] and (not good or random.random() < 0.5):
            return menu["text"]
        picks = [*picks, random.choice([pick for pick in good if pick != "pass"] or good)] if good else []


def play(number):
    """Do what is due in a match: accept a challenge, or make a turn."""
    match = ask(f"/matches/{number}") or {"game": ""}
    if match["game"] == "tokonoma" and match["status"] == "open":
        ask(f"/matches/{number}/accept", {})
    elif match["game"] == "tokonoma" and match["status"] == "running" and match["you"] in match["to_act"]:
        ask(f"/matches/{number}/move", {"turn": turn(number)})


def listen():
    """Look at every match once, then at each that there is news of."""
    with urllib.request.urlopen(urllib.request.Request(URL + "/events", headers=HEADERS), timeout=60) as events:
        for one in (ask("/matches") or {"matches": []})["matches"]:
            play(one["match"])
        for line in events:
            if line.startswith(b"data: "):
                play(json.loads(line.removeprefix(b"data: "))["match"])


while True:
    try:
        listen()
    except OSError as error:
        print("again in five seconds, because", error)
        time.sleep(5)
