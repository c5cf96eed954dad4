import type { CaseResult, Exchange } from "../results.js";
import { quoteShellParts, type ShellPart } from "./shell.js";

/**
 * The requests that reproduce a failure, as shell commands: requests that change something, and the one with the wrong response. Ids are
 * read from earlier responses with `jq`, so that the commands can be repeated. Tokens are variables such as `$TOKEN`.
 */
export function formatCurlCommands(result: CaseResult): readonly string[] {
  const shown = neededBy(result);
  const ids = new Map<string, { readonly variable: string; readonly from: Exchange }>();
  for (const exchange of shown) {
    const id = idMadeBy(exchange);
    if (id === undefined || ids.has(id) || !shown.some((each) => each !== exchange && partsOf(each, id))) continue;
    ids.set(id, { variable: `ID${ids.size + 1}`, from: exchange });
  }
  const known = new Map<string, string>();
  return shown.map((exchange) => {
    const made = [...ids].find(([, { from }]) => from === exchange);
    if (made === undefined) return formatCurlCommand(exchange, { ids: known, headers: true });
    const command = formatCurlCommand(exchange, { ids: known, headers: false });
    known.set(made[0], made[1].variable);
    return `${made[1].variable}=$(${command} | tee /dev/stderr | jq -r .id)`;
  });
}

export interface CurlOptions {
  /** Ids to replace by shell variables. */
  readonly ids: ReadonlyMap<string, string>;
  /** Also prints the response headers. */
  readonly headers: boolean;
}

/** One request as a command. */
export function formatCurlCommand(exchange: Exchange, { ids, headers }: CurlOptions): string {
  const { method, url, requestBody } = exchange;
  const words = [["curl -sS", ...modeOf(exchange, headers)].join(" ")];
  words.push(quoteShellParts(withVariables(url, pathSegment, ids)));
  for (const [name, value] of Object.entries(exchange.requestHeaders)) {
    if (isCurls(name)) continue;
    words.push(headerOf(name, value, exchange.caller));
  }
  if (requestBody !== undefined && requestBody !== "") {
    // curl sends a body without a type as a form.
    if (!Object.keys(exchange.requestHeaders).some((each) => each.toLowerCase() === "content-type"))
      words.push("-H 'Content-Type:'");
    words.push(
      requestBody.length > maxInlineCharacters
        ? `--data-binary @body.txt`
        : `--data-raw ${quoteShellParts(withVariables(requestBody, idInBody, ids))}`,
    );
  }
  const line = words.join(" ");
  const command = line.length <= 110 ? line : words.join(" \\\n  ");
  if (requestBody === undefined || requestBody.length <= maxInlineCharacters) return command;
  return `# body.txt: the ${requestBody.length.toLocaleString("en-US")} characters of the body of this ${method} are in the JSON report\n${command}`;
}

/** The variable for the token of the caller. */
export function tokenVariable(by: string): string {
  if (by === "main") return "TOKEN";
  const words = by
    .replace(/^(?:an?|the) /i, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  return /^[A-Z]/.test(words) ? `${words}_TOKEN` : "TOKEN";
}

const pathSegment = /(?<=\/)[^/?#]+/g;
const idInBody = /(?<="(?:id|\w+_id|\w+Id)"\s*:\s*)\d+/g;

const maxInlineCharacters = 8000; // characters; longer commands cannot be pasted

// curl sends these by itself.
const curls: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "user-agent",
  "accept-encoding",
  "transfer-encoding",
]);

function isCurls(name: string): boolean {
  return curls.has(name.toLowerCase());
}

function modeOf({ method, url, requestBody }: Exchange, headers: boolean): readonly string[] {
  const hasBody = requestBody !== undefined && requestBody !== "";
  const isUsual = method === "HEAD" || (method === "GET" && !hasBody);
  return [
    ...(method === "HEAD" ? ["-I"] : headers ? ["-i"] : []),
    ...(isUsual ? [] : [`-X ${method}`]),
    ...(/\/\.{1,2}(?:[/?#]|$)/.test(url) ? ["--path-as-is"] : []),
    ...(/[[\]{}]/.test(url) ? ["-g"] : []),
  ];
}

function headerOf(name: string, value: string, by: string): string {
  const [, basic] = /^basic \$((?:\w+_)?TOKEN(?:_\d+)?)$/i.exec(value) ?? [];
  // curl encodes the user and the password.
  if (name.toLowerCase() === "authorization" && basic !== undefined)
    return `-u ${quoteShellParts([{ variable: basic }])}`;
  // A report that was not created by the runtime may have the token itself, so it is replaced here.
  const isOpen = name.toLowerCase() === "authorization" && !value.includes("$");
  const shown = isOpen ? value.replace(/(?<=^\w+ )\S+$/, `$${tokenVariable(by)}`) : value;
  return `-H ${quoteShellParts(secretsToVariables([`${name}: ${shown}`]))}`;
}

/** Drops earlier reads, and all but the last of repeated requests. */
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

function idMadeBy({ method, status, body }: Exchange): string | undefined {
  if (method !== "POST" || status < 200 || status > 299) return undefined;
  const id = /^\s*\{/.test(body) ? idOf(body) : undefined;
  return typeof id === "number" || (typeof id === "string" && id !== "") ? String(id) : undefined;
}

function idOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { readonly id?: unknown }).id;
  } catch {
    return undefined; // not JSON, or truncated: it has no id to read
  }
}

function partsOf({ url, requestBody }: Exchange, id: string): boolean {
  const ids = new Map([[id, "ID"]]);
  const isIn = (text: string, where: RegExp): boolean =>
    withVariables(text, where, ids).some((each) => typeof each !== "string" && each.variable === "ID");
  return isIn(url, pathSegment) || isIn(requestBody ?? "", idInBody);
}

function withVariables(text: string, where: RegExp, ids: ReadonlyMap<string, string>): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(where)) {
    const variable = ids.get(found);
    if (variable === undefined) continue;
    parts.push(text.slice(end, index), { variable });
    end = index + found.length;
  }
  return secretsToVariables([...parts, text.slice(end)]);
}

/** Turns the runtime's placeholders of secrets into shell variables of the same name. */
function secretsToVariables(parts: readonly ShellPart[]): readonly ShellPart[] {
  return parts.flatMap((part) => {
    if (typeof part !== "string") return [part];
    return part
      .split(/\$((?:[A-Z][A-Z0-9_]*_)?(?:TOKEN|SECRET)(?:_\d+)?)\b/)
      .map((each, index): ShellPart => (index % 2 === 0 ? each : { variable: each }));
  });
}
