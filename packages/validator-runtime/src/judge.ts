import { mostFaults, type Fault, type Faults } from "./faults.js";
import type { BodyDefinition, ContentDefinition, Definition, ParameterDefinition } from "./operation.js";
import { publicFault, type Place, type PublicFault, type Reason } from "./public-fault.js";
import { put } from "./put.js";
import { decodedQuery, longestQuery, readQuery } from "./query.js";
import { sentInHeaders, sentPlainly, type Sent } from "./sent.js";

export type Judgement<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly faults: readonly PublicFault[] };

/** Encoded parameters and a parsed body. */
export interface Given {
  /** Decoded values by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query of a URL, without the question mark. */
  readonly query?: string | URLSearchParams;
  readonly headers?: Readonly<Record<string, string | undefined>> | Headers;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What to do with undocumented body properties: pass them on, remove them, or add a fault. */
export type Unknown = "ignore" | "strip" | "reject";

export type Groups = Record<string, unknown>;

/** Collects the faults of one request, at most a hundred. */
export class Findings {
  readonly all: PublicFault[] = [];
  readonly #reason: Reason | undefined;

  constructor(reason?: Reason) {
    this.#reason = reason;
  }

  /** Adds the faults of one location, and empties the list. */
  take(faults: Faults, place: Place, parameter?: string): void {
    for (const fault of faults) {
      const told = this.#told(fault, publicFault(fault, place, parameter));
      if (this.all.length < mostFaults && !this.all.some((each) => isSame(each, told))) this.all.push(told);
    }
    faults.length = 0;
  }

  #told(fault: Fault, told: PublicFault): PublicFault {
    if (this.#reason === undefined) return told;
    const reason = this.#reason(told, fault);
    return reason === undefined ? told : { ...told, reason };
  }
}

/** Two parts of a schema may have the same fault for one property. */
function isSame(a: PublicFault, b: PublicFault): boolean {
  return a.field === b.field && a.code === b.code && a.reason === b.reason && a.in === b.in;
}

type ParameterPlace = ParameterDefinition["in"];

const groups = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
} satisfies Record<ParameterPlace, string>;

/** Reads and validates all parameters, grouped by location: `{ query: { page: 1 } }`. */
export function judgeParameters(
  definition: Definition,
  sentIn: (place: ParameterPlace, faults: Faults) => Sent,
  findings: Findings,
): Groups {
  const input: Groups = {};
  const { parameters } = definition;
  if (parameters === undefined) return input;
  const faults: Faults = [];
  let place: ParameterPlace | undefined;
  let sent: Sent | undefined;
  let group: Record<string, unknown> = {};
  for (const parameter of parameters) {
    if (sent === undefined || place !== parameter.in) {
      place = parameter.in;
      sent = sentIn(place, faults);
      if (faults.length > 0) findings.take(faults, place);
      group = (input[groups[place]] ??= {}) as Record<string, unknown>;
    }
    judgeParameter(parameter, { sent, group, faults });
    if (faults.length > 0) findings.take(faults, place, parameter.name);
  }
  return input;
}

interface Around {
  readonly sent: Sent;
  readonly group: Record<string, unknown>;
  readonly faults: Faults;
}

function judgeParameter(parameter: ParameterDefinition, { sent, group, faults }: Around): void {
  const { name, read, check } = parameter;
  // Header names are in lower case.
  const value = read(sent, parameter.in === "header" ? name.toLowerCase() : name, faults);
  if (faults.length > 0) return;
  if (value !== undefined) {
    check?.(value, faults);
    put(group, name, value);
  } else if (parameter.required === true) faults.push({ path: [], code: "required" });
  else if (parameter.default !== undefined) put(group, name, ownCopy(parameter.default));
}

/** A handler may change arrays and objects, so each request gets a copy. */
function ownCopy(value: unknown): unknown {
  return typeof value === "object" ? structuredClone(value) : value;
}

/** Validates and normalizes a parsed body. */
export function judgeContent(value: unknown, content: ContentDefinition, { unknown, faults }: Strictness): unknown {
  content.check?.(value, faults, unknown === "reject");
  if (faults.length > 0 || content.take === undefined) return value;
  return content.take(value, unknown === "strip");
}

interface Strictness {
  readonly unknown: Unknown;
  readonly faults: Faults;
}

/** Validates the input of one operation without a server. */
export function judgeCall<Result>(definition: Definition, given: Given, unknown: Unknown): Judgement<Result> {
  const findings = new Findings();
  const input = judgeParameters(definition, (place, faults) => givenIn(place, given, faults), findings);
  if (definition.body !== undefined) {
    const faults: Faults = [];
    const body = judgeValue(definition.body, given.body, { unknown, faults });
    if (body !== undefined) input["body"] = body;
    findings.take(faults, "body");
  }
  return findings.all.length === 0 ? { ok: true, input: input as Result } : { ok: false, faults: findings.all };
}

/** Validates a body only. */
export function judgeBodyValue<Body>({ body }: Definition, value: unknown, unknown: Unknown): Judgement<Body> {
  const faults: Faults = [];
  const input = body === undefined ? undefined : judgeValue(body, value, { unknown, faults });
  if (faults.length === 0) return { ok: true, input: input as Body };
  const findings = new Findings();
  findings.take(faults, "body");
  return { ok: false, faults: findings.all };
}

/** A parsed body has no media type: the schema of JSON applies if the operation documents it, else the first one. */
function judgeValue(body: BodyDefinition, value: unknown, strictness: Strictness): unknown {
  const content = body.contents["application/json"] ?? Object.values(body.contents)[0];
  if (value !== undefined && content !== undefined) return judgeContent(value, content, strictness);
  if (value === undefined && body.required === true) strictness.faults.push({ path: [], code: "required" });
  return undefined;
}

function givenIn(place: ParameterPlace, given: Given, faults: Faults): Sent {
  if (place === "query") return queryOf(given.query ?? "", faults);
  if (place === "header") return headersOf(given.headers ?? {});
  return sentPlainly((place === "path" ? given.path : given.cookies) ?? {});
}

function headersOf(headers: NonNullable<Given["headers"]>): Sent {
  if (headers instanceof Headers) return sentInHeaders((name) => headers.get(name) ?? undefined);
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return sentPlainly(lower);
}

/** Limits the time that parsing a query takes. */
export function queryOf(query: string | URLSearchParams, faults: Faults): Sent {
  if (typeof query !== "string") return decodedQuery(query);
  if (query.length <= longestQuery) return readQuery(query, faults);
  faults.push({ path: [], code: "long", first: longestQuery });
  return readQuery("", faults);
}
