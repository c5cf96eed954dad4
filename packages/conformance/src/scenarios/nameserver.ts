import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** A record of a transferred zone. Names have no dot at their end. */
export type ZoneRecord =
  | { readonly type: "A"; readonly name: string; readonly address: string }
  | { readonly type: "NS"; readonly name: string; readonly host: string }
  | { readonly type: "MX"; readonly name: string; readonly host: string; readonly priority: number }
  | { readonly type: "TXT"; readonly name: string; readonly text: string }
  | {
      readonly type: "SOA";
      readonly name: string;
      readonly host: string;
      readonly mailbox: string;
      readonly times: readonly number[];
    };

export interface Nameserver {
  /** `127.0.0.1:4711`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Opens a nameserver on a port of this machine. It transfers the requested zone, or rejects the transfer of a zone without records. */
export async function openNameserver(zoneOf: (name: string) => readonly ZoneRecord[]): Promise<Nameserver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      socket.end(framed(answerTo(received.subarray(2), zoneOf)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    address: `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Messages over TCP start with their length (RFC 1035, section 4.2.2). */
function framed(message: Buffer): Buffer {
  return Buffer.concat([uint16(message.length), message]);
}

const refusedCode = 5;

function answerTo(query: Buffer, zoneOf: (name: string) => readonly ZoneRecord[]): Buffer {
  const { name, end } = nameAt(query, 12);
  const records = zoneOf(name);
  const flags = 0x84_00 | (records.length === 0 ? refusedCode : 0);
  const header = [query.readUInt16BE(0), flags, 1, records.length, 0, 0].map(uint16);
  return Buffer.concat([...header, query.subarray(12, end + 4), ...records.map(encoded)]);
}

/** The name at an offset, in lower case, and its end. A question has no compressed names. */
function nameAt(message: Buffer, from: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = from;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

const types = { A: 1, NS: 2, SOA: 6, MX: 15, TXT: 16 } satisfies Record<ZoneRecord["type"], number>;
const seconds = 3600;

function encoded(record: ZoneRecord): Buffer {
  const data = dataOf(record);
  const internet = 1;
  const head = [uint16(types[record.type]), uint16(internet), uint32(seconds), uint16(data.length)];
  return Buffer.concat([encodedName(record.name), ...head, data]);
}

function dataOf(record: ZoneRecord): Buffer {
  switch (record.type) {
    case "A":
      return Buffer.from(record.address.split(".").map(Number));
    case "NS":
      return encodedName(record.host);
    case "MX":
      return Buffer.concat([uint16(record.priority), encodedName(record.host)]);
    case "TXT":
      return characters(record.text);
    case "SOA":
      return Buffer.concat([encodedName(record.host), encodedName(record.mailbox), ...record.times.map(uint32)]);
  }
}

function encodedName(name: string): Buffer {
  return Buffer.concat([...name.split(".").map(characters), Buffer.from([0])]);
}

/** A text of at most 255 bytes, with its length before it. */
function characters(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
