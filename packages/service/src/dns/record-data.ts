import type { DomainRecord } from "@cloud-compute/server";
import { hostOf, quote } from "./names.js";

/** The data of a record in the format of a zone. */
export interface RecordData {
  readonly text: string;
  /** Bytes on the wire, or somewhat more. */
  readonly size: number;
  /** The target host, complete and in lower case. */
  readonly host?: string;
}

/** The data of a record. Undefined if the DNS cannot represent it. */
export function dataOf(record: DomainRecord, zone: string): RecordData | undefined {
  return writers[record.type](record, zone);
}

type Writer = (record: DomainRecord, zone: string) => RecordData | undefined;

const host: Writer = ({ target }, zone) => pointing(target, { zone, before: "", extra: 0 });

const writers = {
  A: ({ target }) => ({ text: target, size: 4 }),
  AAAA: ({ target }) => ({ text: target, size: 16 }),
  NS: host,
  CNAME: host,
  PTR: host,
  // A null MX has preference 0 (RFC 7505).
  MX: ({ target, priority }, zone) =>
    target === "" ? { text: "0 .", size: 3 } : pointing(target, { zone, before: `${priority} `, extra: 2 }),
  SRV: ({ target, priority, weight, port }, zone) =>
    pointing(target, { zone, before: `${priority} ${weight} ${port} `, extra: 6 }),
  TXT: ({ target }) => {
    const strings = stringsOf(Buffer.from(target));
    return { text: strings.map(quote).join(" "), size: strings.reduce((sum, each) => sum + each.length + 1, 0) };
  },
  CAA: ({ target, tag }) => {
    const value = Buffer.from(target);
    return { text: `0 ${tag} ${quote(value)}`, size: 2 + (tag ?? "").length + value.length };
  },
} satisfies Record<DomainRecord["type"], Writer>;

function pointing(
  target: string,
  { zone, before, extra }: { readonly zone: string; readonly before: string; readonly extra: number },
): RecordData | undefined {
  const name = hostOf(target, zone);
  return name && { text: before + name.display, size: extra + name.absolute.length + 2, host: name.absolute };
}

/** A text of the DNS consists of strings of at most 255 bytes. */
function stringsOf(bytes: Buffer): Buffer[] {
  const many = Math.max(1, Math.ceil(bytes.length / longestString));
  return Array.from({ length: many }, (_, index) => bytes.subarray(index * longestString, (index + 1) * longestString));
}

const longestString = 255;
