import { describe, expect, test } from "vitest";
import { addIssueAt } from "../../http/index.js";
import { InvalidResponseError } from "./invalid-response-error.js";
import { createItemStream, hasItems, isItems, jsonData, type ItemEncoding } from "./item-streams.js";
import { passthrough, serializeScalar, toRecord, type Serializer } from "./serializers.js";

const encoding: ItemEncoding = {
  mediaType: "application/jsonl",
  serialize: passthrough,
  context: { caller: undefined, operation: "watchPets" },
  toError: (...issues) => new InvalidResponseError("watchPets", 200, issues),
};

const events: ItemEncoding = { ...encoding, mediaType: "text/event-stream" };

async function* from(...items: readonly unknown[]): AsyncGenerator<unknown, void, undefined> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

const textOf = async (items: AsyncIterable<unknown>, how: ItemEncoding = encoding): Promise<string> =>
  new Response(createItemStream(items, how).body).text();

const pet: Serializer = (value) => {
  const fields = toRecord(value);
  return fields === undefined ? serializeScalar(value) : { id: serializeScalar(fields["id"]) };
};

describe("items are sent", () => {
  test("as lines of JSON, with documented properties only", async () => {
    const items = from({ id: 1, secret: "a" }, { id: new Date(0) });
    expect(await textOf(items, { ...encoding, serialize: pet })).toBe('{"id":1}\n{"id":"1970-01-01T00:00:00.000Z"}\n');
  });

  test("as a JSON text sequence", async () => {
    expect(await textOf(from(1, "a"), { ...encoding, mediaType: "application/geo+json-seq" })).toBe(
      '\u001e1\n\u001e"a"\n',
    );
  });

  test("as events, each line of a text as a line of its data", async () => {
    const all = from({ data: "a\r\nb\rc\n" }, { event: "added", id: "7", retry: 100, data: "" }, { id: "8" });
    expect(await textOf(all, events)).toBe(
      "data: a\ndata: b\ndata: c\ndata: \n\nevent: added\nid: 7\nretry: 100\ndata: \n\nid: 8\n\n",
    );
  });

  test("as events whose data are JSON, texts in quotes", async () => {
    const all = from({ data: { id: 1 } }, { data: "a" }, { data: null }, { event: "end" });
    expect(await textOf(all, { ...events, serialize: jsonData(passthrough) })).toBe(
      'data: {"id":1}\n\ndata: "a"\n\ndata: null\n\nevent: end\n\n',
    );
  });

  test("one at a time, when the client is ready for it", async () => {
    let created = 0;
    const counted = async function* (): AsyncGenerator<number, void, undefined> {
      for (;;) yield await Promise.resolve(++created);
    };
    const reader = createItemStream(counted(), encoding).body.getReader();
    expect(created).toBe(0);
    await reader.read();
    await reader.read();
    expect(created).toBe(2);
  });
});

describe("a stream ends", () => {
  const story = (end: string[]) =>
    (async function* (): AsyncGenerator<unknown, void, undefined> {
      try {
        yield await Promise.resolve({ id: 1 });
        yield { id: 2n };
        yield { id: 3 };
      } finally {
        end.push("left");
      }
    })();

  test("when the client has left it", async () => {
    const end: string[] = [];
    const reader = createItemStream(story(end), encoding).body.getReader();
    await reader.read();
    await reader.cancel();
    expect(end).toEqual(["left"]);
  });

  test("before its first item", async () => {
    let isClosed = false;
    const items: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error("no reader")),
        return: () => {
          isClosed = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    await createItemStream(items, encoding).body.cancel();
    expect(isClosed).toBe(true);
  });

  test("with an item that JSON cannot represent", async () => {
    const end: string[] = [];
    await expect(textOf(story(end))).rejects.toThrow("1.id is a bigint, which JSON does not have");
    expect(end).toEqual(["left"]);
  });

  test("with the error of the handler", async () => {
    const broken = async function* (): AsyncGenerator<number, void, undefined> {
      yield await Promise.resolve(1);
      throw new Error("lost the database");
    };
    await expect(textOf(broken())).rejects.toThrow("lost the database");
  });

  test("with an item that the description does not allow, if items are validated", async () => {
    const stream = createItemStream(from({ id: 1 }, { id: "a" }), encoding);
    stream.validateWith((value, issues) => {
      if (typeof (value as { readonly id: unknown }).id !== "number") addIssueAt(issues, "id", "type", "integer");
    });
    await expect(new Response(stream.body).text()).rejects.toThrow(
      "The handler of watchPets returned response 200, which the description does not allow: 1.id must be an integer",
    );
  });

  test.each([
    ["a", "0 must be an event: an object with `data`"],
    [{ data: { id: 1 } }, "0.data must be a text. Describe JSON by `contentMediaType` and `contentSchema`"],
    [{ data: "a", event: "a\ndata: b" }, "0.event must be a text without line breaks and NUL"],
    [{ data: "a", id: "a\rb" }, "0.id must be a text without line breaks and NUL"],
    [{ data: "a", id: "a\0b" }, "0.id must be a text without line breaks and NUL"],
    [{ data: "a", retry: -1 }, "0.retry must be a number of milliseconds, 0 or more"],
    [{ data: "a", retry: "1\ndata: b" }, "0.retry must be a number of milliseconds, 0 or more"],
  ])("with the event %j", async (event, reason) => {
    await expect(textOf(from(event), events)).rejects.toThrow(reason);
  });
});

test("media types that have items", () => {
  const all = ["text/event-stream", "Text/Event-Stream; charset=utf-8", "application/jsonl", "application/x-ndjson"];
  for (const each of [...all, "application/json-seq", "application/geo+json-seq"]) expect(hasItems(each)).toBe(true);
  for (const each of ["text/event-streams", "application/json", "text/jsonl"]) expect(hasItems(each)).toBe(false);
});

test("streams of bytes are not items", () => {
  expect([isItems(from(1)), isItems(new ReadableStream()), isItems("a"), isItems([1]), isItems(undefined)]).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
