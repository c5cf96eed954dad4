import { isJsonArray, isJsonObject, type Json, type Schema } from "../../model/index.js";
import { code, joinCode, jsonLiteral, propertyKey, type Code } from "../printer.js";
import type { Conversions } from "./conversions.js";
import type { ConverterNode, ConvertedScalar } from "./converter-node.js";

/** Returns the literal of an example of a schema, as a program writes it. */
export function convertedLiteral(value: Json, schema: Schema, conversions: Conversions | undefined): Code {
  const node = conversions?.converterOf(schema);
  return conversions === undefined || node === undefined ? jsonLiteral(value) : literalOf(value, [node], conversions);
}

function literalOf(value: Json, nodes: readonly ConverterNode[], conversions: Conversions): Code {
  const all = nodes.flatMap((each) => resolve(each, value, conversions));
  if (all.length === 0) return jsonLiteral(value);
  if (isJsonArray(value)) {
    const items = value.map((each, index) =>
      literalOf(
        each,
        all.flatMap((node) => itemNodes(node, index)),
        conversions,
      ),
    );
    return code`[${joinCode(items, code`, `)}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, each]) =>
        code`${propertyKey(name)}: ${literalOf(
          each,
          all.flatMap((node) => memberNodes(node, name)),
          conversions,
        )}`,
    );
    return members.length === 0 ? code`{}` : code`{ ${joinCode(members, code`, `)} }`;
  }
  for (const node of all) {
    const literal = node.kind === "scalar" ? scalars[node.scalar](value) : undefined;
    if (literal !== undefined) return literal;
  }
  return jsonLiteral(value);
}

/** Returns the converters that apply to a value, without those that only lead to others. */
function resolve(node: ConverterNode, value: Json, conversions: Conversions): readonly ConverterNode[] {
  switch (node.kind) {
    case "named":
      return resolve(conversions.namedConverter(node.name), value, conversions);
    case "all":
      return node.of.flatMap((each) => resolve(each, value, conversions));
    case "lenient":
      return resolve(node.of, value, conversions);
    case "tag": {
      const tag = isJsonObject(value) ? value[node.tag] : undefined;
      return node.variants.flatMap(([name, of]) => (name === tag ? resolve(of, value, conversions) : []));
    }
    case "scalar":
    case "fields":
    case "map":
    case "items":
    case "prefix":
      return [node];
  }
}

function itemNodes(node: ConverterNode, index: number): readonly ConverterNode[] {
  if (node.kind === "items") return [node.of];
  const itemNode = node.kind === "prefix" ? (index < node.of.length ? node.of[index] : node.rest) : undefined;
  return itemNode ? [itemNode] : [];
}

function memberNodes(node: ConverterNode, member: string): readonly ConverterNode[] {
  if (node.kind === "map") return [node.of];
  return node.kind === "fields" ? node.fields.flatMap(([name, of]) => (name === member ? [of] : [])) : [];
}

const scalars: Readonly<Record<ConvertedScalar, (value: Json) => Code | undefined>> = {
  Date: (value) => (typeof value === "string" ? code`new Date(${jsonLiteral(value)})` : undefined),
  Instant: (value) => (typeof value === "string" ? code`Temporal.Instant.from(${jsonLiteral(value)})` : undefined),
  PlainDate: (value) => (typeof value === "string" ? code`Temporal.PlainDate.from(${jsonLiteral(value)})` : undefined),
  BigInt: (value) => (Number.isSafeInteger(value) ? code`${jsonLiteral(value)}n` : undefined),
};
