import { mediaKind, type Api, type MediaTypeObject, type Schema } from "../../model/index.js";
import type { TextFile } from "../files.js";
import {
  code,
  identifier,
  importType,
  importValue,
  joinCode,
  jsonLiteral,
  printSourceFile,
  propertyKey,
  type Code,
} from "../printer.js";
import { clientRuntime, conversionsOf } from "./conversions.js";
import type { ConvertedScalar, ConverterNode } from "./converter-node.js";

/** Emits `values.ts`: where named schemas have dates and 64-bit integers. No file without such options. */
export function emitConverters(api: Api): readonly TextFile[] {
  const conversions = conversionsOf(api);
  if (conversions === undefined) return [];
  const converted = api.schemas.filter(({ name }) => conversions.mayConvert(name));
  // A function, since a schema may be declared later or contain itself.
  const refer = (name: string): Code => code`() => ${identifier(converterName(name))}`;
  const statements = converted.map(({ name }) => {
    const node = printConverter(conversions.namedConverter(name), refer);
    return code`export const ${identifier(converterName(name))}: ${importType("Converter", clientRuntime)} = ${node};`;
  });
  const reservedNames = converted.map(({ name }) => converterName(name));
  const text = printSourceFile(statements, reservedNames) + (statements.length === 0 ? "export {};\n" : "");
  return [{ path: "src/gen/values.ts", text }];
}

/** Returns the converter of a schema as code, or undefined if there is nothing to convert. `from` is the path of `values.js`. */
export function converterCode(api: Api, schema: Schema, from: string): Code | undefined {
  const node = conversionsOf(api)?.converterOf(schema);
  return node && printConverter(node, (name) => importValue(converterName(name), from));
}

/** Returns the converter of a body as code. Undefined for texts and bytes, too. */
export function bodyConverterCode(api: Api, { mediaType, schema }: MediaTypeObject, from: string): Code | undefined {
  const kind = mediaKind(mediaType);
  return kind === "text" || kind === "binary" ? undefined : converterCode(api, schema, from);
}

/** True if numbers of JSON may be 64-bit integers. */
export function hasBigIntegers(api: Api): boolean {
  return conversionsOf(api)?.options.integers !== undefined;
}

/** True if all of a value may be a date or a 64-bit integer, not only what is inside of it. */
export function mayBeScalar(api: Api, schema: Schema): boolean {
  const shape = conversionsOf(api)?.shapeOf(schema);
  return [...(shape?.strings ?? []), ...(shape?.numbers ?? [])].some((key) => key !== "");
}

function converterName(schema: string): string {
  return `${schema}Values`;
}

const scalars = {
  Date: "asDate",
  Instant: "asInstant",
  PlainDate: "asPlainDate",
  BigInt: "asBigInt",
} satisfies Record<ConvertedScalar, string>;

function printConverter(node: ConverterNode, refer: (name: string) => Code): Code {
  const print = (each: ConverterNode): Code => printConverter(each, refer);
  const record = (entries: readonly (readonly [string, ConverterNode])[]): Code =>
    code`{ ${joinCode(
      entries.map(([name, each]) => code`${propertyKey(name)}: ${print(each)}`),
      code`, `,
    )} }`;
  const list = (nodes: readonly (ConverterNode | null)[]): Code =>
    code`[${joinCode(
      nodes.map((each) => (each === null ? code`null` : print(each))),
      code`, `,
    )}]`;
  switch (node.kind) {
    case "scalar":
      return importValue(scalars[node.scalar], clientRuntime);
    case "named":
      return refer(node.name);
    case "fields":
      return code`{ fields: ${record(node.fields)} }`;
    case "map":
    case "items":
    case "lenient":
      return code`{ ${identifier(node.kind)}: ${print(node.of)} }`;
    case "prefix":
      return code`{ prefix: ${list(node.of)}${node.rest === null ? code`` : code`, rest: ${print(node.rest)}`} }`;
    case "all":
      return code`{ all: ${list(node.of)} }`;
    case "tag":
      return code`{ tag: ${jsonLiteral(node.tag)}, variants: ${record(node.variants)} }`;
  }
}
