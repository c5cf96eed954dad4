import { isJsonArray, isJsonObject, type Json } from "../../model/index.js";
import { asList, asObject, joinPointer, referenceOf, resolveReference, textOf, type JsonObject } from "./document.js";

/** A discriminator of OpenAPI. */
export interface DiscriminatorKeyword {
  readonly property: string;
  /** Schema names or references, by value. */
  readonly mapping: Readonly<Record<string, string>>;
}

export interface Discriminators {
  /** The document, in which the discriminator's property of each mapped schema has its values. */
  readonly document: JsonObject;
  /** By the pointer of the schema that has or inherits it. */
  readonly byPointer: ReadonlyMap<string, DiscriminatorKeyword>;
  /** The schemas whose property has its values. */
  readonly mapped: ReadonlySet<string>;
}

/** Finds all discriminators, and writes their values into the schemas that they distinguish, as openapi-typescript does. */
export function findDiscriminators(original: JsonObject): Discriminators {
  const document = structuredClone(original);
  const byPointer = new Map<string, DiscriminatorKeyword>();
  const mapped = new Set<string>();
  const write = (reference: string, values: readonly string[], { property }: DiscriminatorKeyword): void => {
    if (!mapped.has(reference) && writeValues(document, reference, { property, values })) mapped.add(reference);
  };
  const schemas = [...objectsOf(document)];
  for (const { part, pointer } of schemas) {
    const discriminator = discriminatorOf(part);
    if (discriminator === undefined) continue;
    byPointer.set(pointer, discriminator);
    const branches = asList(part["oneOf"]).flatMap((each) => referenceOf(each) ?? []);
    if (!isJsonArray(part["oneOf"])) continue;
    for (const [reference, values] of valuesOfBranches(discriminator, branches))
      write(reference, values, discriminator);
  }
  for (const { part, pointer } of schemas) {
    for (const item of asList(part["allOf"])) {
      const itemDiscriminator = discriminatorOf(asObject(item) ?? {});
      if (itemDiscriminator !== undefined) byPointer.set(pointer, itemDiscriminator);
      const reference = referenceOf(item);
      if (reference === undefined) continue;
      const parent = byPointer.get(reference);
      if (parent === undefined) break; // as openapi-typescript does
      const values = Object.entries(parent.mapping).flatMap(([value, target]) => (target === pointer ? [value] : []));
      if (values.length > 0) write(pointer, values, parent);
      byPointer.set(pointer, parent);
    }
  }
  return { document, byPointer, mapped };
}

/** The value with which a schema says what it is: its key in the mapping, else its name. */
export function discriminatorValue({ mapping }: DiscriminatorKeyword, pointer: string): string {
  const name = nameOf(pointer);
  return Object.entries(mapping).find(([, target]) => nameOf(target) === name)?.[0] ?? name;
}

function nameOf(pointer: string): string {
  return (pointer.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

function discriminatorOf(part: JsonObject): DiscriminatorKeyword | undefined {
  const stated = asObject(part["discriminator"]);
  const property = textOf(stated?.["propertyName"]);
  if (property === undefined || property === "") return undefined;
  const mapping = Object.entries(asObject(stated?.["mapping"]) ?? {}).flatMap(([value, target]) =>
    typeof target === "string" ? [[value, target] as const] : [],
  );
  return { property, mapping: Object.fromEntries(mapping) };
}

function valuesOfBranches(
  { mapping }: DiscriminatorKeyword,
  branches: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [value, target] of Object.entries(mapping)) values.set(target, [...(values.get(target) ?? []), value]);
  for (const each of branches) if (!values.has(each)) values.set(each, [nameOf(each)]);
  return values;
}

interface PropertyValues {
  readonly property: string;
  readonly values: readonly string[];
}

type MutableObject = Record<string, Json>;

/** Returns false for what is neither an object nor a combination of objects. */
function writeValues(document: JsonObject, reference: string, { property, values }: PropertyValues): boolean {
  const schema = resolveReference(document, reference);
  if (!isJsonObject(schema)) return false;
  const target: MutableObject = schema;
  const field: Json = { type: "string", enum: [...values] };
  if (isJsonArray(target["allOf"])) {
    target["allOf"] = [...target["allOf"], { type: "object", required: [property], properties: { [property]: field } }];
    return true;
  }
  if (target["type"] !== "object") return false;
  target["properties"] = { ...asObject(target["properties"]), [property]: field };
  const required = asList(target["required"]);
  if (!required.includes(property)) target["required"] = [...required, property];
  return true;
}

interface DocumentPart {
  readonly part: JsonObject;
  readonly pointer: string;
}

function* objectsOf(value: Json, pointer = "#"): Generator<DocumentPart> {
  if (isJsonArray(value)) {
    for (const [index, each] of value.entries()) yield* objectsOf(each, joinPointer(pointer, index));
  } else if (isJsonObject(value)) {
    yield { part: value, pointer };
    for (const [key, each] of Object.entries(value)) yield* objectsOf(each, joinPointer(pointer, key));
  }
}
