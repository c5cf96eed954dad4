import type { CaseResult, Exchange } from "../results.js";
import type { Json } from "../suite.js";
import { isJsonArray, isJsonObject } from "../values/json.js";

/** The requests that reproduce a failure. */
export interface Replay {
  readonly exchanges: readonly Exchange[];
  /** Values of requests that earlier responses had, such as ids: the server chooses others each time. */
  readonly learnt: ReadonlyMap<string, LearntValue>;
}

/** A value that a command reads from a response into a shell variable. */
export interface LearntValue {
  readonly variable: string;
  readonly from: Exchange;
  /** A filter of `jq`, such as `.data[0].id`. */
  readonly filter: string;
}

/**
 * Chooses the requests that reproduce a failure: those that change something, those whose responses have values of later requests, and the
 * one with the wrong response.
 */
export function planReplay(result: CaseResult): Replay {
  const { exchanges } = result;
  const learnt = new Map<string, LearntValue>();
  const chosen = new Set(neededBy(result));
  const waiting = [...chosen];
  const values = new Map<Exchange, ReadonlyMap<string, string>>();
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    const earlier = exchanges.slice(0, exchanges.indexOf(each));
    for (const value of usedValues(each)) {
      if (learnt.has(value)) continue;
      const source = findSource(value, earlier, { chosen, values });
      if (source === undefined) continue;
      learnt.set(value, { ...source, variable: variableOf(value, learnt) });
      if (chosen.has(source.from)) continue;
      chosen.add(source.from);
      waiting.push(source.from);
    }
  }
  return { exchanges: exchanges.filter((each) => chosen.has(each)), learnt: numbered(learnt, exchanges) };
}

/** The parts of a path, without the query. */
export const pathSegment: RegExp = /(?<=\/)[^/?#]+/g;

/** Ids in a JSON body, numbers or strings. */
export const idInBody: RegExp = /(?<="(?:id|\w+_id|\w+Id)"\s*:\s*)\d+|(?<="(?:id|\w+_id|\w+Id)"\s*:\s*")[^"\\]+(?=")/g;

/** The names of tokens that are not those of the options. */
const tokenName = /\$(?!(?:OTHER_ACCOUNT_)?TOKEN\b)[A-Z][A-Z0-9_]*_TOKEN\b/g;

/** Values of a request that may come from an earlier response. */
function usedValues({ url, requestHeaders, requestBody = "" }: Exchange): readonly string[] {
  const headers = Object.values(requestHeaders).join("\n");
  return [...url.matchAll(pathSegment), ...requestBody.matchAll(idInBody), ...headers.matchAll(tokenName)].map(
    ([value]) => value,
  );
}

/** Drops reads, and all but the last of repeated requests. */
function neededBy({ exchanges, failures }: CaseResult): readonly Exchange[] {
  const wrong = new Set(failures.flatMap(({ exchange }) => (exchange === undefined ? [] : [exchange])));
  const last = wrong.size === 0 ? exchanges.length - 1 : Math.max(...wrong);
  return exchanges.filter((each, index) => {
    if (wrong.has(index)) return true;
    if (index > last || (wrong.size > 0 && (each.method === "GET" || each.method === "HEAD"))) return false;
    const next = exchanges[index + 1];
    return index === last || next === undefined || !isSame(each, next) || each.status !== 429;
  });
}

function isSame(one: Exchange, other: Exchange): boolean {
  return one.method === other.method && one.url === other.url && one.requestBody === other.requestBody;
}

interface SourceSearch {
  readonly chosen: ReadonlySet<Exchange>;
  /** The values of responses, with their filters. */
  readonly values: Map<Exchange, ReadonlyMap<string, string>>;
}

/** The first response with a value, those of requests that are sent anyway before others. */
function findSource(
  value: string,
  earlier: readonly Exchange[],
  { chosen, values }: SourceSearch,
): Omit<LearntValue, "variable"> | undefined {
  const isUsed = earlier.find((each) => usedValues(each).includes(value));
  // A value that an earlier request has sent is not learnt after it.
  const until = isUsed === undefined ? earlier : earlier.slice(0, earlier.indexOf(isUsed));
  const ordered = until.toSorted((a, b) => Number(chosen.has(b)) - Number(chosen.has(a)));
  for (const from of ordered) {
    const cached = values.get(from) ?? valuesOf(from);
    values.set(from, cached);
    const filter = cached.get(value);
    if (filter !== undefined) return { from, filter };
  }
  return undefined;
}

/** Keys whose values identify an object. */
const identifyingKey = /^(?:id|uuid|label|name|slug|username|token|key|code)$|_(?:id|token)$|Id$/;

function valuesOf({ status, body }: Exchange): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (status < 200 || status > 299 || !/^\s*[[{]/.test(body)) return values;
  collect(parsed(body), "", "");
  return values;

  function collect(value: Json, key: string, filter: string): void {
    if (isJsonArray(value))
      value.forEach((each, index) => collect(each, key, `${filter === "" ? "." : filter}[${index}]`));
    else if (isJsonObject(value))
      for (const [name, each] of Object.entries(value))
        collect(
          each,
          name,
          /^[A-Za-z_]\w*$/.test(name)
            ? `${filter}.${name}`
            : `${filter === "" ? "." : filter}[${JSON.stringify(name)}]`,
        );
    else if (isIdentifying(value, key) && !values.has(String(value))) values.set(String(value), filter);
  }
}

function isIdentifying(value: Json, key: string): boolean {
  if (typeof value === "string") return value !== "" && identifyingKey.test(key);
  return typeof value === "number" && identifyingKey.test(key);
}

function parsed(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return null; // not JSON, or truncated: it has no values to read
  }
}

function variableOf(value: string, learnt: ReadonlyMap<string, LearntValue>): string {
  return value.startsWith("$") ? value.slice(1) : `ID${learnt.size + 1}`;
}

/** Numbers the variables in the order of their requests. */
function numbered(
  learnt: ReadonlyMap<string, LearntValue>,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, LearntValue> {
  const ordered = [...learnt].toSorted(([, a], [, b]) => exchanges.indexOf(a.from) - exchanges.indexOf(b.from));
  let ids = 0;
  return new Map(
    ordered.map(([value, each]) => [value, value.startsWith("$") ? each : { ...each, variable: `ID${++ids}` }]),
  );
}
