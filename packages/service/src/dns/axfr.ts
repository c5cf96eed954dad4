import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { decode, streamEncode, type Answer, type DecodedPacket, type SoaAnswer } from "dns-packet";
import { resolveNameserver, type AddressPolicy, type NameserverAddress } from "./nameserver.js";

/** A zone as a nameserver transferred it: its SOA record, and all other records. */
export interface TransferredZone {
  readonly zone: string;
  readonly soa: SoaAnswer;
  readonly records: readonly Answer[];
}

export interface Transfer extends AddressPolicy {
  /** The name of the zone. */
  readonly zone: string;
  /** Host or address, with an optional port. */
  readonly nameserver: string;
  /** Aborts the transfer. */
  readonly signal?: AbortSignal;
  readonly bounds?: Partial<Bounds>;
}

/** The limits of a transfer. */
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
 * The time within which a nameserver has to send its first message, in milliseconds. A caller that waits as long after every failure does not reveal
 * which ports of which machines are open, closed or filtered.
 */
export const maxMessageBytes = 1500;

/** Less than the 10 seconds for which a stopping service waits for requests. */
const defaultBounds: Bounds = {
  milliseconds: 9000,
  answerMilliseconds: maxMessageBytes,
  bytes: 16 * 1024 * 1024,
  messages: 20_000,
  records: 20_000,
};

/** The nameserver is not reachable, or does not transfer the complete zone. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/**
 * Transfers a complete zone from a nameserver (RFC 5936).
 *
 * @throws TransferError
 */
export async function transferZone(transfer: Transfer): Promise<TransferredZone> {
  const bounds = { ...defaultBounds, ...transfer.bounds };
  const late = AbortSignal.timeout(bounds.milliseconds);
  const signal = transfer.signal === undefined ? late : AbortSignal.any([late, transfer.signal]);
  try {
    const places = await unless(signal, resolveNameserver(transfer.nameserver, transfer));
    const unanswered = new AbortController();
    const timer = setTimeout(() => unanswered.abort(), bounds.answerMilliseconds);
    const answered = (): void => clearTimeout(timer);
    try {
      const socket = await connectTo(places, AbortSignal.any([signal, unanswered.signal]));
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
    if (error instanceof TransferError) throw error;
    throw new TransferError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The first address that accepts a connection. All are tried at once, since one may not respond. */
async function connectTo(places: readonly NameserverAddress[], signal: AbortSignal): Promise<Socket> {
  const sockets = places.slice(0, mostPlaces).map(({ address, port }) => connect({ host: address, port, signal }));
  // The reader gets errors of the connected socket.
  for (const socket of sockets) socket.on("error", () => {});
  try {
    const first = await Promise.any(sockets.map((socket) => once(socket, "connect").then(() => socket)));
    for (const socket of sockets) if (socket !== first) socket.destroy();
    return first;
  } catch (error) {
    throw new TransferError("the nameserver cannot be reached", { cause: error });
  }
}

/** Maximum number of addresses of one host. */
const mostPlaces = 8;

/** The messages of a connection. Each follows its length. */
async function* packets(
  socket: Socket,
  { bytes, messages }: Bounds,
  answered: () => void,
): AsyncGenerator<DecodedPacket> {
  let pending = Buffer.alloc(0);
  let read = 0;
  let many = 0;
  // Sockets without an encoding emit buffers.
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > bytes) throw new TransferError(`more than ${bytes} bytes were sent`);
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      many += 1;
      if (many > messages) throw new TransferError(`more than ${messages} messages were sent`);
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

/** A zone starts with its SOA record, and ends where that is repeated. */
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
        throw new TransferError("the zone ends with an SOA record other than its first");
      } else {
        records.push(answer);
        if (records.length > mostRecords) throw new TransferError(`the zone has more than ${mostRecords} records`);
      }
    }
  }
  throw new TransferError("the transfer ended before the zone did");
}

function firstOf(answer: Answer, zone: string): SoaAnswer {
  if (answer.type === "SOA" && isSame(answer.name, zone)) return answer;
  throw new TransferError("the zone does not start with its SOA record");
}

function answersOf(
  { id, flag_qr, flag_tc, flags = 0, answers = [] }: DecodedPacket,
  expectedId: number,
): readonly Answer[] {
  if (id !== expectedId || !flag_qr || flag_tc) throw new TransferError("the message does not match the question");
  const code = flags & 0xf;
  if (code !== 0) throw new TransferError(`the nameserver responded with code ${code}`);
  if (answers.length === 0) throw new TransferError("the nameserver sent a response without records");
  return answers;
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** Some tasks cannot be aborted. Their late results are ignored. */
async function unless<T>(signal: AbortSignal, task: Promise<T>): Promise<T> {
  const ended = once(signal, "abort").then(() => signal.throwIfAborted());
  return (await Promise.race([task, ended])) as T;
}
