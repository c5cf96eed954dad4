import { describe, expect, test } from "vitest";
import { isStreamMediaType, parseStreamItems, type StreamText } from "./stream-items.js";

const lines = (text: string, more: Partial<StreamText> = {}): StreamText => ({
  text,
  mediaType: "application/jsonl",
  isPartial: false,
  hasJsonData: false,
  ...more,
});
const events = (text: string, more: Partial<StreamText> = {}): StreamText =>
  lines(text, { mediaType: "text/event-stream", ...more });

describe("the items of a stream", () => {
  test("are lines of JSON", () => {
    expect(parseStreamItems(lines('{"id":1}\n\n[2]\r\n"a"'))).toEqual({ items: [{ id: 1 }, [2], "a"] });
    expect(parseStreamItems(lines("\u001e1\n\u001e2\n", { mediaType: "application/json-seq" }))).toEqual({
      items: [1, 2],
    });
  });

  test("do not include the incomplete last line of a partial text", () => {
    expect(parseStreamItems(lines('1\n{"id"', { isPartial: true }))).toEqual({ items: [1] });
  });

  test("end with a line that is not JSON", () => {
    expect(parseStreamItems(lines("1\nnull\n{a\n2"))).toEqual({
      items: [1, null],
      error: { position: 2, expected: "JSON", received: "{a" },
    });
  });

  test("are events with data", () => {
    const text = ": hello\n\nevent: added\nid: 7\nretry: 100\ndata: a\ndata:b\n\nid: 8\n\ndata\r\n\r\ndata: unfinished";
    expect(parseStreamItems(events(text))).toEqual({
      items: [{ event: "added", id: "7", retry: 100, data: "a\nb" }, { data: "" }],
    });
  });

  test("are events whose data are JSON", () => {
    expect(parseStreamItems(events('data: {"id":1}\n\ndata: a\n\n', { hasJsonData: true }))).toEqual({
      items: [{ data: { id: 1 } }],
      error: { position: 1, expected: "JSON in `data`", received: "a" },
    });
  });
});

test("media types of streams", () => {
  for (const each of ["text/event-stream; charset=utf-8", "application/x-ndjson", "application/geo+json-seq"])
    expect(isStreamMediaType(each)).toBe(true);
  for (const each of ["application/json", "text/plain", ""]) expect(isStreamMediaType(each)).toBe(false);
});
