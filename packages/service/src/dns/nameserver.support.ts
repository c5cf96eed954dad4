import { createServer, type AddressInfo, type Socket } from "node:net";
import { decode, streamEncode, type Answer, type Question } from "dns-packet";
import { onTestFinished } from "vitest";

/** How a test's nameserver responds to a question: with messages, with bytes, or not at all. */
export type NameserverBehaviour = (asked: DnsQuery) => void | Promise<void>;

export interface DnsQuery {
  readonly question: Question;
  readonly id: number;
  readonly socket: Socket;
  /** Sends a message with these records. */
  send(answers: readonly Answer[], fields?: object): void;
}

/** A nameserver on a free port of this machine that ends with the test. Returns its address: `127.0.0.1:4711`. */
export async function nameserver(behave: NameserverBehaviour): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let pending = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      if (pending.length < 2 || pending.length < 2 + pending.readUInt16BE(0)) return;
      const { id = 0, questions = [] } = decode(pending.subarray(2));
      const [question] = questions;
      pending = Buffer.alloc(0);
      if (question === undefined) return;
      const send: DnsQuery["send"] = (answers, fields = {}) => {
        socket.write(streamEncode({ type: "response", id, questions, answers: [...answers], ...fields }));
      };
      void behave({ question, id, socket, send });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Transfers a zone, with so many records per message. */
export function handsOver(records: readonly Answer[], perMessage: number = records.length): NameserverBehaviour {
  return ({ send }) => {
    for (let from = 0; from < records.length; from += perMessage) send(records.slice(from, from + perMessage));
  };
}

/** The records of a transfer: those of the zone between two copies of its SOA record. */
export function zoneWith(records: readonly Answer[], zone = "example.com", serial = 7): Answer[] {
  const soa: Answer = {
    type: "SOA",
    name: zone,
    class: "IN",
    ttl: 3600,
    data: {
      mname: `ns.${zone}`,
      rname: `first\\.last.${zone}`,
      serial,
      refresh: 1,
      retry: 300,
      expire: 301,
      minimum: 0,
    },
  };
  return [soa, ...records, soa];
}

/** An address record. */
export function address(name: string, data = "192.0.2.7", ttl = 300): Answer {
  return { type: "A", name, class: "IN", ttl, data };
}
