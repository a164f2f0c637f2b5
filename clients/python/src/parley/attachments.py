"""Images that go with messages: upload them, and show them again."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import BinaryIO

from parley.ids import fresh_id
from parley.types.runs import AttachmentUploaded, AttachmentUrl
from parley.wire import Wire, without_none

PATH = "/api/v1/agent/attachments"
# A line this slow still gets a file across in time.
BYTES_PER_SECOND = 32_000


class Attachments:
    def __init__(self, wire: Wire):
        self._wire = wire

    def upload(
        self,
        file: bytes | str | os.PathLike[str] | BinaryIO,
        *,
        filename: str | None = None,
        mime_type: str | None = None,
        thread_id: str | None = None,
        run_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> AttachmentUploaded:
        """Uploads an image once, however often it has to be sent. `file` is its path, its bytes, or an open file.

        The thread and the run say only where the image will be used; the thread need not exist yet. The server goes by
        the bytes, whatever the name; a `mime_type` that disagrees with them is refused.
        """
        content, name = _content_of(file)
        filename = filename or name
        fields = without_none({"threadId": thread_id, "runId": run_id})
        boundary = f"parley-{secrets.token_hex(16)}"
        answer = self._wire.call(
            "POST",
            PATH,
            _form(boundary, fields, content, filename, mime_type),
            key=idempotency_key or fresh_id(),
            content_type=f"multipart/form-data; boundary={boundary}",
            extra_wait=len(content) / BYTES_PER_SECOND,
        )
        return answer.body

    def signed_url(self, bucket: str, path: str) -> AttachmentUrl:
        """A fresh URL of an image that the caller uploaded, or that hangs on a thread the caller can read."""
        return self._wire.call("GET", f"{PATH}/signed-url", query={"bucket": bucket, "path": path}).body


def _content_of(file: bytes | str | os.PathLike[str] | BinaryIO) -> tuple[bytes, str]:
    if isinstance(file, bytes):
        return file, "image"
    if isinstance(file, (str, os.PathLike)):
        return Path(file).read_bytes(), Path(file).name
    name = getattr(file, "name", None)
    return file.read(), Path(name).name if isinstance(name, str) else "image"


def _form(boundary: str, fields: dict[str, str], content: bytes, filename: str, mime_type: str | None) -> bytes:
    """multipart/form-data (RFC 7578), its names escaped as browsers do."""
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    escaped = filename.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    kind = f"Content-Type: {mime_type}\r\n" if mime_type else ""
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{escaped}"\r\n{kind}\r\n'
    return "".join(parts).encode() + head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
