package dev.parley.http;

/** What a handler gives back: a whole answer, a download, or the source of a stream. */
public sealed interface Reply permits Answer, Download, StreamSource {}
