"""The JSON objects of the server's answers. Members are named as on the wire; the OpenAPI document describes each."""
