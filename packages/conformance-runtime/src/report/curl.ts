import type { CaseResult, Exchange } from "../results.js";
import { idInBody, pathSegment, planReplay } from "./replay.js";
import { quoteShellParts, quoteShellWord, type ShellPart } from "./shell.js";

/**
 * The requests that reproduce a failure, as shell commands. Ids and tokens are read from earlier responses with `jq`, so that the commands
 * can be repeated. Tokens of the options are variables such as `$TOKEN`.
 */
export function formatCurlCommands(result: CaseResult): readonly string[] {
  const { exchanges, learnt } = planReplay(result);
  const names = new Map<string, string>();
  let responses = 0;
  const commands = exchanges.flatMap((exchange) => {
    const values = [...learnt].filter(([, { from }]) => from === exchange);
    const command = formatCurlCommand(exchange, { ids: new Map(names), headers: values.length === 0 });
    for (const [value, { variable }] of values) names.set(value, variable);
    const [[, only] = []] = values;
    if (only === undefined) return [command];
    if (values.length === 1)
      return [`${only.variable}=$(${command} | tee /dev/stderr | jq -r ${quoteShellWord(only.filter)})`];
    const response = `RESPONSE${++responses}`;
    return [
      `${response}=$(${command} | tee /dev/stderr)`,
      ...values.map(
        ([, { variable, filter }]) => `${variable}=$(printf %s "$${response}" | jq -r ${quoteShellWord(filter)})`,
      ),
    ];
  });
  const hasSecret = commands.some((command) => /\$SECRET\b/.test(command));
  return hasSecret ? [secretComment, ...commands] : commands;
}

const secretComment =
  "# SECRET: a secret of these requests, such as a password. It is in the settings or the description of the suite, not in reports.";

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
  const text = isOpen ? value.replace(/(?<=^\w+ )\S+$/, `$${tokenVariable(by)}`) : value;
  return `-H ${quoteShellParts(secretsToVariables([`${name}: ${text}`]))}`;
}

function withVariables(text: string, where: RegExp, ids: ReadonlyMap<string, string>): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  let end = 0;
  for (const { 0: placeholder, index } of text.matchAll(where)) {
    const variable = ids.get(placeholder);
    if (variable === undefined) continue;
    parts.push(text.slice(end, index), { variable });
    end = index + placeholder.length;
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
