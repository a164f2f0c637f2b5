"""A chat model behind OpenAI's interface, on this machine: https://platform.openai.com/docs/api-reference/chat"""

from __future__ import annotations

import json

from local_http import LocalHttp, QuietHandler


class ScriptedOpenAi(LocalHttp):
    """Answers with everything that users said in the conversation. Its address is `url` + `/v1`."""

    def __init__(self) -> None:
        class Handler(QuietHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                said = " | ".join(each["content"] for each in asked["messages"] if each["role"] == "user")
                answer = {
                    "id": "chatcmpl-1",
                    "object": "chat.completion",
                    "created": 1_765_280_936,
                    "model": asked["model"],
                    "choices": [
                        {
                            "index": 0,
                            "finish_reason": "stop",
                            "message": {"role": "assistant", "content": f"You said: {said}"},
                        }
                    ],
                    "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14},
                }
                content = json.dumps(answer).encode()
                self.send_response(200 if self.path == "/v1/chat/completions" else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        super().__init__(Handler)
