import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import type { TextOf } from "../nested-edits.js";
import { namedProperties, printObject, valueOf } from "./call-text.js";

/** The new options of a client. */
export interface NewOptions {
  readonly text: (textOf: TextOf) => string;
  /** Old options without a counterpart, which the new ones keep. */
  readonly undecided: readonly { readonly node: ts.Node; readonly message: string }[];
}

/** An option that is added to those of the code. */
export interface AddedOption {
  readonly key: string;
  readonly text: (textOf: TextOf) => string;
}

/**
 * Rewrites the options of a client.
 *
 * @param rewrites what becomes of each option, by its old name
 * @param takesToken whether clients of the API have the option `token`
 * @returns undefined if the options are not an object with names
 */
export function rewriteClientOptions(
  options: ts.Expression | undefined,
  {
    rewrites,
    takesToken,
    added = [],
    at,
  }: {
    readonly rewrites: Readonly<Record<string, string>>;
    readonly takesToken: boolean;
    readonly added?: readonly AddedOption[];
    /** The node in whose place the options are printed. Default: the old options. */
    readonly at?: ts.Node;
  },
): NewOptions | undefined {
  const extra = added.map(
    ({ key, text }) =>
      (textOf: TextOf) =>
        `${key}: ${text(textOf)}`,
  );
  const like = options && unwrap(options);
  if (like === undefined) return { text: printer(extra, undefined), undecided: [] };
  const properties = ts.isObjectLiteralExpression(like) ? namedProperties(like) : undefined;
  if (!ts.isObjectLiteralExpression(like) || properties === undefined) return undefined;
  const undecided: { node: ts.Node; message: string }[] = [];
  const printed: ((textOf: TextOf) => string)[] = [];
  for (const [key, from] of properties) {
    const value = valueOf(from);
    const authorization = key === "headers" && takesToken ? readAuthorization(value) : undefined;
    if (authorization !== undefined) printed.push(...authorization);
    else {
      const renamed = Object.hasOwn(rewrites, key) ? rewrites[key] : undefined;
      if (renamed === undefined)
        undecided.push({
          node: from,
          message: `Clients have no option \`${key}\` of this kind. Decide how to do without it.`,
        });
      const name = renamed ?? key;
      printed.push((textOf) => printOption(name, value, textOf));
    }
  }
  return { text: printer([...printed, ...extra], like, at), undecided };
}

function printer(
  properties: readonly ((textOf: TextOf) => string)[],
  like: ts.ObjectLiteralExpression | undefined,
  at?: ts.Node,
): NewOptions["text"] {
  return (textOf) =>
    properties.length === 0
      ? ""
      : printObject(
          properties.map((each) => () => each(textOf)),
          like,
          at,
        );
}

function printOption(key: string, value: ts.Expression, textOf: TextOf): string {
  const text = textOf(value);
  return text === key ? key : `${key}: ${text}`;
}

/** Headers with `Authorization: Bearer …`: the token, and the other headers. */
function readAuthorization(headers: ts.Expression): readonly ((textOf: TextOf) => string)[] | undefined {
  const object = unwrap(headers);
  const properties = ts.isObjectLiteralExpression(object) ? namedProperties(object) : undefined;
  const found = [...(properties ?? [])].find(([key]) => key.toLowerCase() === "authorization");
  const token = found && readBearer(valueOf(found[1]));
  if (token === undefined || properties === undefined || found === undefined) return undefined;
  const others = [...properties.values()].filter((each) => each !== found[1]);
  return [
    (textOf) => (typeof token === "string" ? `token: ${token}` : printOption("token", token, textOf)),
    ...(others.length === 0
      ? []
      : [(textOf: TextOf): string => `headers: { ${others.map((each) => textOf(each)).join(", ")} }`]),
  ];
}

/** The token in a text that begins with `Bearer `. */
export function readBearer(value: ts.Expression): ts.Expression | string | undefined {
  const prefix = "Bearer ";
  if (ts.isStringLiteralLike(value))
    return value.text.startsWith(prefix) ? JSON.stringify(value.text.slice(prefix.length)) : undefined;
  if (!ts.isTemplateExpression(value) || value.head.text !== prefix) return undefined;
  const [span, ...others] = value.templateSpans;
  return span !== undefined && others.length === 0 && span.literal.text === "" ? span.expression : undefined;
}
