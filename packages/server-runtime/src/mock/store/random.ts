/** A reproducible source of values. */
export interface Random {
  /** A hexadecimal text. */
  hex(length: number): string;
  uuid(): string;
  /** At least 0, below 1. */
  next(): number;
}

const digits = "0123456789abcdef";

/** Creates a source whose values depend on the seed only (mulberry32). Not for real secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const hex = (length: number): string => {
    let text = "";
    for (let index = 0; index < length; index += 1) text += digits.charAt(Math.floor(next() * 16));
    return text;
  };
  const uuid = (): string => {
    const [a, b, c, d, e] = [hex(8), hex(4), hex(3), hex(3), hex(12)];
    return `${a}-${b}-4${c}-8${d}-${e}`;
  };
  return { hex, uuid, next };
}
