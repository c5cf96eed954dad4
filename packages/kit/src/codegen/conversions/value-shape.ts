import { allOf, keyOf, type ConverterNode } from "./converter-node.js";

/** What values a schema allows, as far as converters depend on it. */
export interface ValueShape {
  /** True if the type says nothing about values. */
  readonly isAny: boolean;
  readonly converter: ConverterNode | undefined;
  /** The keys of the converters of texts, numbers and arrays that it allows. Empty keys: unchanged. No key: none of these. */
  readonly strings: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly arrays: ReadonlySet<string>;
  /** One for each alternative. */
  readonly objects: readonly ObjectShape[];
  /** True if the type is printed without conversions, since they are ambiguous. */
  readonly isRaw: boolean;
}

export interface ObjectShape {
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Other properties: forbidden, of an unknown type, or with the converter of this key. */
  readonly others: "closed" | "unknown" | { readonly key: string };
  /** The converter of all of it. */
  readonly converter: ConverterNode | undefined;
}

export interface FieldShape {
  readonly isAny: boolean;
  readonly isRequired: boolean;
  /** The key of its converter. */
  readonly key: string;
  /** The texts that it may be, if these are all. */
  readonly constants: readonly string[] | undefined;
}

const none: ReadonlySet<string> = new Set();

export const emptyShape: ValueShape = {
  isAny: false,
  converter: undefined,
  strings: none,
  numbers: none,
  arrays: none,
  objects: [],
  isRaw: false,
};

export const anyShape: ValueShape = { ...emptyShape, isAny: true };

/** Returns the shape with JSON's own types everywhere. */
export function toRaw(shape: ValueShape): ValueShape {
  const plain = (keys: ReadonlySet<string>): ReadonlySet<string> => (keys.size > 0 ? new Set([""]) : none);
  return {
    ...shape,
    isRaw: true,
    converter: undefined,
    strings: plain(shape.strings),
    numbers: plain(shape.numbers),
    arrays: plain(shape.arrays),
    objects: shape.objects.map(({ fields, others }) => ({
      converter: undefined,
      others: typeof others === "string" ? others : { key: "" },
      fields: new Map([...fields].map(([name, field]) => [name, { ...field, key: "" }])),
    })),
  };
}

/** The alternatives of a discriminator: the converter of each value. */
export type TagOf = (branch: number) => readonly string[];

/** Returns the shape of values that match one of the branches. `mapped` has the values of a discriminator that select each branch. */
export function uniteShapes(
  branches: readonly ValueShape[],
  mapped?: { readonly tag: string; readonly valuesOf: TagOf },
): ValueShape {
  const joined = joinShapes(branches);
  if (branches.every(({ converter }) => converter === undefined)) return joined;
  const isMixed = (keys: ReadonlySet<string>): boolean => keys.size > 1;
  if (joined.isAny || isMixed(joined.strings) || isMixed(joined.numbers) || isMixed(joined.arrays))
    return toRaw(joined);
  const objects = branches.flatMap((each, index) => (each.objects.length > 0 ? [{ ...each, index }] : []));
  const others = branches.filter((each) => each.objects.length === 0).map(({ converter }) => converter);
  if (objects.every((each) => each.objects.every(({ converter }) => converter === undefined)))
    return { ...joined, converter: allOf(branches.map(({ converter }) => converter)) };
  if (objects.length < 2) return { ...joined, converter: allOf(branches.map(({ converter }) => converter)) };
  const isOnlyObject = objects.every(({ strings, numbers, arrays }) => strings.size + numbers.size + arrays.size === 0);
  const tagged = isOnlyObject ? (mappedTag(objects, mapped) ?? constantTag(objects)) : undefined;
  if (tagged !== undefined) return { ...joined, converter: allOf([...others, tagged]) };
  const all = objects.flatMap((each) => each.objects.map((object) => ({ object, branch: each.index })));
  const fits = new Set(
    all.map(({ object, branch }) =>
      fitAmong(
        object,
        all.filter((each) => each.branch !== branch).map((each) => each.object),
      ),
    ),
  );
  if (fits.has("conflict")) return toRaw(joined);
  const together = allOf(objects.map(({ converter }) => converter));
  const converter: ConverterNode | undefined =
    fits.has("lenient") && together !== undefined ? { kind: "lenient", of: together } : together;
  return { ...joined, converter: allOf([...others, converter]) };
}

function joinShapes(shapes: readonly ValueShape[]): ValueShape {
  const join = (pick: (shape: ValueShape) => ReadonlySet<string>): ReadonlySet<string> =>
    new Set(shapes.flatMap((each) => [...pick(each)]));
  return {
    ...emptyShape,
    isAny: shapes.some(({ isAny }) => isAny),
    strings: join(({ strings }) => strings),
    numbers: join(({ numbers }) => numbers),
    arrays: join(({ arrays }) => arrays),
    objects: shapes.flatMap(({ objects }) => objects),
  };
}

type Indexed = ValueShape & { readonly index: number };

function mappedTag(
  branches: readonly Indexed[],
  mapped: { readonly tag: string; readonly valuesOf: TagOf } | undefined,
): ConverterNode | undefined {
  if (mapped === undefined) return undefined;
  return tagNode(mapped.tag, branches, (branch) => mapped.valuesOf(branch.index));
}

/** A property that each branch requires, with other constants in each. */
function constantTag(branches: readonly Indexed[]): ConverterNode | undefined {
  const [first] = branches;
  for (const name of first?.objects[0]?.fields.keys() ?? []) {
    const node = tagNode(name, branches, ({ objects }) => {
      const tags = objects.map((each) => each.fields.get(name));
      const isTag = tags.every((each) => each?.isRequired === true && each.constants !== undefined);
      return isTag ? tags.flatMap((each) => each?.constants ?? []) : [];
    });
    if (node !== undefined) return node;
  }
  return undefined;
}

function tagNode(
  tag: string,
  branches: readonly Indexed[],
  valuesOf: (branch: Indexed) => readonly string[],
): ConverterNode | undefined {
  const listed = branches.map((branch) => ({ branch, values: [...new Set(valuesOf(branch))] }));
  const all = listed.flatMap(({ values }) => values);
  if (listed.some(({ values }) => values.length === 0) || new Set(all).size < all.length) return undefined;
  const variants = listed.flatMap(({ branch: { converter }, values }) =>
    converter === undefined ? [] : values.map((value) => [value, converter] as const),
  );
  return { kind: "tag", tag, variants };
}

/** How the converter of an object treats objects of the other alternatives, which the description does not distinguish. */
function fitAmong(object: ObjectShape, others: readonly ObjectShape[]): "fits" | "lenient" | "conflict" {
  let fit: "fits" | "lenient" = "fits";
  for (const other of others) {
    if (typeof object.others === "object" && object.others.key !== "") {
      const isSame = typeof other.others === "object" && other.others.key === object.others.key;
      if (!isSame || other.fields.size > 0) return "conflict";
    }
    for (const [name, { key }] of object.fields) {
      if (key === "") continue;
      const same = other.fields.get(name);
      if (same === undefined ? typeof other.others === "object" && other.others.key !== key : same.key !== key)
        return "conflict";
      if (same === undefined && other.others === "unknown") fit = "lenient";
    }
  }
  return fit;
}

/** Returns the shape of values that match all parts. */
export function intersectShapes(parts: readonly ValueShape[]): ValueShape {
  const shapes = parts.filter(({ isAny }) => !isAny);
  const [only] = shapes;
  if (only === undefined) return anyShape;
  if (shapes.length === 1) return only;
  const common = (pick: (shape: ValueShape) => ReadonlySet<string>): ReadonlySet<string> =>
    shapes.some((each) => pick(each).size === 0) ? none : new Set(shapes.flatMap((each) => [...pick(each)]));
  const converter = allOf(shapes.map((each) => each.converter));
  const objects = shapes.some((each) => each.objects.length === 0)
    ? []
    : combine(
        shapes.map((each) => each.objects),
        converter,
      );
  const joined: ValueShape = {
    ...emptyShape,
    strings: common(({ strings }) => strings),
    numbers: common(({ numbers }) => numbers),
    arrays: common(({ arrays }) => arrays),
    objects: objects ?? [],
    converter,
  };
  if (converter === undefined) return joined;
  const isMixed = [joined.strings, joined.numbers, joined.arrays].some(({ size }) => size > 1);
  const isClash = shapes.some((part, index) =>
    shapes.some(
      (other, at) => at !== index && part.objects.some((each) => other.objects.some((beside) => clashes(each, beside))),
    ),
  );
  return objects === undefined || isMixed || isClash ? toRaw(joined) : joined;
}

/** True if both apply to a property, and say differently what it is. */
function clashes(object: ObjectShape, other: ObjectShape): boolean {
  const converts = typeof object.others === "object" && object.others.key !== "";
  if (converts && (other.fields.size > 0 || (typeof other.others === "object" && keyIn(other) !== keyIn(object))))
    return true;
  return [...object.fields].some(([name, { key }]) => {
    if (key === "") return false;
    const same = other.fields.get(name);
    if (same === undefined) return typeof other.others === "object" && other.others.key !== key;
    return !same.isAny && same.key !== key;
  });
}

function keyIn({ others }: ObjectShape): string {
  return typeof others === "object" ? others.key : "";
}

/** Every choice of one alternative of each part. Undefined for too many. */
function combine(
  parts: readonly (readonly ObjectShape[])[],
  converter: ConverterNode | undefined,
): readonly ObjectShape[] | undefined {
  let all: readonly ObjectShape[] = [{ fields: new Map(), others: "unknown", converter }];
  for (const part of parts) {
    if (all.length * part.length > 64) return undefined;
    all = all.flatMap((each) =>
      part.map((more) => ({
        converter,
        others: more.others === "unknown" ? each.others : more.others,
        fields: new Map([
          ...each.fields,
          ...[...more.fields].map(([name, field]) => [name, mergeField(each.fields.get(name), field)] as const),
        ]),
      })),
    );
  }
  return all;
}

function mergeField(one: FieldShape | undefined, other: FieldShape): FieldShape {
  if (one === undefined) return other;
  return {
    isAny: one.isAny && other.isAny,
    isRequired: one.isRequired || other.isRequired,
    key: other.key === "" ? one.key : other.key,
    constants: other.constants ?? one.constants,
  };
}

/** The shape of a text, a number or an array. */
export function keyedShape(kind: "strings" | "numbers" | "arrays", converter: ConverterNode | undefined): ValueShape {
  return { ...emptyShape, converter, [kind]: new Set([keyOf(converter)]) };
}
