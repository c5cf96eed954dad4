import { createHmac } from "node:crypto";

/** The code of a secret in Base32 at a time in milliseconds: six digits that change every 30 seconds (RFC 6238). */
export function codeAt(secret: string, moment: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(moment / 30_000)));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (digest[digest.length - 1] ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text.replaceAll("=", ""))
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((each) => Number.parseInt(each, 2)));
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
