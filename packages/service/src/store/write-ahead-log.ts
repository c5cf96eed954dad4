import { existsSync, readFileSync } from "node:fs";

/**
 * Finds damage in the write-ahead log of a SQLite database that was not closed. Undefined if the log has all acknowledged writes. A killed process
 * may leave frames of an uncommitted transaction and of earlier logs at the end, which are not damage.
 *
 * @see https://www.sqlite.org/walformat.html
 */
export function findLogDamage(database: string): string | undefined {
  const file = logOf(database);
  if (!existsSync(file)) return `${file} is missing`;
  const log = readLog(database);
  if (log === undefined) return `${file} has no valid header`;
  if (hasLaterTransaction(log)) return `${file} is damaged in frame ${log.frames + 1}`;
  // The index is in shared memory, so it survives a killed process. After a loss of power it is older than the log.
  const index = readIndex(`${database}-shm`);
  if (index === undefined || index.frames === 0) return undefined;
  const isSame = index.salt.equals(log.salt);
  const isMissing = isSame ? log.committed < index.frames : log.salt.readUInt32BE(0) < index.salt.readUInt32BE(0);
  return isMissing ? `${file} ends before frame ${index.frames}, which was committed` : undefined;
}

/** The content of a log that belongs to a database. */
export interface LogContent {
  /** The number of pages of the database after the last transaction. */
  readonly databasePages: number;
  /** The numbers of the pages that committed transactions have written. */
  readonly pages: ReadonlySet<number>;
  /** The first page of the database as the first and as the last transaction wrote it. Undefined if none has. */
  readonly firstPages: readonly [first: Buffer, last: Buffer] | undefined;
}

/** The committed content of a log. Undefined if there is none. */
export function readLogContent(database: string): LogContent | undefined {
  const log = readLog(database);
  if (log === undefined || log.committed === 0) return undefined;
  const { bytes, pageSize, committed } = log;
  const frames = Array.from({ length: committed }, (_, index) => headerBytes + index * (frameHeaderBytes + pageSize));
  const firstPages = frames
    .filter((at) => bytes.readUInt32BE(at) === 1)
    .map((at) => bytes.subarray(at + frameHeaderBytes, at + frameHeaderBytes + pageSize));
  const [first, last] = [firstPages[0], firstPages.at(-1)];
  return {
    databasePages: bytes.readUInt32BE((frames.at(-1) ?? headerBytes) + 4),
    pages: new Set(frames.map((at) => bytes.readUInt32BE(at))),
    firstPages: first === undefined || last === undefined ? undefined : [first, last],
  };
}

/** The file of the log of a database. */
export function logOf(database: string): string {
  return `${database}-wal`;
}

interface Log {
  readonly bytes: Buffer;
  readonly pageSize: number;
  /** Identifies a log among earlier and later ones in the same file. */
  readonly salt: Buffer;
  /** Valid frames from the first one on. */
  readonly frames: number;
  /** The number of committed frames. */
  readonly committed: number;
}

function readLog(database: string): Log | undefined {
  const file = logOf(database);
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  if (bytes.length < headerBytes) return undefined;
  const magic = bytes.readUInt32BE(0);
  if (magic !== magicOfLittleEndian && magic !== magicOfLittleEndian + 1) return undefined;
  const isLittle = magic === magicOfLittleEndian;
  const sum = new Checksum((at) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)));
  sum.add(0, 24);
  if (!sum.isAt(bytes, 24)) return undefined;
  const pageSize = bytes.readUInt32BE(8);
  const salt = bytes.subarray(16, 24);
  let frames = 0;
  let committed = 0;
  for (let at = headerBytes; at + frameHeaderBytes + pageSize <= bytes.length; at += frameHeaderBytes + pageSize) {
    sum.add(at, 8);
    sum.add(at + frameHeaderBytes, pageSize);
    if (!saltAt(bytes, at).equals(salt) || !sum.isAt(bytes, at + 16)) break;
    frames += 1;
    if (isCommit(bytes, at)) committed = frames;
  }
  return frames === 0 && bytes.length < headerBytes + frameHeaderBytes + pageSize
    ? undefined
    : { bytes, pageSize, salt, frames, committed };
}

/** Whether a transaction follows one with a bad frame: it began when that one was on disk. */
function hasLaterTransaction({ bytes, pageSize, salt, frames }: Log): boolean {
  const size = frameHeaderBytes + pageSize;
  let hasCommit = false;
  for (let at = headerBytes + frames * size; at + frameHeaderBytes <= bytes.length; at += size) {
    if (!saltAt(bytes, at).equals(salt)) continue;
    if (hasCommit) return true;
    hasCommit = isCommit(bytes, at);
  }
  return false;
}

interface Index {
  readonly salt: Buffer;
  /** Committed frames. */
  readonly frames: number;
}

/** The first of the two headers, which is written last. Undefined if it is missing, or a killed process was writing it. */
function readIndex(file: string): Index | undefined {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  if (bytes.length < indexHeaderBytes) return undefined;
  const isLittle = bytes.readUInt32LE(0) === indexVersion;
  const read = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const sum = new Checksum(read);
  sum.add(0, 40);
  const isValid = read(0) === indexVersion && bytes[12] === 1 && sum.first === read(40) && sum.second === read(44);
  return isValid ? { salt: bytes.subarray(32, 40), frames: read(16) } : undefined;
}

/** SQLite's checksum of four-byte words, two at a time. */
class Checksum {
  first = 0;
  second = 0;
  readonly #wordAt: (at: number) => number;

  constructor(wordAt: (at: number) => number) {
    this.#wordAt = wordAt;
  }

  add(from: number, length: number): void {
    for (let at = from; at < from + length; at += 8) {
      this.first = (this.first + this.#wordAt(at) + this.second) >>> 0;
      this.second = (this.second + this.#wordAt(at + 4) + this.first) >>> 0;
    }
  }

  /** Whether the log contains this checksum at an offset. */
  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.first && bytes.readUInt32BE(at + 4) === this.second;
  }
}

function saltAt(bytes: Buffer, frame: number): Buffer {
  return bytes.subarray(frame + 8, frame + 16);
}

/** The last frame of a transaction has the new size of the database. */
function isCommit(bytes: Buffer, frame: number): boolean {
  return bytes.readUInt32BE(frame + 4) !== 0;
}

const headerBytes = 32;
const frameHeaderBytes = 24;
const indexHeaderBytes = 48;
const magicOfLittleEndian = 0x377f0682;
const indexVersion = 3_007_000;
