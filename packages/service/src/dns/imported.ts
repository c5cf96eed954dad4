import type { Domain, DomainRecord } from "@cloud-compute/server";
import type { Answer } from "dns-packet";
import type { TransferredZone } from "./axfr.js";
import { recordOf, type PlainRecord } from "./imported-record.js";
import { isName, isWithin } from "./names.js";
import { inSteps, type Steps } from "./steps.js";

/** The parts of a zone that an import copies. */
export interface ImportedZone {
  readonly fields: Pick<Domain, "soa_email" | "refresh_sec" | "retry_sec" | "expire_sec" | "ttl_sec">;
  readonly serial: number;
  readonly records: readonly PlainRecord[];
}

/**
 * The values of a transferred zone that a domain and its records support. The import drops all others. In steps: a large zone takes too long to block
 * other requests.
 */
export function* importingOf({ zone, soa, records }: TransferredZone): Steps<ImportedZone> {
  const imported: PlainRecord[] = [];
  yield* inSteps(records, (answer) => void imported.push(...importRecords(answer, zone)));
  const { rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = soa.data;
  return {
    fields: {
      soa_email: emailOf(rname) ?? hostmasterOf(zone),
      refresh_sec: roundUp(refresh),
      retry_sec: roundUp(retry),
      expire_sec: roundUp(expire),
      ttl_sec: roundUp(minimum),
    },
    serial,
    records: withoutMixedMx(imported),
  };
}

function importRecords(answer: Answer, zone: string): PlainRecord[] {
  if (answer.type === "OPT" || answer.class !== "IN" || !isWithin(answer.name, zone)) return [];
  const name = answer.name.slice(0, -zone.length - 1);
  // The platform's own nameservers replace these.
  if (answer.type === "NS" && name === "") return [];
  const fields = recordOf(answer, name);
  return fields === undefined ? [] : [{ ...fields, ttl_sec: nearest(answer.ttl ?? 0) }];
}

/** A null MX beside other MX records has no meaning. */
function withoutMixedMx(records: readonly PlainRecord[]): readonly PlainRecord[] {
  const isNull = ({ type, target }: PlainRecord): boolean => type === "MX" && target === "";
  const hasOthers = records.some((record) => record.type === "MX" && !isNull(record));
  return hasOthers ? records.filter((record) => !isNull(record)) : records;
}

/** The email address of an SOA record, which has the format of a name: its first label is the part before the `@`, with escaped periods. */
function emailOf(rname: string): string | undefined {
  const [, local = "", host = ""] = /^((?:[^.\\]|\\.)+)\.(.+)$/.exec(rname) ?? [];
  const email = `${local.replace(/\\(.)/g, "$1")}@${host}`;
  const isFit = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@/.test(email);
  return isFit && isHost(host) && email.length <= 254 ? email : undefined;
}

/** The default for a zone without an address: the hostmaster (RFC 2142) at the longest part of the domain that is a host name. */
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

function roundUp(seconds: number): Domain["ttl_sec"] {
  return seconds === 0 ? 0 : (steps.find((step) => step >= seconds) ?? largest);
}

/** Midway between two values, the larger one. */
function nearest(seconds: number): DomainRecord["ttl_sec"] {
  return steps.find((step, index) => seconds < (step + (steps[index + 1] ?? Infinity)) / 2) ?? largest;
}
