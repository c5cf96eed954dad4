import { isJsonArray, isJsonObject, type Json } from "../../model/index.js";
import { code, joinCode, jsonLiteral, renderCode, type Code } from "../printer.js";
import type { Place } from "./context.js";
import { discriminatorValue } from "./discriminators.js";
import {
  asList,
  asObject,
  entriesOf,
  joinPointer,
  referenceOf,
  resolvePart,
  resolveReference,
  textOf,
  type JsonObject,
} from "./document.js";
import { addEnumConstant } from "./enum-constants.js";
import { intersectionType, never, nullType, objectType, property, unionType, unknown } from "./properties.js";
import { referenceType } from "./references.js";

const emptyObject: Code = code`Record<string, never>`;

/** The type of a schema. */
export function schemaType(schema: Json | undefined, place: Place): Code {
  if (schema === true) return unknown;
  const part = asObject(schema);
  if (part === undefined) return never;
  const reference = referenceOf(part);
  if (reference !== undefined) return schemaReference(reference, place);
  const { const: constant } = part;
  if (constant !== undefined && constant !== null) return literalType(constant);
  if (isEnum(part)) return enumType(part, place);
  const types = withBranches(part, place);
  const type = types ?? ("type" in part ? emptyObject : unknown);
  return part["nullable"] === true && type !== unknown ? unionType([type, nullType]) : type;
}

/** A named schema by its name, and any other schema in full, since its type may be within optional properties. */
function schemaReference(reference: string, { context }: Place): Code {
  if (/^#\/components\/[^/]+\/[^/]+$/.test(reference)) return referenceType(reference);
  if (context.within.has(reference)) return unknown;
  context.within.add(reference);
  const type = schemaType(resolveReference(context.document, reference), { context, pointer: reference });
  context.within.delete(reference);
  return type;
}

function isEnum(schema: JsonObject): boolean {
  return (
    isJsonArray(schema["enum"] ?? null) &&
    schema["type"] !== "object" &&
    !("properties" in schema) &&
    !("additionalProperties" in schema)
  );
}

function enumType(schema: JsonObject, place: Place): Code {
  const values = asList(schema["enum"]);
  const isNullable = asList(schema["type"]).includes("null") || schema["nullable"] === true;
  const type = unionType([...values.map(literalType), ...(isNullable ? [nullType] : [])]);
  addEnumConstant(values, type, place);
  return type;
}

function literalType(value: Json): Code {
  if (isJsonArray(value))
    return value.length === 0 ? code`never[]` : code`[${joinCode(value.map(literalType), code`, `)}]`;
  if (!isJsonObject(value)) return jsonLiteral(value);
  const members = entriesOf(value).map(([key, each]) => property(key, literalType(each)));
  return members.length === 0 ? emptyObject : objectType(members);
}

/** The type of a schema with `allOf`, `anyOf` and `oneOf`. Undefined for a schema that says nothing. */
function withBranches(schema: JsonObject, place: Place): Code | undefined {
  const branches = (key: "anyOf" | "oneOf"): readonly Code[] =>
    asList(schema[key]).map((each, index) =>
      schemaType(each, { ...place, pointer: joinPointer(place.pointer, key, index) }),
    );
  const all = [coreType(schema, place) ?? [], partsOfAllOf(schema, place)].flat();
  let type = all.length === 0 ? undefined : intersectionType(all);
  const anyOf = branches("anyOf");
  if (anyOf.length > 0) type = unionType([type ?? [], anyOf].flat());
  const oneOf = branches("oneOf");
  if (oneOf.length > 0)
    type = oneOf.every(isPrimitive)
      ? unionType([type ?? [], oneOf].flat())
      : intersectionType([type ?? [], unionType(oneOf)].flat());
  return type;
}

const primitives: ReadonlySet<string> = new Set(["boolean", "never", "null", "number", "string"]);

function isPrimitive(type: Code): boolean {
  return primitives.has(renderCode(type));
}

function partsOfAllOf(schema: JsonObject, { context, pointer }: Place): readonly Code[] {
  const { byPointer, mapped } = context.discriminators;
  const required = namesIn(schema["required"]);
  return asList(schema["allOf"]).map((item) => {
    const part = asObject(item) ?? {};
    const reference = referenceOf(item);
    const propertyName = textOf(asObject(part["discriminator"])?.["propertyName"]);
    const discriminator = (reference === undefined ? undefined : byPointer.get(reference)?.property) ?? propertyName;
    let type: Code;
    if (reference === undefined) {
      type = schemaType({ ...part, required: [...required, ...namesIn(part["required"])] }, { context, pointer });
    } else {
      type = schemaReference(reference, { context, pointer });
      const properties = asObject(resolvePart(context.document, part)?.["properties"]) ?? {};
      const names = mapped.has(reference) ? [] : required.filter((each) => Object.hasOwn(properties, each));
      if (names.length > 0) {
        context.usesRequired = true;
        type = code`WithRequired<${type}, ${unionType(names.map(jsonLiteral))}>`;
      }
    }
    return discriminator === undefined ? type : code`Omit<${type}, ${jsonLiteral(discriminator)}>`;
  });
}

function namesIn(value: Json | undefined): readonly string[] {
  return asList(value).flatMap((each) => (typeof each === "string" ? [each] : []));
}

/** The type of a schema without its branches. */
function coreType(schema: JsonObject, place: Place): Code | undefined {
  const { type } = schema;
  switch (type) {
    case "null":
      return nullType;
    case "string":
      return place.context.options.dates === "Date" && schema["format"] === "date-time" ? code`Date` : code`string`;
    case "number":
    case "integer":
      return code`number`;
    case "boolean":
      return code`boolean`;
    case "array":
      return arrayType(schema, place);
    default:
  }
  if (type !== undefined && isJsonArray(type)) return typeOfSeveral(schema, type, place);
  return structureType(schema, place);
}

function typeOfSeveral(schema: JsonObject, types: readonly Json[], place: Place): Code {
  const stated = new Set(asList(schema["oneOf"]).flatMap((each) => textOf(asObject(each)?.["type"]) ?? []));
  const { oneOf, ...single } = schema;
  const others =
    oneOf === undefined
      ? types
      : types.filter((each) => typeof each !== "string" || isStructure(each) || !stated.has(each));
  return unionType(
    others.map((each) => (each === "null" || each === null ? nullType : schemaType({ ...single, type: each }, place))),
  );
}

function isStructure(type: string): boolean {
  return type === "object" || type === "array";
}

function arrayType(schema: JsonObject, place: Place): Code {
  const { prefixItems, items } = schema;
  const first = prefixItems !== undefined && prefixItems !== null ? prefixItems : items;
  const array = (item: Code): Code =>
    place.context.options.readonly === true ? code`readonly (${item})[]` : code`(${item})[]`;
  if (first !== undefined && isJsonArray(first)) {
    const tuple = code`[${joinCode(
      first.map((each) => schemaType(each, place)),
      code`, `,
    )}]`;
    return place.context.options.readonly === true ? code`readonly ${tuple}` : tuple;
  }
  return array(items === undefined || items === null || items === false ? unknown : schemaType(items, place));
}

/** The type of an object: its properties, and those that it does not name. */
function structureType(schema: JsonObject, place: Place): Code | undefined {
  const { context, pointer } = place;
  const { byPointer, mapped } = context.discriminators;
  const members: Code[] = [];
  const inherited = schema["discriminator"] === undefined && !mapped.has(pointer) ? byPointer.get(pointer) : undefined;
  if (inherited !== undefined && ("allOf" in schema || "anyOf" in schema))
    members.push(property(inherited.property, jsonLiteral(discriminatorValue(inherited, pointer)), isReadonly(place)));
  members.push(...propertiesOf(schema, place));
  const definitions = entriesOf(schema["$defs"]);
  if (definitions.length > 0)
    members.push(
      property(
        "$defs",
        objectType(
          definitions.map(([name, each]) =>
            property(name, schemaType(each, { context, pointer: joinPointer(pointer, "$defs", name) }), {
              ...isReadonly(place, each),
              about: each,
            }),
          ),
        ),
      ),
    );
  const others = otherProperties(schema, place);
  const objects = members.length === 0 ? [] : [objectType(members)];
  return objects.length === 0 && others.length === 0 ? undefined : intersectionType([...objects, ...others]);
}

function isReadonly({ context }: Place, schema?: Json): { readonly isReadonly: boolean } {
  return { isReadonly: context.options.readonly === true || asObject(schema)?.["readOnly"] === true };
}

function propertiesOf(schema: JsonObject, place: Place): readonly Code[] {
  const required = new Set(namesIn(schema["required"]));
  const isSent = /parameters|requestBod(?:y|ies)/.test(place.pointer);
  return entriesOf(schema["properties"]).map(([name, each]) => {
    const hasDefault = asObject(each)?.["default"] !== undefined;
    const isPresent =
      required.has(name) || (hasDefault && place.context.options.defaultNonNullable !== false && !isSent);
    const type = schemaType(each, { ...place, pointer: joinPointer(place.pointer, name) });
    return property(name, type, { ...isReadonly(place, each), isOptional: !isPresent, about: each });
  });
}

/** An index signature for the properties that have no name. */
function otherProperties(schema: JsonObject, place: Place): readonly Code[] {
  const { additionalProperties } = schema;
  const isStated = isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  const isAny = additionalProperties === true || (isJsonObject(additionalProperties) && !isStated);
  const types = [
    ...(isStated ? [schemaType(additionalProperties, place)] : []),
    ...(isAny ? [unknown] : []),
    ...entriesOf(schema["patternProperties"]).map(([, each]) => schemaType(each, place)),
  ];
  if (types.length === 0) return [];
  const start = place.context.options.readonly === true ? code`readonly ` : code``;
  return [code`{ ${start}[key: string]: ${unionType(types)} }`];
}
