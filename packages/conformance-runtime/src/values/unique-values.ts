import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import type { UniqueKind } from "../suite.js";

/** Returns a new value for each use. Values begin with the run's tag if their format allows it. */
export type UniqueGenerator = (kind: UniqueKind | readonly string[]) => string;

export interface UniqueOptions {
  /** A letter, followed by the run's id. */
  readonly tag: string;
  readonly seed: number;
  /** The number of the case or worker that uses the values. Unique in the run. */
  readonly owner: number;
}

/** Creates a generator. The same options return the same values in the same order. */
export function createUniqueGenerator({ tag, seed, owner }: UniqueOptions): UniqueGenerator {
  let start: number | undefined;
  let uses = 0;
  return (kind) => {
    const use = uses++;
    const label = `${tag}-${owner.toString(36)}-${use.toString(36)}`;
    // With 200 uses a case, ten digits suffice for 40 million cases; a suite has thousands.
    const number = (): number => {
      start ??= digest(`${tag} ${seed}`).readUIntBE(0, 6);
      return start + owner * 200 + use;
    };
    if (typeof kind !== "string") return textOfCharacters(kind, number());
    switch (kind) {
      case "label":
      case "username":
        return label;
      case "domain":
        return `${label}.example.com`;
      case "number":
        return String(1_000_000_000 + (number() % 9_000_000_000));
      case "phone":
        return phone(number());
      case "ssh-key":
        return `ssh-ed25519 ${sshKey(`${label} ${seed}`)} ${label}`;
    }
  };
}

/** A number, written with the characters that are possible at each place: `A-Z` is a range, and the last place changes fastest. */
function textOfCharacters(places: readonly string[], number: number): string {
  let rest = number;
  const written = places.toReversed().map((place) => {
    const all = charactersOf(place);
    const digit = rest % all.length;
    rest = Math.floor(rest / all.length);
    return all[digit] ?? "";
  });
  return written.toReversed().join("");
}

function charactersOf(place: string): readonly string[] {
  const [first = "", , last = ""] = place;
  if (place.length !== 3 || place[1] !== "-") return Array.from(place);
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
}

/** Lowercase letters and digits. */
export function createRunId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36)).join("");
}

/** Shuffles items in an order that follows from the seed. */
export function shuffle<T>(things: readonly T[], seed: number): readonly T[] {
  const random = numbers(seed);
  const order = [...things];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [one, two] = [order[last], order[other]];
    if (one === undefined || two === undefined) continue;
    order[last] = two;
    order[other] = one;
  }
  return order;
}

/** Mulberry32: numbers from 0 up to 1. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const areaCodes = [212, 305, 312, 404, 415, 503, 617, 702, 713, 808] as const;

/** An exchange code does not end with 11, and 555 is reserved for fiction. */
function phone(number: number): string {
  const line = String(number % 10_000).padStart(4, "0");
  const exchange = 600 + (Math.floor(number / 10_000) % 300);
  const area = areaCodes[Math.floor(number / 3_000_000) % areaCodes.length] ?? areaCodes[0];
  return `+1${area}${exchange % 100 === 11 ? 599 : exchange}${line}`;
}

/** The public key of an Ed25519 key pair derived from the text, in OpenSSH format. */
function sshKey(words: string): string {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  const secret = createPrivateKey({ key: Buffer.concat([head, digest(words)]), format: "der", type: "pkcs8" });
  const key = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32);
  return Buffer.concat([deriveCharacters("ssh-ed25519"), deriveCharacters(key)]).toString("base64");
}

function deriveCharacters(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function digest(words: string): Buffer {
  return createHash("sha256").update(words).digest();
}
