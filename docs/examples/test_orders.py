# Run with: npx atom-mq run --queue orders --clock manual -- python3 -m pytest test_orders.py
import json
import os
import urllib.error
import urllib.request

import pytest

MQ = os.environ["ATOM_MQ_URL"]


def ask(method, path, body=None):
    """One request: its status and, where that is JSON, what it says."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(MQ + path, data=data, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        text = answer.read()
        return answer.status, json.loads(text) if "json" in answer.headers.get("Content-Type", "") else text


def send_order(guid, order):
    """The application: it sends an order once, whatever gets lost on the way."""
    for _ in range(5):
        try:
            return ask("POST", f"/queues/orders?guid={guid}", order)
        except (urllib.error.URLError, ConnectionError):
            continue
    raise RuntimeError("The order was not sent.")


def control(path, body=None):
    """Asks the mock broker itself; where it refuses, the test fails with its words."""
    try:
        return ask("POST", "/_control" + path, body)[1]
    except urllib.error.HTTPError as refused:
        problem = json.load(refused)
    # Outside of the handler, so that nothing stands before its words.
    pytest.fail(problem["detail"], pytrace=False)


@pytest.fixture(autouse=True)
def fresh_broker():
    control("/reset", {"seed": True})
    yield
    control("/verify", {"messages": False})


def test_an_order_arrives_once_although_its_answer_was_lost():
    control("/faults", {"fault": "reset-after-commit", "query": {"guid": "order-1"}, "times": 1})
    send_order("order-1", b"two teapots")
    control("/messages/expect", {"pattern": {"guid": "order-1"}, "count": 1})
    control("/journal/wait", {"pattern": {"method": "POST", "path": "/queues/**"}, "count": 2})


def test_a_broker_that_is_away_for_a_while():
    control("/faults", {"scenario": "away", "times": 2})
    send_order("order-2", b"a hat")
    _, state = ask("GET", "/_control/state?queue=orders")
    assert [message["body"] for message in state["queues"][0]["messages"]] == ["a hat"]
