import { isUtf8 } from "node:buffer";
import type { DomainRecord } from "@cloud-compute/server";
import type { Answer, TxtData } from "dns-packet";
import { isCaaTarget, isHostTarget } from "./caa.js";

/** A record without its id and its times. */
export type PlainRecord = Omit<DomainRecord, "id" | "created" | "updated">;

type Fields = Omit<PlainRecord, "ttl_sec">;

/** The record for one of a transferred zone, by its name within the zone. Undefined if the API does not support it. */
export function recordOf(answer: Answer, name: string): Fields | undefined {
  if (answer.type === "SRV") return serviceOf(answer.data, name);
  const fields = heldBy(answer);
  if (fields === undefined || (name !== "" && !names.test(name))) return undefined;
  // A null MX has no name, and an alias has one.
  if (name === "" ? fields.type === "CNAME" : fields.type === "MX" && fields.target === "") return undefined;
  return { ...unused, ...fields, name };
}

type HeldNames = Pick<Fields, "type" | "target"> & Partial<Fields>;

function heldBy(answer: Answer): HeldNames | undefined {
  switch (answer.type) {
    case "A":
    case "AAAA":
      return { type: answer.type, target: answer.data };
    case "NS":
    case "CNAME":
    case "PTR":
      return pointing(answer.type, answer.data);
    case "MX": {
      const { preference = 0, exchange } = answer.data;
      if (exchange === ".") return { type: "MX", target: "" };
      return preference > 255 ? undefined : pointing("MX", exchange, { priority: preference });
    }
    case "TXT": {
      const bytes = bytesOf(answer.data);
      return bytes.length > 0 && bytes.length <= 65_535 && isUtf8(bytes)
        ? { type: "TXT", target: bytes.toString() }
        : undefined;
    }
    case "CAA": {
      const { tag, value } = answer.data;
      return certificateOf(tag.toLowerCase(), value);
    }
    default:
      return undefined;
  }
}

/** SRV records have a service and a protocol instead of a name. A single label is a protocol without a service. */
function serviceOf(
  { target, priority = 0, weight = 0, port }: Extract<Answer, { readonly type: "SRV" }>["data"],
  name: string,
): Fields | undefined {
  const labels = name === "" ? [] : name.split(".");
  const srv = priority > 255 ? undefined : pointing("SRV", target, { priority, weight, port });
  if (srv === undefined || labels.length > 2 || !labels.every((label) => serviceLabels.test(label))) return undefined;
  const [protocol = null, service] = labels.toReversed();
  return { ...unused, ...srv, protocol, service: service === undefined ? null : `${service}.` };
}

function pointing(type: Fields["type"], host: string, fields: Partial<Fields> = {}): HeldNames | undefined {
  if (!isHostTarget(host)) return undefined;
  // A single label would be relative to the domain.
  return { ...fields, type, target: host.includes(".") ? host : `${host}.` };
}

/** The CAA record of a value. The API does not support `;` alone, which names no issuer. */
function certificateOf(tag: string, value: string): HeldNames | undefined {
  if (tag !== "issue" && tag !== "issuewild" && tag !== "iodef") return undefined;
  return isCaaTarget(tag, value) ? { type: "CAA", tag, target: value } : undefined;
}

function bytesOf(data: TxtData): Buffer {
  const strings = Array.isArray(data) ? data : [data];
  return Buffer.concat(strings.map((each) => (typeof each === "string" ? Buffer.from(each) : each)));
}

/** Default values of the fields that a type does not use. */
const unused = { name: "", priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null } as const;

/** The pattern of the description. */
const names = /^[A-Za-z0-9_.*/-]{1,100}$/;
const serviceLabels = /^_[A-Za-z0-9](?:[A-Za-z0-9-]{0,60}[A-Za-z0-9])?$/;
