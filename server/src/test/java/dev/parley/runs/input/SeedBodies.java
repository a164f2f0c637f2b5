package dev.parley.runs.input;

import java.util.List;

/** The bodies that the agent face's documents print as examples, and one that uses every member. */
public final class SeedBodies {
    public static final String ATTACHMENT = """
            {
            "threadId" : "thread-123" ,
            "runId" : "run-456" ,
            "messages" : [
            {
            "id" : "msg-1" ,
            "role" : "user" ,
            "content" : [
            { "type" : "text" , "text" : "帮我看看这张图" } ,
            {
            "type" : "binary" ,
            "mimeType" : "image/jpeg" ,
            "url" : "https://xxx.supabase.co/storage/v1/object/sign/agent-files/agent-inputs/u/t/r/img.jpg?token=xxx"
            }
            ]
            }
            ]
            }
            """;

    public static final String TEXT = """
            {
              "threadId": "550e8400-e29b-41d4-a716-446655440000",
              "runId": "run-001",
              "state": {},
              "messages": [
                {
                  "id": "msg-001",
                  "role": "user",
                  "content": "帮我查一下北京今天的天气"
                }
              ],
              "tools": [],
              "context": [],
              "forwardedProps": {}
            }
            """;

    public static final String IMAGE = """
            {
              "threadId": "550e8400-e29b-41d4-a716-446655440000",
              "runId": "run-002",
              "state": {},
              "messages": [
                {
                  "id": "msg-001",
                  "role": "user",
                  "content": [
                    {
                      "type": "text",
                      "text": "这张图片里的内容是什么?"
                    },
                    {
                      "type": "binary",
                      "mimeType": "image/png",
                      "url": "https://storage.example.com/agent-inputs/user-123/image.png?signature=xxx"
                    }
                  ]
                }
              ],
              "tools": [],
              "context": [],
              "forwardedProps": {}
            }
            """;

    public static final String TOOLS = """
            {
              "threadId": "550e8400-e29b-41d4-a716-446655440000",
              "runId": "run-003",
              "state": {},
              "messages": [
                {
                  "id": "msg-001",
                  "role": "user",
                  "content": "北京天气怎么样?"
                }
              ],
              "tools": [
                {
                  "name": "get_weather",
                  "description": "获取指定城市的天气信息",
                  "parameters": {
                    "type": "object",
                    "properties": {
                      "city": {
                        "type": "string",
                        "description": "城市名称"
                      }
                    },
                    "required": ["city"]
                  }
                }
              ],
              "context": [],
              "forwardedProps": {}
            }
            """;

    public static final String EVERYTHING = """
            {
              "threadId": "550e8400-e29b-41d4-a716-446655440000",
              "runId": "run-004",
              "protocolVersion": "1.0",
              "parentRunId": "run-003",
              "state": {"step": 1.50, "done": null},
              "messages": [
                {"id": "u", "role": "user", "name": "Ada", "encryptedValue": "e", "metadata": {"k": 1}, "content": [
                  {"type": "text", "text": "你好 👋"},
                  {"type": "binary", "mimeType": "image/png", "id": "b", "filename": "a.png", "url": "https://ours/a.png"},
                  {"type": "image", "source": {"type": "url", "value": "https://ours/b.png", "mimeType": "image/webp"}}]},
                {"id": "a", "role": "assistant", "content": null, "name": null, "encryptedValue": null, "toolCalls": [
                  {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}, "encryptedValue": null}]},
                {"id": "t", "role": "tool", "content": "42", "toolCallId": "c", "error": null, "encryptedValue": null},
                {"id": "s", "role": "system", "content": "be kind", "name": null},
                {"id": "d", "role": "developer", "content": "be brief"},
                {"id": "r", "role": "reasoning", "content": "hm"},
                {"id": "v", "role": "activity", "activityType": "plan", "content": {"steps": []}}
              ],
              "tools": [{"name": "f", "description": "does", "parameters": {"type": "object"}}, {"name": "g", "description": ""}],
              "context": [{"description": "where", "value": "here"}],
              "forwardedProps": {"agentId": "x", "multitaskStrategy": "reject", "regenerateFrom": "m", "other": [1]},
              "resume": [{"interruptId": "i", "status": "resolved", "payload": {"ok": true}}]
            }
            """;

    private SeedBodies() {}

    static List<String> all() {
        return List.of(ATTACHMENT, TEXT, IMAGE, TOOLS, EVERYTHING);
    }
}
