import { isJsonObject, type Json } from "../../model/index.js";
import { code, docComment, jsonLiteral, propertyKey, renderCode, type Code } from "../printer.js";
import { formatDeprecationTag, type DeprecationDetails } from "../types/deprecation.js";
import { asList, asObject, textOf, type JsonObject } from "./document.js";

export interface PropertyOptions {
  readonly isOptional?: boolean;
  readonly isReadonly?: boolean;
  /** What the comment describes. */
  readonly about?: Json | undefined;
}

/** A property of a type, with its comment. */
export function property(name: string, type: Code, { isOptional, isReadonly, about }: PropertyOptions = {}): Code {
  const comment = commentOf(about);
  const before = comment === undefined ? code`` : code`${comment}\n`;
  return code`${before}${isReadonly === true ? code`readonly ` : code``}${memberKey(name)}${isOptional === true ? code`?` : code``}: ${type};`;
}

/** A number for a status, since openapi-fetch and others look statuses up as numbers. */
function memberKey(name: string): Code {
  return String(Number(name)) === name && !name.startsWith("-") && Number.isFinite(Number(name))
    ? jsonLiteral(Number(name))
    : propertyKey(name);
}

export function objectType(members: readonly Code[]): Code {
  return code`{\n${members}\n}`;
}

/** The element of a type at a key, such as `components["schemas"]["Pet"]`. */
export function elementType(type: Code, key: string): Code {
  return code`${type}[${memberKeyLiteral(key)}]`;
}

function memberKeyLiteral(key: string): Code {
  return jsonLiteral(key);
}

export const never: Code = code`never`;
export const unknown: Code = code`unknown`;
export const nullType: Code = code`null`;

export function unionType(types: readonly Code[]): Code {
  return combined(types, "|");
}

export function intersectionType(types: readonly Code[]): Code {
  return combined(types, "&");
}

function combined(types: readonly Code[], operator: "|" | "&"): Code {
  const distinct = [...new Map(types.map((each) => [renderCode(each), each] as const)).values()];
  const [first, ...others] = distinct;
  if (first === undefined) return never;
  if (others.length === 0) return first;
  return others.reduce<Code>(
    (all, each) => (operator === "|" ? code`${all} | (${each})` : code`${all} & (${each})`),
    code`(${first})`,
  );
}

/** JSDoc of a schema, an operation or another part. */
function commentOf(part: Json | undefined): Code | undefined {
  if (!isJsonObject(part)) return undefined;
  const lines = commentLines(part);
  return lines.length === 0 ? undefined : docComment(lines);
}

function commentLines(part: JsonObject): readonly string[] {
  const texts = ["title", "summary", "description"].flatMap((key) => textOf(part[key])?.trim() ?? []);
  const examples = [part["example"], ...asList(part["examples"])].filter((each) => each !== undefined);
  const format = textOf(part["format"]);
  const tags = [
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...(part["deprecated"] === true ? [formatDeprecationTag(detailsOf(part))] : []),
    ...(part["default"] === undefined ? [] : [`@default ${JSON.stringify(part["default"])}`]),
    ...examples.map((each) => `@example ${JSON.stringify(each)}`),
  ];
  return [...new Set(texts.filter((each) => each !== "").flatMap((each) => each.split("\n"))), ...tags];
}

/** The details of `x-deprecation`, which only operations have. */
function detailsOf(part: JsonObject): DeprecationDetails {
  const { since, sunset = part["x-sunset"], replacement, link } = asObject(part["x-deprecation"]) ?? {};
  return { since: textOf(since), sunset: textOf(sunset), replacement: textOf(replacement), link: textOf(link) };
}
