"""Others watch while an agent of Agno's answers, and one of them stops it.

    pip install './clients/python[agno]'
    python examples/agno_streaming.py

The model is scripted, so no key is needed. Open Parley's console, http://127.0.0.1:8080, to see the words arrive.
Without PARLEY_TOKEN the agent is the local user of a first start, as the console is; a server with a secret of its own
needs one. PARLEY_URL names another server.
"""

import os
import time
import uuid

from agno.agent import Agent
from agno.models.base import Model
from agno.models.response import ModelResponse

from parley import Parley
from parley.agno import ParleyDb, stream_to


class Slow(Model):
    """Counts until it is stopped."""

    def invoke_stream(self, messages, **_):
        for number in range(1, 1000):
            time.sleep(0.02)
            yield ModelResponse(role="assistant", content=f"{number} ")

    def invoke(self, messages, **_):
        return ModelResponse(role="assistant", content="1 2 3")

    async def ainvoke(self, messages, **_):
        return self.invoke(messages)

    async def ainvoke_stream(self, messages, **_):
        for part in self.invoke_stream(messages):
            yield part

    def _parse_provider_response(self, response, **_):
        return response

    def _parse_provider_response_delta(self, response):
        return response


def main() -> None:
    url, token = os.environ.get("PARLEY_URL", "http://127.0.0.1:8080"), os.environ.get("PARLEY_TOKEN")
    session_id = f"streaming-{uuid.uuid4()}"
    agent = Agent(id="counter", name="Counter", model=Slow(id="slow"), db=ParleyDb(url, token), telemetry=False)
    with Parley(url, token) as parley:
        said, stopped = 0, False
        events = agent.run("Count.", session_id=session_id, stream=True, stream_events=True)
        for event in stream_to(parley, session_id, events, agent=agent):
            if event.event == "RunContent":
                print(event.content, end="", flush=True)
                said += 1
            if said >= 20 and not stopped and parley.sessions.find(session_id):
                # Any other process may do this, and so may the button in the console, once the run is seen there.
                stopped = parley.sessions.stop(session_id)["status"] == "accepted"
        (run,) = parley.sessions.runs(session_id)
        print(f"\nThe run is {run['status']}, and what was said is kept:")
        for message in parley.sessions.messages(session_id):
            print(f"  {message['role']}: {message['content']}")


if __name__ == "__main__":
    main()
