"""The homeserver of the tests: what is stored outlives its end, and it can be as strict as real ones."""

from tests.synapse.fixtures import Start
from tests.synapse.server import NAME, Homeserver


def test_people_register_and_log_in(synapse: Homeserver) -> None:
    assert synapse.register("anna-at-the-door") == f"@anna-at-the-door:{NAME}"
    assert _login(synapse, "anna-at-the-door")["user_id"] == f"@anna-at-the-door:{NAME}"


def test_what_is_stored_outlives_a_stop_and_a_kill(own_synapse: Start) -> None:
    server = own_synapse()
    server.register("anna")
    token = _login(server, "anna")["access_token"]
    for end in (server.stop, server.kill):
        end()
        server.start()
        assert server.ask("GET", "/_matrix/client/v3/account/whoami", token=token)["user_id"] == f"@anna:{NAME}"


def test_limits_can_be_as_low_as_a_test_wants(own_synapse: Start) -> None:
    server = own_synapse(rc_login={"account": {"per_second": 0.01, "burst_count": 1}})
    server.register("anna")
    answers = [_login(server, "anna") for _ in range(3)]
    assert answers[-1]["status"] == 429
    assert answers[-1]["retry_after_ms"] > 0


def _login(server: Homeserver, name: str) -> dict[str, str]:
    body = {
        "type": "m.login.password",
        "identifier": {"type": "m.id.user", "user": name},
        "password": name,
    }
    answer: dict[str, str] = server.ask("POST", "/_matrix/client/v3/login", body)
    return answer
