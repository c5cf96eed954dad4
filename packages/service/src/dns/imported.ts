import type { Domain, DomainRecord } from "@cloud-compute/server";
import type { Answer } from "dns-packet";
import type { TransferredZone } from "./axfr.js";
import { isName, isWithin } from "./names.js";
import { atOnce, stepping, type Steps } from "./steps.js";
import { recordOf, type PlainRecord } from "./imported-record.js";

/** What a domain takes over of a zone. */
export interface ImportedZone {
  readonly fields: Pick<Domain, "soa_email" | "refresh_sec" | "retry_sec" | "expire_sec" | "ttl_sec">;
  readonly serial: number;
  readonly records: readonly PlainRecord[];
}

/** What of a transferred zone the fields of a domain and of its records can hold; all else stays out. */
export function importedZone(transferred: TransferredZone): ImportedZone {
  return atOnce(importingOf(transferred));
}

/** The same step by step: a large zone takes longer than others may wait. */
export function* importingOf({ zone, soa, records }: TransferredZone): Steps<ImportedZone> {
  const taken: PlainRecord[] = [];
  yield* stepping(records, (answer) => void taken.push(...imported(answer, zone)));
  const { rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = soa.data;
  return {
    fields: {
      soa_email: emailOf(rname) ?? hostmasterOf(zone),
      refresh_sec: roundedUp(refresh),
      retry_sec: roundedUp(retry),
      expire_sec: roundedUp(expire),
      ttl_sec: roundedUp(minimum),
    },
    serial,
    records: withoutMixedMx(taken),
  };
}

function imported(answer: Answer, zone: string): PlainRecord[] {
  if (answer.type === "OPT" || answer.class !== "IN" || !isWithin(answer.name, zone)) return [];
  const name = answer.name.slice(0, -zone.length - 1);
  // The platform's own nameservers take their place.
  if (answer.type === "NS" && name === "") return [];
  const fields = recordOf(answer, name);
  return fields === undefined ? [] : [{ ...fields, ttl_sec: nearest(answer.ttl ?? 0) }];
}

/** A null MX beside others means nothing. */
function withoutMixedMx(records: readonly PlainRecord[]): readonly PlainRecord[] {
  const isNull = ({ type, target }: PlainRecord): boolean => type === "MX" && target === "";
  const hasOthers = records.some((record) => record.type === "MX" && !isNull(record));
  return hasOthers ? records.filter((record) => !isNull(record)) : records;
}

/** The address that an SOA record has as a name: its first label is what stands before the `@`, with its own periods escaped. */
function emailOf(rname: string): string | undefined {
  const [, local = "", host = ""] = /^((?:[^.\\]|\\.)+)\.(.+)$/.exec(rname) ?? [];
  const email = `${local.replace(/\\(.)/g, "$1")}@${host}`;
  const isFit = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@/.test(email);
  return isFit && isHost(host) && email.length <= 254 ? email : undefined;
}

/** Where a zone names nobody, the address that everyone has (RFC 2142), at as much of the domain as is the name of a host. */
function hostmasterOf(zone: string): string {
  let host = zone;
  while (!isHost(host) && host.includes(".")) host = host.slice(host.indexOf(".") + 1);
  return `hostmaster@${host}`;
}

function isHost(name: string): boolean {
  return (
    isName(name) &&
    name.length <= 240 &&
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(name)
  );
}

const steps = [
  300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200,
] as const satisfies readonly DomainRecord["ttl_sec"][];

const largest = 2_419_200;

function roundedUp(seconds: number): Domain["ttl_sec"] {
  return seconds === 0 ? 0 : (steps.find((step) => step >= seconds) ?? largest);
}

/** Midway between two, the larger one. */
function nearest(seconds: number): DomainRecord["ttl_sec"] {
  return steps.find((step, index) => seconds < (step + (steps[index + 1] ?? Infinity)) / 2) ?? largest;
}
