"""An agent on LangGraph that needs no key: its model is written by hand, everything around it is the real thing.

It counts letters by a tool, asks before it sends anything, and otherwise says what it knows of the conversation.
"""

import asyncio
import json
import re

import uvicorn
from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt

SECONDS_PER_WORD = 0.1


@tool
def count_letters(word: str) -> str:
    """Counts the letters of a word."""
    return str(len(word))


class OfflineModel(BaseChatModel):
    """Stands where a language model would: it streams words and asks for tools, but always the same ones."""

    @property
    def _llm_type(self):
        return "offline"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages))])

    async def _astream(self, messages, stop=None, run_manager=None, **kwargs):
        answer = self._answer(messages)
        if answer.tool_calls:
            call = answer.tool_calls[0]
            # The name first and the arguments after it, as models do; arguments beside a name are not streamed on.
            for part in (
                {"name": call["name"], "args": "", "id": call["id"], "index": 0},
                {"name": None, "args": json.dumps(call["args"]), "id": None, "index": 0},
            ):
                yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[part]))
            return
        for word in re.findall(r"\S+\s*", answer.content):
            await asyncio.sleep(SECONDS_PER_WORD)
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))

    def _answer(self, messages):
        last = messages[-1]
        if isinstance(last, ToolMessage):
            return AIMessage(content=f"I counted {last.content} letters.")
        asked = re.match(r"letters in (\w+)", str(last.content), re.IGNORECASE)
        if asked:
            call = {"name": "count_letters", "args": {"word": asked.group(1)}, "id": f"call-{len(messages)}"}
            return AIMessage(content="", tool_calls=[call])
        said = [str(message.content) for message in messages if isinstance(message, HumanMessage)]
        return AIMessage(content=f"This is message {len(said)} of yours. The first was: {said[0]}")


model = OfflineModel()


async def talk(state: MessagesState):
    return {"messages": [await model.ainvoke(state["messages"])]}


def send(state: MessagesState):
    """Sends nothing, of course; what matters is that it asks first, and waits for as long as it takes."""
    what = state["messages"][-1].content
    decision = interrupt({"reason": "approval", "message": f"Shall I really {what}?"})
    approved = isinstance(decision, dict) and decision.get("approved") is True
    return {"messages": [AIMessage(content="It is sent." if approved else "Then I leave it.")]}


def first_step(state: MessagesState):
    return "send" if str(state["messages"][-1].content).lower().startswith("send ") else "talk"


def next_step(state: MessagesState):
    return "tools" if state["messages"][-1].tool_calls else END


graph = StateGraph(MessagesState)
graph.add_node("talk", talk)
graph.add_node("tools", ToolNode([count_letters]))
graph.add_node("send", send)
graph.add_conditional_edges(START, first_step, ["talk", "send"])
graph.add_conditional_edges("talk", next_step, ["tools", END])
graph.add_edge("tools", "talk")
graph.add_edge("send", END)

app = FastAPI()
agent = LangGraphAgent(
    name="letters",
    # In memory only: when this process ends, it has forgotten everything.
    graph=graph.compile(checkpointer=InMemorySaver()),
    # Questions as AG-UI 1.0 asks them, in the outcome of a run, so that they are kept and can be answered later.
    emit_interrupt_outcome=True,
    enable_legacy_on_interrupt_event=False,
    # Otherwise every event comes twice, the second time as LangGraph saw it.
    emit_raw_events=False,
)
add_langgraph_fastapi_endpoint(app, agent, "/agent")

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=8000)
