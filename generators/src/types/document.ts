import type { Discriminator, Json, Property, Shape } from "../model/api.js";
import { isBinary, type Bytes } from "./bytes.js";
import { conditionalProperties } from "./conditional.js";
import { describeShape } from "./describe.js";
import { isAny, isSilent, mergedObject, type ShapeIndex } from "./merge.js";

/** The part of JSON Schema that says something about types, as the printer of types wants it. */
export interface TypeSchema {
  readonly $ref?: string;
  /** A type of JSON Schema, `Blob` or `never`. */
  readonly type?: string;
  readonly const?: Json;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | TypeSchema;
  readonly items?: TypeSchema;
  readonly prefixItems?: readonly TypeSchema[];
  readonly allOf?: readonly TypeSchema[];
  readonly anyOf?: readonly TypeSchema[];
  readonly oneOf?: readonly TypeSchema[];
  readonly maxProperties?: 0;
  /** The comment of a property. */
  readonly "x-comment"?: readonly string[];
}

/** What a type depends on beside its shape. */
export interface Around {
  readonly shapes: ShapeIndex;
  readonly bytes: Bytes;
  /** The named shapes whose fields are being printed here. */
  readonly within?: ReadonlySet<string>;
}

/** Prints a shape as a schema that holds nothing but its type; references become `#/Name`. */
export function typeSchema(shape: Shape, around: Around): TypeSchema {
  const print: Print = (each) => typeSchema(each, around);
  if (shape.never) return never;
  if (isAny(shape)) return {};
  if (shape.ref !== undefined) {
    const { ref, ...beside } = shape;
    return isAny(beside) ? { $ref: `#/${ref}` } : { allOf: [{ $ref: `#/${ref}` }, print(beside)] };
  }
  const values = shape.const === undefined ? shape.enum : [shape.const];
  if (values !== undefined) return literals(values);
  const only = onlyBranch(shape);
  if (only !== undefined) return print(only);
  const merged = mergedObject(shape, around.shapes, around.within);
  if (merged !== undefined) return typeSchema(merged.shape, { ...around, within: merged.names });
  const { allOf = [], anyOf = [], oneOf = [], ...core } = shape;
  const parts = allOf.filter((branch) => !isAny(branch)).map(print);
  for (const union of [anyOf, oneOf]) {
    if (union.every(isAny)) continue; // conditions only, such as `anyOf: [{required: [a]}, …]`
    parts.push(either(union.map((branch) => tagged(branch, print(inherit(branch, core)), shape.discriminator))));
  }
  if (!isAny(core) && !(isBareObject(core) && parts.length > 0)) parts.unshift(coreSchema(core, print, around.bytes));
  return parts.length > 1 ? { allOf: parts } : (parts[0] ?? {});
}

type Print = (shape: Shape) => TypeSchema;

/** The reference of an `allOf` that stands there for the sake of what is said beside it. */
function onlyBranch({ allOf = [], ...rest }: Shape): Shape | undefined {
  const [first, ...others] = allOf.filter((branch) => !isSilent(branch));
  if (first?.ref === undefined || others.length > 0) return undefined;
  return isSilent(rest) || isBareObject(rest) ? first : undefined;
}

/** `type: object` and no more, which the branches beside it say better. */
function isBareObject(shape: Shape): boolean {
  return (
    shape.types.length === 1 &&
    shape.types[0] === "object" &&
    shape.required === undefined &&
    isAny({ ...shape, types: [] })
  );
}

/** A branch that only says more of the properties of the object it stands in keeps the type `object`. */
function inherit(branch: Shape, core: Shape): Shape {
  return branch.types.length === 0 && branch.properties !== undefined && core.types.includes("object")
    ? { ...branch, types: ["object"] }
    : branch;
}

/** A branch of a tagged union together with the tag that leads to it. */
function tagged(branch: Shape, printed: TypeSchema, discriminator: Discriminator | undefined): TypeSchema {
  const values = discriminator?.mapping.filter((each) => each.shape === branch.ref).map((each) => each.value) ?? [];
  if (discriminator === undefined || values.length === 0) return printed;
  const tag = literals(values);
  return {
    allOf: [
      printed,
      { type: "object", properties: { [discriminator.property]: tag }, required: [discriminator.property] },
    ],
  };
}

function coreSchema(shape: Shape, print: Print, bytes: Bytes): TypeSchema {
  const types = shape.types.length > 0 ? shape.types : impliedTypes(shape);
  const printed = types.map((type): TypeSchema => {
    if (type === "array") return arraySchema(shape, print);
    if (type === "object") return objectSchema(shape, print);
    return type === "string" && isBinary(shape) ? either(bytes.map((each) => ({ type: each }))) : { type };
  });
  return either(printed);
}

function impliedTypes(shape: Shape): Shape["types"] {
  return shape.items !== undefined || shape.prefixItems !== undefined ? ["array"] : ["object"];
}

/** A tuple only where its length is fixed; otherwise an array of whatever may be in it. */
function arraySchema(shape: Shape, print: Print): TypeSchema {
  const prefix = shape.prefixItems;
  if (prefix === undefined) return { type: "array", items: shape.items === undefined ? {} : print(shape.items) };
  const isClosed = shape.items?.never === true || shape.maxItems === prefix.length;
  if (isClosed && shape.minItems === prefix.length) return { type: "array", prefixItems: prefix.map(print) };
  const rest = isClosed ? [] : [shape.items ?? { types: [], origin: shape.origin }];
  return { type: "array", items: [...prefix, ...rest].some(isAny) ? {} : either([...prefix, ...rest].map(print)) };
}

function objectSchema(shape: Shape, print: Print): TypeSchema {
  if (shape.maxProperties === 0) return { type: "object", maxProperties: 0 };
  const properties = [...(shape.properties ?? []), ...conditionalProperties(shape)];
  const undescribed = (shape.required ?? []).filter((name) => !properties.some((property) => property.name === name));
  const all = [
    ...properties.map((each) => [each.name, propertySchema(each, print)] as const),
    ...undescribed.map((name) => [name, {}] as const),
  ];
  const { additionalProperties: others, patternProperties = {} } = shape;
  const additional = [...(others === undefined ? [] : [others]), ...Object.values(patternProperties)].filter(
    (each) => !each.never,
  );
  return {
    type: "object",
    ...(all.length > 0 ? { properties: fromEntries(all) } : {}),
    ...(shape.required === undefined ? {} : { required: shape.required }),
    // An index signature has to fit the named properties as well; beside them it can only be `unknown`.
    ...(additional.length === 0
      ? {}
      : { additionalProperties: all.length > 0 || additional.some(isAny) ? true : either(additional.map(print)) }),
  };
}

/** The type that nothing has. */
const never: TypeSchema = { type: "never" };

function either(schemas: readonly TypeSchema[]): TypeSchema {
  return schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? never);
}

function propertySchema(each: Property, print: Print): TypeSchema {
  return { ...print(each.shape), "x-comment": describeShape(each.shape) };
}

/** A union even of one: the printer of types would add a comment of its own to a plain constant. */
function literals(values: readonly Json[]): TypeSchema {
  return values.length === 0 ? never : { anyOf: values.map(literal) };
}

function literal(value: Json): TypeSchema {
  return value === null ? { type: "null" } : { const: value };
}

/** As `Object.fromEntries`, which `__proto__` as a name does not fool. */
function fromEntries(entries: readonly (readonly [string, TypeSchema])[]): Readonly<Record<string, TypeSchema>> {
  return Object.fromEntries(entries);
}
