import { code, comment, name, typeImported, type Code } from "../emit/printer.js";
import type { Api, Discriminator, NamedShape, Property, Shape } from "../model/api.js";
import { describeShape } from "./describe.js";
import { isAny, mergedObject } from "./merge.js";
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
  readonly #shapes: ReadonlyMap<string, Shape>;

  constructor(api: Api) {
    this.#shapes = new Map(api.shapes.map((each) => [each.name, each.shape] as const));
  }

  /** The type of a shape, with the named types that it uses imported from `from`. */
  type(shape: Shape, from: string): Code {
    return this.#in((each) => typeImported(each, from)).type(shape).text;
  }

  /** The declaration of a named type: an interface where it is an object, which is what an editor then shows by name. */
  declaration({ name: typeName, shape }: NamedShape): Code {
    const { text, form } = this.#in(name).type(shape);
    const about = comment(describeShape(shape));
    return form === "members"
      ? code`${about}\nexport interface ${name(typeName)} ${text}`
      : code`${about}\nexport type ${name(typeName)} = ${text};`;
  }

  #in(refer: (name: string) => Code): Types {
    return new Types(this.#shapes, refer);
  }
}

/** The types of shapes in one file, in which named ones are referred to in one way. */
class Types {
  readonly #shapes: ReadonlyMap<string, Shape>;
  readonly #refer: (name: string) => Code;

  constructor(shapes: ReadonlyMap<string, Shape>, refer: (name: string) => Code) {
    this.#shapes = shapes;
    this.#refer = refer;
  }

  type(shape: Shape): Type {
    if (shape.never) return never;
    if (isAny(shape)) return unknown;
    if (shape.ref !== undefined) {
      const { ref, ...beside } = shape;
      const reference = named(this.#refer(ref));
      return isAny(beside) ? reference : intersection([reference, this.type(beside)]);
    }
    const values = shape.const === undefined ? shape.enum : [shape.const];
    if (values !== undefined) return union(values.map(literal));
    const merged = shape.allOf === undefined ? undefined : mergedObject(shape, this.#shapes);
    if (merged !== undefined) return this.type(merged);
    const { allOf = [], anyOf = [], oneOf = [], ...core } = shape;
    const parts = allOf.filter((branch) => !isAny(branch)).map((branch) => this.type(branch));
    for (const branches of [anyOf, oneOf]) {
      if (branches.every(isAny)) continue; // conditions only, such as `anyOf: [{required: [a]}, …]`
      parts.push(
        union(branches.map((branch) => tagged(branch, this.type(inherit(branch, core)), shape.discriminator))),
      );
    }
    if (!isAny(core) && !(isBareObject(core) && parts.length > 0)) parts.unshift(this.#core(core));
    return intersection(parts);
  }

  /** What a shape says by its types, items and properties. */
  #core(shape: Shape): Type {
    const types = shape.types.length > 0 ? shape.types : impliedTypes(shape);
    return union(
      types.map((type) => {
        if (type === "array") return this.#array(shape);
        if (type === "object") return this.#object(shape);
        return type === "string" && isBinary(shape) ? blob : scalars[type];
      }),
    );
  }

  /** A tuple only where its length is fixed; otherwise an array of whatever may be in it. */
  #array({ prefixItems: prefix, items, minItems, maxItems }: Shape): Type {
    if (prefix === undefined) return array(items === undefined ? unknown : this.type(items));
    const isClosed = items?.never === true || maxItems === prefix.length;
    const first = prefix.map((each) => this.type(each));
    if (isClosed && minItems === prefix.length) return tuple(first);
    const rest = isClosed ? [] : [items === undefined ? unknown : this.type(items)];
    const all = [...first, ...rest];
    return array(all.includes(unknown) ? unknown : union(all));
  }

  #object(shape: Shape): Type {
    if (shape.maxProperties === 0) return record(never);
    const properties = shape.properties ?? [];
    const undescribed = (shape.required ?? []).filter((each) => !properties.some((property) => property.name === each));
    const members = [
      ...properties.map((each) => this.#member(each, shape)),
      ...undescribed.map((each): Member => ({ name: each, required: true, type: unknown, comment: [] })),
    ];
    const { additionalProperties, patternProperties = {} } = shape;
    const additional = additionalProperties === undefined ? [] : [additionalProperties];
    const others = [...additional, ...Object.values(patternProperties)].filter((each) => !each.never);
    if (others.length === 0) return object(members, undefined);
    // An index signature has to fit the named properties as well; beside them it can only be `unknown`.
    const isOpen = members.length > 0 || others.some(isAny);
    return object(members, isOpen ? unknown : union(others.map((each) => this.type(each))));
  }

  #member(property: Property, { required = [] }: Shape): Member {
    const { name: member, shape } = property;
    return {
      name: member,
      required: required.includes(member),
      type: this.type(shape),
      comment: describeShape(shape),
    };
  }
}

/** A branch of a tagged union together with the tag that leads to it. */
function tagged(branch: Shape, printed: Type, discriminator: Discriminator | undefined): Type {
  const values = discriminator?.mapping.filter((each) => each.shape === branch.ref).map((each) => each.value) ?? [];
  if (discriminator === undefined || values.length === 0) return printed;
  const tag = { name: discriminator.property, required: true, type: union(values.map(literal)), comment: [] };
  return intersection([printed, object([tag], undefined)]);
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

function impliedTypes(shape: Shape): Shape["types"] {
  return shape.items !== undefined || shape.prefixItems !== undefined ? ["array"] : ["object"];
}

function isBinary(shape: Shape): boolean {
  return (
    shape.format === "binary" ||
    (shape.contentMediaType === "application/octet-stream" && shape.contentEncoding === undefined)
  );
}
