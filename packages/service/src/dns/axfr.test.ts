import { streamEncode } from "dns-packet";
import { describe, expect, test } from "vitest";
import { transferZone, type Transfer } from "./axfr.js";
import { address, handsOver, nameserver, zoneWith, type NameserverBehaviour } from "./nameserver.support.js";

const records = [address("example.com"), address("www.example.com"), address("a.b.example.com")];

/** Time limits that no test reaches unless it is about them. */
const patient = { milliseconds: 600_000, answerMilliseconds: 600_000 };

async function transfer(behave: NameserverBehaviour, fields: Partial<Transfer> = {}): Promise<string[]> {
  const at = await nameserver(behave);
  const { soa, records: found } = await transferZone({
    zone: "example.com",
    nameserver: at,
    allowsLoopback: true,
    ...fields,
    bounds: { ...patient, ...fields.bounds },
  });
  return [soa, ...found].map(({ name }) => name);
}

/** The message of a failed transfer. */
async function failed(transferring: Promise<unknown>): Promise<string> {
  try {
    await transferring;
  } catch (error) {
    if (error instanceof Error && error.name === "TransferError") return error.message;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("a transfer succeeds", () => {
  const names = ["example.com", "example.com", "www.example.com", "a.b.example.com"];

  test.each([1, 2, 5])("with %d records per message", async (perMessage) => {
    expect(await transfer(handsOver(zoneWith(records), perMessage))).toEqual(names);
  });

  test("byte by byte", async () => {
    const slowly: NameserverBehaviour = async (asked) => {
      const bytes: Buffer[] = [];
      const socket = { write: (each: Buffer) => bytes.push(each) };
      await handsOver(zoneWith(records), 2)({ ...asked, ...sending(asked, socket) });
      for (const byte of Buffer.concat(bytes)) {
        asked.socket.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    expect(await transfer(slowly)).toEqual(names);
  });

  test("regardless of case", async () => {
    expect(await transfer(handsOver(zoneWith(records, "EXAMPLE.com")))).toHaveLength(4);
  });

  test("from a host with a port", async () => {
    const at = await nameserver(handsOver(zoneWith(records)));
    const port = at.split(":")[1] ?? "";
    const from = (host: string): Promise<unknown> =>
      transferZone({ zone: "example.com", nameserver: `${host}:${port}`, allowsLoopback: true });
    await from("localhost");
    await from("[::ffff:127.0.0.1]");
  });
});

describe("a transfer fails", () => {
  test.each<[why: string, behave: NameserverBehaviour]>([
    ["the nameserver responded with code 5", ({ send }) => send([], { flags: 5 })],
    ["the nameserver responded with code 9", ({ send }) => send([], { flags: 9 })],
    ["the nameserver sent a response without records", ({ send }) => send([])],
    ["the zone does not start with its SOA record", ({ send }) => send(records)],
    ["the zone does not start with its SOA record", handsOver(zoneWith(records, "example.net"))],
    [
      "the zone ends with an SOA record other than its first",
      handsOver([...zoneWith(records).slice(0, -1), ...zoneWith([], "example.com", 8)]),
    ],
    ["the message does not match the question", ({ send, id }) => send(zoneWith(records), { id: id ^ 1 })],
    ["the message does not match the question", ({ send }) => send(zoneWith(records), { type: "query" })],
    ["the message does not match the question", ({ send }) => send(zoneWith(records), { flags: 0x200 })],
    ["the transfer ended before the zone did", ({ socket }) => void socket.end()],
    [
      "the transfer ended before the zone did",
      ({ send, socket }) => {
        send(zoneWith(records).slice(0, 3));
        socket.end();
      },
    ],
    ["the transfer ended before the zone did", ({ socket }) => void socket.end(Buffer.from([0, 200, 1, 2, 3]))],
    ["Header must be 12 bytes", ({ socket }) => void socket.end(Buffer.from([0, 3, 1, 2, 3]))],
  ])("since %s", async (why, behave) => {
    expect(await failed(transfer(behave))).toBe(why);
  });

  test("if the nameserver disconnects at once", async () => {
    expect(await failed(transfer(({ socket }) => void socket.resetAndDestroy()))).toMatch(/ECONNRESET|ended before/);
  });

  test("if the bytes are not messages", async () => {
    const noise = Buffer.alloc(4096, 0xff);
    noise.writeUInt16BE(1000, 0);
    expect(await failed(transfer(({ socket }) => void socket.end(noise)))).not.toBe("");
  });

  test("if it is endless, in records, messages or bytes", async () => {
    const endlessly =
      (perMessage: number): NameserverBehaviour =>
      async ({ send, socket }) => {
        send(zoneWith([]).slice(0, 1));
        while (!socket.destroyed) {
          send(Array.from({ length: perMessage }, () => address("www.example.com")));
          // Without a turn for the reader, this would write megabytes before the reader ends it.
          await new Promise((resolve) => setImmediate(resolve));
          if (socket.writableNeedDrain)
            await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
        }
      };
    const endless = endlessly(3);
    expect(await failed(transfer(endless, { bounds: { records: 1000 } }))).toBe("the zone has more than 1000 records");
    expect(await failed(transfer(endless, { bounds: { messages: 100 } }))).toBe("more than 100 messages were sent");
    expect(await failed(transfer(endless, { bounds: { bytes: 10_000 } }))).toBe("more than 10000 bytes were sent");
    expect(await failed(transfer(endlessly(500)))).toBe("the zone has more than 20000 records");
  });

  test("if it has one record too many", async () => {
    const three = handsOver(zoneWith(records));
    expect(await transfer(three, { bounds: { records: 3 } })).toHaveLength(4);
    expect(await failed(transfer(three, { bounds: { records: 2 } }))).toBe("the zone has more than 2 records");
  });

  test("if it takes too long: with no bytes at all, or with few at a time", async () => {
    const unbounded = { records: Infinity, messages: Infinity, bytes: Infinity };
    const bounds = { ...unbounded, milliseconds: 100 };
    expect(await failed(transfer(() => {}, { bounds }))).not.toBe("");
    expect(await failed(transfer(() => {}, { bounds: { answerMilliseconds: 100 } }))).not.toBe("");
    const dripping: NameserverBehaviour = async ({ send, socket }) => {
      send(zoneWith([]).slice(0, 1));
      while (!socket.destroyed) {
        send(records);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    expect(await failed(transfer(dripping, { bounds }))).not.toBe("");
  });

  test("if the client has disconnected", async () => {
    const leaving = new AbortController();
    expect(await failed(transfer(() => leaving.abort(), { signal: leaving.signal }))).not.toBe("");
  });

  test.each([
    "127.0.0.1",
    "[::1]",
    "::1",
    "localhost",
    "0.0.0.0",
    "[::]",
    "127.1",
    "2130706433",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
  ])("from this machine, as %s, if that is not allowed", async (host) => {
    const at = await nameserver(handsOver(zoneWith(records)));
    const port = host === "::1" ? "" : `:${at.split(":")[1]}`;
    const asked = { zone: "example.com", nameserver: `${host}${port}`, allowsLoopback: false };
    expect(await failed(transferZone(asked))).toBe("the nameserver cannot be reached");
  });

  test.each([
    "169.254.169.254",
    "[fe80::1]",
    "224.0.0.1",
    "255.255.255.255",
    "[::ffff:169.254.1.1]",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "a:b",
    ":53",
    "[]",
    "127.0.0.1:",
  ])("from %s, which cannot be a nameserver", async (place) => {
    const asked = { zone: "example.com", nameserver: place, allowsLoopback: true };
    expect(await failed(transferZone(asked))).toBe("the nameserver cannot be reached");
  });

  test("from an unknown host or a closed port", async () => {
    const from = (place: string): Promise<string> =>
      failed(transferZone({ zone: "example.com", nameserver: place, allowsLoopback: true }));
    expect(await from("missing.invalid")).toMatch(/ENOTFOUND|EAI_AGAIN/);
    expect(await from("127.0.0.1:1")).toBe("the nameserver cannot be reached");
  });
});

/** Sends to another address than the socket's. */
function sending(
  { id, question }: Parameters<NameserverBehaviour>[0],
  socket: { write(bytes: Buffer): unknown },
): Pick<Parameters<NameserverBehaviour>[0], "send"> {
  return {
    send: (answers) => {
      socket.write(streamEncode({ type: "response", id, questions: [question], answers: [...answers] }));
    },
  };
}
