"""What messages look like when an agent of Agno's calls tools, and that they come back from Parley as they were.

    pip install './clients/python[agno]'
    python examples/agno_tool_calls.py

The model is scripted, so no key is needed: it asks for two tools at once, of which one fails, and then answers.
Without PARLEY_TOKEN the agent is the local user of a first start. PARLEY_URL names another server.
"""

import json
import os
import uuid

from agno.agent import Agent
from agno.models.base import Model
from agno.models.message import Message
from agno.models.response import ModelResponse

from parley import Parley
from parley.agno import ParleyDb


class Scripted(Model):
    """Calls two tools, and answers when it has their results."""

    def invoke(self, messages, **_):
        if messages[-1].role == "tool":
            return ModelResponse(role="assistant", content="Lisbon has 21 °C. Atlantis I could not find.")
        calls = [
            {
                "id": f"call_{city}",
                "type": "function",
                "function": {"name": "weather", "arguments": json.dumps({"city": city})},
            }
            for city in ("Lisbon", "Atlantis")
        ]
        return ModelResponse(role="assistant", content="", tool_calls=calls)

    def invoke_stream(self, messages, **_):
        yield self.invoke(messages)

    async def ainvoke(self, messages, **_):
        return self.invoke(messages)

    async def ainvoke_stream(self, messages, **_):
        yield self.invoke(messages)

    def _parse_provider_response(self, response, **_):
        return response

    def _parse_provider_response_delta(self, response):
        return response


def weather(city: str) -> str:
    """Says how warm it is in a city."""
    if city == "Atlantis":
        raise ValueError("There is no such city.")
    return "21 °C"


def main() -> None:
    url, token = os.environ.get("PARLEY_URL", "http://127.0.0.1:8080"), os.environ.get("PARLEY_TOKEN")
    session_id = f"tool-calls-{uuid.uuid4()}"
    agent = Agent(
        id="weather",
        name="Weather",
        model=Scripted(id="scripted"),
        tools=[weather],
        db=ParleyDb(url, token),
        telemetry=False,
    )
    run = agent.run("How warm is it in Lisbon and in Atlantis?", session_id=session_id)
    sent = [message.to_dict() for message in run.messages]
    for message in sent:
        print(json.dumps(message, ensure_ascii=False, indent=2))

    with Parley(url, token) as parley:
        back = parley.sessions.messages(session_id)
        assert json.dumps(back) == json.dumps(sent), "what comes out is what went in"
        assert [Message.from_dict(message).to_dict() for message in parley.sessions.messages(session_id)] == sent
        print(f"{len(back)} messages came back as they were.")

        # A window that begins between a call and its results would be refused by most providers.
        cut = parley.sessions.messages(session_id, last=3)
        safe = parley.sessions.messages(session_id, last=3, tools="safe")
        print("The last three:", [message["role"] for message in cut])
        print("The same for a model:", [message["role"] for message in safe])


if __name__ == "__main__":
    main()
