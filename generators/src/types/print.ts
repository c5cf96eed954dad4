import { code, comment, name, typeImported, type Code } from "../emit/printer.js";
import type { Api, Discriminator, NamedShape, Property, Shape } from "../model/api.js";
import { shapesOf, type ShapesByName } from "../model/shapes-by-name.js";
import { bytesByName, isBinary, type Bytes, type BytesByName } from "./bytes.js";
import { conditionalProperties } from "./conditional.js";
import { describeShape } from "./describe.js";
import { isAny, isSilent, mergedObject } from "./merge.js";
import {
  array,
  blob,
  intersection,
  literal,
  named,
  never,
  object,
  record,
  scalars,
  tuple,
  union,
  unknown,
  type Member,
  type Type,
} from "./typescript.js";

/** Prints the types of one API. */
export class TypePrinter {
  readonly #shapes: ShapesByName;
  readonly #bytes: BytesByName;

  constructor(api: Api) {
    this.#bytes = bytesByName(api);
    this.#shapes = shapesOf(api);
  }

  /** Returns the type of a schema. Named types are imported from `from`. */
  type(shape: Shape, from: string, bytes: Bytes = ["string"]): Code {
    const refer = (each: string): Code => typeImported(each, from);
    return new Types({ shapes: this.#shapes, bytes, refer }).type(shape).text;
  }

  /** Returns the declaration of a named type. Objects become interfaces, so that editors show them by name. */
  declaration({ name: typeName, shape }: NamedShape): Code {
    const bytes = this.#bytes.of(typeName);
    const types = new Types({ shapes: this.#shapes, bytes, refer: name });
    const { text, form } = types.type(shape, new Set([typeName]));
    const about = comment(describeShape(shape));
    return form === "members"
      ? code`${about}\nexport interface ${name(typeName)} ${text}`
      : code`${about}\nexport type ${name(typeName)} = ${text};`;
  }
}

/** The context of a type. */
interface Around {
  readonly shapes: ShapesByName;
  readonly bytes: Bytes;
  /** Returns the reference to a named type. */
  readonly refer: (name: string) => Code;
}

class Types {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /** `within` has the named schemas whose fields are being printed. */
  type(shape: Shape, within: ReadonlySet<string> = new Set()): Type {
    const print = (each: Shape): Type => this.type(each, within);
    if (shape.never) return never;
    if (isAny(shape)) return unknown;
    if (shape.ref !== undefined) {
      const { ref, ...beside } = shape;
      const reference = named(this.#around.refer(ref));
      return isAny(beside) ? reference : intersection([reference, print(beside)]);
    }
    const values = shape.const === undefined ? shape.enum : [shape.const];
    if (values !== undefined) return union(values.map(literal));
    const only = onlyBranch(shape);
    if (only !== undefined) return print(only);
    const merged = mergedObject(shape, this.#around.shapes, within);
    if (merged !== undefined) return this.type(merged.shape, merged.names);
    const { allOf = [], anyOf = [], oneOf = [], ...core } = shape;
    const parts = allOf.filter((branch) => !isAny(branch)).map(print);
    for (const branches of [anyOf, oneOf]) {
      if (branches.every(isAny)) continue; // conditions only, such as `anyOf: [{required: [a]}, …]`
      parts.push(
        union(branches.map((branch) => this.#tagged(branch, print(inherit(branch, core)), shape.discriminator))),
      );
    }
    if (!isAny(core) && !(isBareObject(core) && parts.length > 0)) parts.unshift(this.#core(core, print));
    return intersection(parts);
  }

  /** Returns the type from the keywords `type`, `items` and `properties`. */
  #core(shape: Shape, print: Print): Type {
    const types = shape.types.length > 0 ? shape.types : impliedTypes(shape);
    return union(
      types.map((type) => {
        if (type === "array") return arrayType(shape, print);
        if (type === "object") return objectType(shape, print);
        return type === "string" && isBinary(shape) ? this.#bytes() : scalars[type];
      }),
    );
  }

  /** A branch of a tagged union together with the tag that leads to it, unless the branch says so itself. */
  #tagged(branch: Shape, printed: Type, discriminator: Discriminator | undefined): Type {
    const values = discriminator?.mapping.filter((each) => each.shape === branch.ref).map((each) => each.value) ?? [];
    const [value] = values;
    if (discriminator === undefined || value === undefined) return printed;
    const { property } = discriminator;
    const own = branch.ref === undefined ? undefined : this.#around.shapes.get(branch.ref);
    const isOwn = own?.required?.includes(property) && constantOf(own, property) === value;
    if (isOwn && values.length === 1) return printed;
    const tag = { name: property, required: true, type: union(values.map(literal)), comment: [] };
    return intersection([printed, object([tag], undefined)]);
  }

  #bytes(): Type {
    return union(this.#around.bytes.map((each) => (each === "Blob" ? blob : scalars.string)));
  }
}

type Print = (shape: Shape) => Type;

/** Returns a tuple if the length is fixed, and an array of all item types otherwise. */
function arrayType({ prefixItems: prefix, items, minItems, maxItems }: Shape, print: Print): Type {
  if (prefix === undefined) return array(items === undefined ? unknown : print(items));
  const isClosed = items?.never === true || maxItems === prefix.length;
  const first = prefix.map(print);
  if (isClosed && minItems === prefix.length) return tuple(first);
  const rest = isClosed ? [] : [items === undefined ? unknown : print(items)];
  const all = [...first, ...rest];
  return array(all.includes(unknown) ? unknown : union(all));
}

function objectType(shape: Shape, print: Print): Type {
  if (shape.maxProperties === 0) return record(never);
  const properties = [...(shape.properties ?? []), ...conditionalProperties(shape)];
  const undescribed = (shape.required ?? []).filter((each) => !properties.some((property) => property.name === each));
  const members = [
    ...properties.map((each) => memberOf(each, shape, print)),
    ...undescribed.map((each): Member => ({ name: each, required: true, type: unknown, comment: [] })),
  ];
  const { additionalProperties, patternProperties = {} } = shape;
  const additional = additionalProperties === undefined ? [] : [additionalProperties];
  const others = [...additional, ...Object.values(patternProperties)].filter((each) => !each.never);
  if (others.length === 0) return object(members, undefined);
  // An index signature has to fit the named properties as well. Beside these, only `unknown` fits.
  const isOpen = members.length > 0 || others.some(isAny);
  return object(members, isOpen ? unknown : union(others.map(print)));
}

function memberOf(property: Property, { required = [] }: Shape, print: Print): Member {
  const { name: member, shape } = property;
  return {
    name: member,
    required: required.includes(member),
    type: print(shape),
    comment: describeShape(shape),
  };
}

function constantOf({ properties = [] }: Shape, property: string): unknown {
  return properties.find(({ name: each }) => each === property)?.shape.const;
}

/** Returns the reference in an `allOf` that only adds annotations. */
function onlyBranch({ allOf = [], ...rest }: Shape): Shape | undefined {
  const [first, ...others] = allOf.filter((branch) => !isSilent(branch));
  if (first?.ref === undefined || others.length > 0) return undefined;
  return isSilent(rest) || isBareObject(rest) ? first : undefined;
}

/** True for `type: object` without other constraints. The branches beside it are more precise. */
function isBareObject(shape: Shape): boolean {
  return (
    shape.types.length === 1 &&
    shape.types[0] === "object" &&
    shape.required === undefined &&
    isAny({ ...shape, types: [] })
  );
}

/** Adds the type `object` to a branch that only refines properties of its object. */
function inherit(branch: Shape, core: Shape): Shape {
  return branch.types.length === 0 && branch.properties !== undefined && core.types.includes("object")
    ? { ...branch, types: ["object"] }
    : branch;
}

function impliedTypes(shape: Shape): Shape["types"] {
  return shape.items !== undefined || shape.prefixItems !== undefined ? ["array"] : ["object"];
}
