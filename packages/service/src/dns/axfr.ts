import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { decode, streamEncode, type Answer, type DecodedPacket, type SoaAnswer } from "dns-packet";
import { placesOf, type Allowed, type Place } from "./nameserver.js";

/** A zone as a nameserver handed it over: its SOA, and all other records. */
export interface TransferredZone {
  readonly zone: string;
  readonly soa: SoaAnswer;
  readonly records: readonly Answer[];
}

export interface Transfer extends Allowed {
  /** The name of the zone. */
  readonly zone: string;
  /** Host or address, perhaps with a port. */
  readonly nameserver: string;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
  readonly bounds?: Partial<Bounds>;
}

/** What a transfer may take. */
export interface Bounds {
  /** From the look-up of the host to the last byte. */
  readonly milliseconds: number;
  /** From the first attempt to connect to the first message. */
  readonly answerMilliseconds: number;
  readonly bytes: number;
  readonly messages: number;
  readonly records: number;
}

/**
 * Milliseconds within which a nameserver has to send its first message. Whoever waits that long with every failure does not tell which ports of which
 * machines are open, closed or filtered.
 */
export const longestAnswer = 1500;

/** The time is less than the 10 seconds that the service waits for requests when it stops. */
const usualBounds: Bounds = {
  milliseconds: 9000,
  answerMilliseconds: longestAnswer,
  bytes: 16 * 1024 * 1024,
  messages: 20_000,
  records: 20_000,
};

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
    const unanswered = new AbortController();
    const timer = setTimeout(() => unanswered.abort(), bounds.answerMilliseconds);
    const answered = (): void => clearTimeout(timer);
    try {
      const socket = await connected(places, AbortSignal.any([signal, unanswered.signal]));
      const id = randomInt(65_536);
      const questions = [{ type: "AXFR" as const, name: transfer.zone }];
      socket.write(streamEncode({ id, type: "query", questions }));
      const messages = packets(socket, bounds, answered);
      return await zoneOf(messages, { id, zone: transfer.zone, mostRecords: bounds.records }).finally(() =>
        socket.destroy(),
      );
    } finally {
      answered();
    }
  } catch (error) {
    if (error instanceof TransferFailed) throw error;
    throw new TransferFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The first place that answers; all are tried at once, since one may let its caller wait. */
async function connected(places: readonly Place[], signal: AbortSignal): Promise<Socket> {
  const sockets = places.slice(0, mostPlaces).map(({ address, port }) => connect({ host: address, port, signal }));
  // What goes wrong after it is connected, whoever reads is told.
  for (const socket of sockets) socket.on("error", () => {});
  try {
    const first = await Promise.any(sockets.map((socket) => once(socket, "connect").then(() => socket)));
    for (const socket of sockets) if (socket !== first) socket.destroy();
    return first;
  } catch (error) {
    throw new TransferFailed("the nameserver cannot be reached", { cause: error });
  }
}

/** Addresses of one host. */
const mostPlaces = 8;

/** The messages of a connection, each of which has its length before it. */
async function* packets(
  socket: Socket,
  { bytes, messages }: Bounds,
  answered: () => void,
): AsyncGenerator<DecodedPacket> {
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
      const message = decode(pending.subarray(2, end));
      answered();
      yield message;
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
