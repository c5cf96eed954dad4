import { createServer, type AddressInfo } from "node:net";

/** A nameserver on a free local port. Its zones have the number of addresses that their first label says: `3000.example.com`. */
export async function serveZones(): Promise<{ readonly address: string; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (query) => {
      const zone = labelsIn(query, 14);
      for (const message of messagesOf(query.readUInt16BE(2), zone)) socket.write(message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

function labelsIn(bytes: Buffer, from: number): readonly string[] {
  const labels: string[] = [];
  for (let at = from; bytes[at] !== 0; at += 1 + (bytes[at] ?? 0))
    labels.push(bytes.toString("latin1", at + 1, at + 1 + (bytes[at] ?? 0)));
  return labels;
}

/** All messages of a transfer, each with its length before it. */
function* messagesOf(id: number, zone: readonly string[]): Generator<Buffer> {
  const times = Buffer.alloc(20);
  times.writeUInt32BE(1, 0);
  const soa = recordOf(zone, 6, Buffer.concat([nameOf(["ns", ...zone]), nameOf(["a", ...zone]), times]));
  const hosts = Array.from({ length: Number(zone[0]) }, (_, index) =>
    recordOf([`host${index}`, ...zone], 1, Buffer.from([192, 0, 2, index % 256])),
  );
  const records = [soa, ...hosts, soa];
  for (let from = 0; from < records.length; from += perMessage) {
    const some = records.slice(from, from + perMessage);
    const head = Buffer.alloc(12);
    head.writeUInt16BE(id, 0);
    head.writeUInt16BE(0x8400, 2);
    head.writeUInt16BE(some.length, 6);
    const message = Buffer.concat([head, ...some]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    yield Buffer.concat([length, message]);
  }
}

const perMessage = 100;

function recordOf(name: readonly string[], type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(300, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameOf(name), fields, data]);
}

function nameOf(labels: readonly string[]): Buffer {
  return Buffer.concat([
    ...labels.map((each) => Buffer.from(`${String.fromCharCode(each.length)}${each}`)),
    Buffer.alloc(1),
  ]);
}
