import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import type { TextOf } from "../nested-edits.js";
import { commentsOf, namedProperties, printObject, printProperty, valueOf } from "./call-text.js";
import { describeDecision } from "./decisions.js";
import { fetchOptions } from "./fetch-options.js";
import type { ClientSecurity } from "./generated-client.js";

/** Something in old code that a person has to decide about. */
export interface Decision {
  readonly node: ts.Node;
  readonly message: string;
}

/** The new options of a client. */
export interface NewOptions {
  /** The text of the object. Empty if there are none. */
  readonly text: (textOf: TextOf) => string;
  /** Old options without a counterpart. With any, the client stays as it is. */
  readonly undecided: readonly Decision[];
}

/** An option that is added to those of the code. */
export interface AddedOption {
  readonly key: string;
  readonly text: (textOf: TextOf) => string;
  /** The property in old code whose comments it keeps. */
  readonly from?: ts.ObjectLiteralElementLike;
}

/** How options of a client are rewritten. */
export interface OptionRewrites {
  /** The new names of options, by their old ones. */
  readonly rewrites: Readonly<Record<string, string>>;
  readonly security: ClientSecurity;
  readonly added?: readonly AddedOption[];
  /** The node in whose place the options are printed. Default: the old options. */
  readonly at?: ts.Node;
}

type OldProperty = ts.PropertyAssignment | ts.ShorthandPropertyAssignment;
type PrintedOption = (indent: string, textOf: TextOf) => string;

/** Rewrites the options of a client. */
export function rewriteClientOptions(
  options: ts.Expression | undefined,
  { rewrites, security, added = [], at }: OptionRewrites,
): NewOptions {
  const extra = added.map(({ key, text, from }): PrintedOption => {
    const comments = (indent: string): string => (from === undefined ? "" : commentsOf(from, indent));
    return (indent, textOf) => `${comments(indent)}${key}: ${text(textOf)}`;
  });
  const like = options && unwrap(options);
  if (like === undefined) return { text: printer(extra, undefined, at), undecided: [] };
  const properties = ts.isObjectLiteralExpression(like) ? namedProperties(like) : undefined;
  if (!ts.isObjectLiteralExpression(like) || properties === undefined)
    return {
      text: () => "",
      undecided: [{ node: like, message: "The options of the client are not an object with names." }],
    };
  const undecided: Decision[] = [];
  const printed = [...properties].flatMap(([key, from]): readonly PrintedOption[] => {
    const rewritten = rewriteOption(key, from, { rewrites, security });
    if (rewritten === undefined) undecided.push({ node: from, message: describeDecision(key) });
    return rewritten ?? [];
  });
  return { text: printer([...printed, ...extra], like, at), undecided };
}

function rewriteOption(
  key: string,
  from: OldProperty,
  { rewrites, security }: Pick<OptionRewrites, "rewrites" | "security">,
): readonly PrintedOption[] | undefined {
  const print = (name: string): readonly PrintedOption[] => [
    (indent, textOf) => printProperty({ key: name, from }, indent, textOf),
  ];
  const authorization = key === "headers" && security === "token" ? readAuthorization(from) : undefined;
  if (authorization !== undefined) return authorization;
  if (key === "fetch") return [(indent, textOf) => commentsOf(from, indent) + fetchText(valueOf(from), textOf)];
  if (fetchOptions.has(key)) return security !== "named" || key !== "credentials" ? print(key) : undefined;
  const renamed = Object.hasOwn(rewrites, key) ? rewrites[key] : undefined;
  const isToken = renamed === "token";
  if (renamed === undefined || (isToken && security !== "token") || !fitsOption(isToken, valueOf(from)))
    return undefined;
  return print(renamed);
}

/** Old clients call their `fetch` with a `Request`, new ones with a URL and options. */
function fetchText(value: ts.Expression, textOf: TextOf): string {
  const text = textOf(value);
  if (/^(globalThis\.|window\.)?fetch$/.test(text)) return text === "fetch" ? text : `fetch: ${text}`;
  const callee = ts.isIdentifier(value) || ts.isPropertyAccessExpression(value) ? text : `(${text})`;
  return `fetch: (url, init) => ${callee}(new Request(url, init))`;
}

function printer(
  properties: readonly PrintedOption[],
  like: ts.ObjectLiteralExpression | undefined,
  at: ts.Node | undefined,
): NewOptions["text"] {
  return (textOf) => {
    if (properties.length === 0) return "";
    const printed = properties.map((each) => (indent: string) => each(indent, textOf));
    return printObject(printed, like, at);
  };
}

/** Whether an option can have the value of the old one: a token may be a function without parameters, other options are values. */
function fitsOption(isToken: boolean, value: ts.Expression): boolean {
  if (!ts.isArrowFunction(value) && !ts.isFunctionExpression(value)) return true;
  return isToken && value.parameters.length === 0;
}

/** Headers with `Authorization: Bearer …`: the token, and the other headers. */
function readAuthorization(from: OldProperty): readonly PrintedOption[] | undefined {
  const object = unwrap(valueOf(from));
  const properties = ts.isObjectLiteralExpression(object) ? namedProperties(object) : undefined;
  const header = [...(properties ?? [])].find(([key]) => key.toLowerCase() === "authorization");
  const token = header && readBearer(valueOf(header[1]));
  if (token === undefined || properties === undefined || header === undefined) return undefined;
  const nested = [...properties].filter((each) => each[1] !== header[1]).map(([key, each]) => ({ key, from: each }));
  const printToken: PrintedOption = (indent, textOf) => {
    const text = typeof token === "string" ? token : textOf(token);
    return `${commentsOf(from, indent)}${text === "token" ? text : `token: ${text}`}`;
  };
  if (nested.length === 0) return [printToken];
  return [printToken, (indent, textOf) => printProperty({ key: "headers", from, nested }, indent, textOf)];
}

/** The token in a text that begins with `Bearer `. */
function readBearer(value: ts.Expression): ts.Expression | string | undefined {
  const prefix = "Bearer ";
  if (ts.isStringLiteralLike(value))
    return value.text.startsWith(prefix) ? JSON.stringify(value.text.slice(prefix.length)) : undefined;
  if (!ts.isTemplateExpression(value) || value.head.text !== prefix) return undefined;
  const [span, ...others] = value.templateSpans;
  return span !== undefined && others.length === 0 && span.literal.text === "" ? span.expression : undefined;
}
