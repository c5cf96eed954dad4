import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { decode, streamEncode, type Answer, type DecodedPacket, type SoaAnswer } from "dns-packet";
import { placesOf, type Place } from "./nameserver.js";

/** A zone as a nameserver handed it over: its SOA, and all other records. */
export interface TransferredZone {
  readonly zone: string;
  readonly soa: SoaAnswer;
  readonly records: readonly Answer[];
}

export interface Transfer {
  /** The name of the zone. */
  readonly zone: string;
  /** Host or address, perhaps with a port. */
  readonly nameserver: string;
  readonly allowsLoopback: boolean;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
  readonly bounds?: Partial<Bounds>;
}

/** What a transfer may take. */
export interface Bounds {
  /** From the look-up of the host to the last byte. */
  readonly milliseconds: number;
  readonly bytes: number;
  readonly messages: number;
  readonly records: number;
}

/** The time is less than the 10 seconds that the service waits for requests when it stops. */
const usualBounds: Bounds = { milliseconds: 9000, bytes: 16 * 1024 * 1024, messages: 20_000, records: 20_000 };

/** The nameserver cannot be reached, or hands no whole zone over. */
export class TransferFailed extends Error {
  override readonly name = "TransferFailed";
}

/** Asks a nameserver for a whole zone (RFC 5936). Throws a TransferFailed. */
export async function transferZone(transfer: Transfer): Promise<TransferredZone> {
  const bounds = { ...usualBounds, ...transfer.bounds };
  const late = AbortSignal.timeout(bounds.milliseconds);
  const signal = transfer.signal === undefined ? late : AbortSignal.any([late, transfer.signal]);
  try {
    const places = await unless(signal, placesOf(transfer.nameserver, transfer));
    const socket = await connected(places, signal);
    try {
      const id = randomInt(65_536);
      const questions = [{ type: "AXFR" as const, name: transfer.zone }];
      socket.write(streamEncode({ id, type: "query", questions }));
      return await zoneOf(packets(socket, bounds), { id, zone: transfer.zone, mostRecords: bounds.records });
    } finally {
      socket.destroy();
    }
  } catch (error) {
    if (error instanceof TransferFailed) throw error;
    throw new TransferFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The first place that answers. */
async function connected(places: readonly Place[], signal: AbortSignal): Promise<Socket> {
  let last: unknown = "there is no address that may be asked";
  for (const { address, port } of places) {
    const socket = connect({ host: address, port, signal });
    try {
      await once(socket, "connect", { signal: AbortSignal.timeout(longestConnect) });
      // What goes wrong from here on is told to whoever reads.
      socket.on("error", () => {});
      return socket;
    } catch (error) {
      socket.on("error", () => {});
      socket.destroy();
      last = error;
    }
  }
  throw new TransferFailed("the nameserver cannot be reached", { cause: last });
}

/** Milliseconds for one of several addresses. */
const longestConnect = 3000;

/** The messages of a connection, each of which has its length before it. */
async function* packets(socket: Socket, { bytes, messages }: Bounds): AsyncGenerator<DecodedPacket> {
  let pending = Buffer.alloc(0);
  let read = 0;
  let many = 0;
  // Sockets without an encoding give buffers.
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > bytes) throw new TransferFailed(`more than ${bytes} bytes were sent`);
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      many += 1;
      if (many > messages) throw new TransferFailed(`more than ${messages} messages were sent`);
      yield decode(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
  }
}

interface Expected {
  readonly id: number;
  readonly zone: string;
  readonly mostRecords: number;
}

/** A zone begins with its SOA record, and ends where that comes again. */
async function zoneOf(
  messages: AsyncIterable<DecodedPacket>,
  { id, zone, mostRecords }: Expected,
): Promise<TransferredZone> {
  const records: Answer[] = [];
  let soa: SoaAnswer | undefined;
  for await (const message of messages) {
    for (const answer of answersOf(message, id)) {
      if (soa === undefined) soa = firstOf(answer, zone);
      else if (answer.type === "SOA") {
        if (isSame(answer.name, zone) && answer.data.serial === soa.data.serial) return { zone, soa, records };
        throw new TransferFailed("the zone ends with an SOA record other than its first");
      } else {
        records.push(answer);
        if (records.length > mostRecords) throw new TransferFailed(`the zone has more than ${mostRecords} records`);
      }
    }
  }
  throw new TransferFailed("the transfer ended before the zone did");
}

function firstOf(answer: Answer, zone: string): SoaAnswer {
  if (answer.type === "SOA" && isSame(answer.name, zone)) return answer;
  throw new TransferFailed("the zone does not begin with its SOA record");
}

function answersOf({ id, flag_qr, flag_tc, flags = 0, answers = [] }: DecodedPacket, asked: number): readonly Answer[] {
  if (id !== asked || !flag_qr || flag_tc) throw new TransferFailed("what was sent is no answer to the question");
  const code = flags & 0xf;
  if (code !== 0) throw new TransferFailed(`the nameserver refused with code ${code}`);
  if (answers.length === 0) throw new TransferFailed("the nameserver sent an answer without records");
  return answers;
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** What was begun cannot always be ended; nobody waits for it any longer. */
async function unless<T>(signal: AbortSignal, task: Promise<T>): Promise<T> {
  const ended = once(signal, "abort").then(() => signal.throwIfAborted());
  return (await Promise.race([task, ended])) as T;
}
