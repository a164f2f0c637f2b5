package dev.parley.http;

/** The result of a handler: a whole answer, a download, or the source of a stream. */
public sealed interface Reply permits Answer, Download, StreamSource {}
