"""A model that says what the test tells it to: no key, no network, the same answers each time."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from agno.models.base import Model
from agno.models.response import ModelResponse
from agno_versions import metrics

Script = Callable[[list[Any]], ModelResponse]


def says(text: str, input_tokens: int = 10, output_tokens: int = 4) -> ModelResponse:
    usage = metrics(input_tokens=input_tokens, output_tokens=output_tokens, total_tokens=input_tokens + output_tokens)
    return ModelResponse(role="assistant", content=text, response_usage=usage)


def calls(*wanted: tuple[str, str, dict[str, Any]]) -> ModelResponse:
    """Calls of tools: id, name and arguments of each."""
    answer = says("")
    answer.tool_calls = [
        {"id": each, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for each, name, arguments in wanted
    ]
    return answer


@dataclass
class ScriptedModel(Model):
    """Answers by `script`, which is given the messages that a real model would be given; else repeats the last one."""

    id: str = "scripted"
    name: str = "ScriptedModel"
    provider: str = "Test"
    script: Script | None = None
    seen: list[list[Any]] = field(default_factory=list)

    def _answer(self, messages: list[Any]) -> ModelResponse:
        self.seen.append([(message.role, message.content) for message in messages])
        if self.script is not None:
            return self.script(messages)
        asked = [message for message in messages if message.role == "user"][-1]
        return says(f"You said: {asked.content}")

    def invoke(self, messages: list[Any], *_: Any, **__: Any) -> ModelResponse:
        return self._answer(messages)

    async def ainvoke(self, messages: list[Any], *_: Any, **__: Any) -> ModelResponse:
        return self._answer(messages)

    def invoke_stream(self, messages: list[Any], *_: Any, **__: Any) -> Iterator[ModelResponse]:
        answer = self._answer(messages)
        for word in str(answer.content).split(" ") if answer.content else []:
            yield ModelResponse(role="assistant", content=word + " ")
        if answer.tool_calls:
            yield ModelResponse(role="assistant", tool_calls=answer.tool_calls)
        yield ModelResponse(response_usage=answer.response_usage)

    async def ainvoke_stream(self, messages: list[Any], *_: Any, **__: Any) -> AsyncIterator[ModelResponse]:
        for part in self.invoke_stream(messages):
            yield part

    def _parse_provider_response(self, response: Any, **_: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response
