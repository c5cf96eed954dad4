import * as fc from "fast-check";
import type { Api, Json, JsonType, Schema } from "../model.js";
import { fieldsOf, Forms, isChosen, requiredOf, typesOf, valuesOf, type Form } from "./forms.js";
import { breaking, within, type Break, type Made } from "./made.js";
import { listed, numbers, strings, wrongTypes } from "./scalars.js";

// Recursive schemas end here.
const deepest = 4;

/** Generates values that match schemas, and breaks them. */
export class Maker {
  readonly #forms: Forms;
  readonly #scopes: Api["scopeGrammar"];

  constructor(api: Api) {
    this.#forms = new Forms(api);
    this.#scopes = api.scopeGrammar;
  }

  /** Values that match the parts of a schema; constraints of `contains` and `not` on the complete value are ignored. */
  of(shape: Schema): fc.Arbitrary<Made> {
    return this.#fitting([shape], 0);
  }

  #fitting(shapes: readonly Schema[], depth: number): fc.Arbitrary<Made> {
    const forms = this.#forms.of(shapes);
    if (forms.length === 0) throw new Error("nothing fits this shape");
    return either(forms.map((form) => this.#ofForm(form, depth)));
  }

  #ofForm(form: Form, depth: number): fc.Arbitrary<Made> {
    const values = valuesOf(form);
    if (values !== undefined) return listed(values);
    const types = typesOf(form) ?? impliedTypes(form);
    if (types === undefined)
      return fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value: value as Json, breaks: none }));
    const wrong = wrongTypes(form);
    return either(
      types.map((type) =>
        this.#ofType(type, form, depth).map(({ value, breaks }) => ({ value, breaks: () => [...wrong, ...breaks()] })),
      ),
    );
  }

  #ofType(type: JsonType, form: Form, depth: number): fc.Arbitrary<Made> {
    switch (type) {
      case "null":
        return fc.constant({ value: null, breaks: none });
      case "boolean":
        return fc.boolean().map((value) => ({ value, breaks: none }));
      case "integer":
      case "number":
        return numbers(form, type === "integer");
      case "string":
        return strings(form, this.#scopes);
      case "array":
        return this.#lists(form, depth);
      case "object":
        return this.#objects(form, depth);
    }
  }

  #lists(form: Form, depth: number): fc.Arbitrary<Made> {
    const shapes = form.flatMap(({ items }) => items ?? []);
    const min = Math.max(0, ...form.map(({ minItems = 0 }) => minItems));
    const stated = Math.min(Infinity, ...form.map(({ maxItems = Infinity }) => maxItems));
    const limits = form.flatMap((shape) => shape.limits ?? []);
    const unique = limits.find((limit) => limit.kind === "unique" && limit.within === "array")?.by;
    const together = limits.find((limit) => limit.kind === "combined-length")?.max;
    const bounds = { minLength: min, maxLength: depth >= deepest ? min : Math.max(min, Math.min(stated, 3)) };
    const item = this.#fitting(shapes.length === 0 ? [anything] : shapes, depth + 1);
    const items =
      unique === undefined
        ? fc.array(item, bounds)
        : fc.uniqueArray(item, {
            ...bounds,
            selector: ({ value }) => JSON.stringify(unique.map((field) => (value as Fields)[field])),
          });
    return items.map((all) => {
      const value = all.map((each) => each.value);
      return { value, breaks: () => listBreaks(all, { min, most: stated, unique, together }) };
    });
  }

  #objects(form: Form, depth: number): fc.Arbitrary<Made> {
    const described = [...fieldsOf(form)];
    const isNever = (shapes: readonly Schema[]): boolean => shapes.some((shape) => shape.never);
    const required = requiredOf(form);
    const isShallow = depth < deepest;
    const fields = described.filter(
      ([name, shapes]) => !isNever(shapes) && (isShallow || required.has(name)) && this.#forms.of(shapes).length > 0,
    );
    const rules: ObjectRules = {
      form,
      required,
      optional: fields.map(([name]) => name).filter((name) => !required.has(name)),
      never: described
        .filter(([, shapes]) => shapes.some((shape) => shape.never && !isChosen(shape)))
        .map(([name]) => name),
      needs: form.flatMap(({ dependentRequired = {} }) => Object.entries(dependentRequired)),
    };
    const all = fc.record(
      Object.fromEntries(fields.map(([name, shapes]) => [name, this.#fitting(shapes, depth + 1)] as const)),
      { noNullPrototype: true },
    );
    const { optional } = rules;
    const wanted = fc.oneof(fc.constant<readonly string[]>([]), fc.constant(optional), {
      weight: 3,
      arbitrary: fc.subarray([...optional]),
    });
    return fc
      .tuple(all, wanted, isShallow ? this.#others(form, depth) : fc.constant([]))
      .map(([made, names, others]) => {
        const kept = new Set([...required, ...names]);
        settleNeeds(kept, rules, made);
        const parts = Object.fromEntries([
          ...fields.flatMap(([name]) =>
            kept.has(name) && made[name] !== undefined ? [[name, made[name]] as const] : [],
          ),
          ...others,
        ]);
        const value = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.value] as const));
        return { value, breaks: () => objectBreaks(parts, value, rules) };
      });
  }

  /** Fields that only a pattern of their name describes. */
  #others(form: Form, depth: number): fc.Arbitrary<readonly (readonly [string, Made])[]> {
    const patterned = form.flatMap(({ patternProperties = {} }) => Object.entries(patternProperties));
    const rest = form.flatMap(({ additionalProperties }) => additionalProperties ?? []);
    const names = form.flatMap(({ propertyNames }) => propertyNames ?? []);
    const described = fieldsOf(form);
    const entries = (keys: fc.Arbitrary<string>, shapes: readonly Schema[]) =>
      fc.uniqueArray(fc.tuple(keys, this.#fitting(shapes, depth + 1)), { maxLength: 3, selector: ([key]) => key });
    const [first] = patterned;
    if (first !== undefined) {
      const [pattern, shape] = first;
      return entries(fc.stringMatching(new RegExp(`${pattern}[a-z._]{0,12}$`, "u")), [shape]);
    }
    if (rest.length === 0 || rest.some((shape) => shape.never) || names.length > 0) return fc.constant([]);
    return entries(
      fc.string({ maxLength: 20 }).filter((name) => !described.has(name)),
      rest,
    );
  }
}

interface ListRules {
  readonly min: number;
  readonly most: number;
  /** Fields that have to differ between all items. */
  readonly unique: readonly string[] | undefined;
  readonly together: number | undefined;
}

function listBreaks(all: readonly Made[], { min, most, unique, together }: ListRules): readonly Break[] {
  const value = all.map((each) => each.value);
  const [first] = value;
  const breaks: Break[] = [];
  if (min > 0) breaks.push(breaking("too few", value.slice(0, min - 1)));
  if (most < Infinity && first !== undefined) {
    breaks.push({
      field: "",
      kind: "too many",
      value: () => Array.from({ length: most + 1 }, (_, index) => value[index] ?? first),
    });
  }
  if (unique !== undefined && first !== undefined && value.length > 1) {
    breaks.push(breaking("not unique", [first, first, ...value.slice(2)]));
  }
  if (together !== undefined && typeof first === "string") {
    const count = Math.floor(together / first.length) + 1;
    breaks.push({ field: "", kind: "too long together", value: () => Array.from({ length: count }, () => first) });
  }
  const inside = all.flatMap((each, index) =>
    each.breaks().map((one) => within(index, one, (broken) => value.with(index, broken))),
  );
  return [...breaks, ...inside];
}

const none = (): readonly Break[] => [];

type Fields = Readonly<Record<string, Json>>;

const anything: Schema = { types: [], origin: { file: "", pointer: "" } };

interface ObjectRules {
  readonly form: Form;
  readonly required: ReadonlySet<string>;
  readonly optional: readonly string[];
  readonly never: readonly string[];
  readonly needs: readonly (readonly [field: string, needed: readonly string[]])[];
}

/** Adds the fields that present ones require, or omits these if that is impossible. */
function settleNeeds(kept: Set<string>, { needs }: ObjectRules, made: Readonly<Record<string, Made>>): void {
  for (let before = -1; before !== kept.size;) {
    before = kept.size;
    for (const [field, needed] of needs) {
      if (!kept.has(field)) continue;
      if (needed.every((each) => made[each] !== undefined)) for (const each of needed) kept.add(each);
      else kept.delete(field);
    }
  }
}

function objectBreaks(
  parts: Readonly<Record<string, Made>>,
  value: Fields,
  { form, required, never, needs }: ObjectRules,
): readonly Break[] {
  const put = (name: string, broken: Json): Json => ({ ...value, [name]: broken });
  const dropped = (name: string): Json => Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
  const isNamed = (name: string): boolean => Object.hasOwn(value, name);
  const needed = needs.filter(([field]) => isNamed(field)).flatMap(([, names]) => names);
  const longest = Math.min(
    Infinity,
    ...form.flatMap(({ limits = [] }) =>
      limits.flatMap(({ kind, max }) => (kind === "serialized-length" ? (max ?? []) : [])),
    ),
  );
  const isClosed = form.some(({ propertyNames }) => propertyNames !== undefined);
  const breaks: Break[] = [
    ...[...required].map((name): Break => ({ field: name, kind: "required", value: () => dropped(name) })),
    ...[...required].map((name): Break => ({ field: name, kind: "required", value: () => put(name, null) })),
    ...needed
      .filter((name) => !required.has(name))
      .map((name): Break => ({ field: name, kind: "needs", value: () => dropped(name) })),
    ...never.map((name): Break => ({ field: name, kind: "never", value: () => put(name, "anything") })),
    ...(isClosed ? [{ field: "+never", kind: "name", value: () => put("+never", []) } satisfies Break] : []),
    ...(longest === Infinity
      ? []
      : [{ field: "", kind: "too long as JSON", value: () => put("longer", "x".repeat(longest)) } satisfies Break]),
    ...(form.some(({ minProperties = 0 }) => minProperties > 0) ? [breaking("too few", {})] : []),
  ];
  const inside = Object.entries(parts).flatMap(([name, part]) =>
    part.breaks().map((each) => within(name, each, (broken) => put(name, broken))),
  );
  return [...breaks, ...inside];
}

function impliedTypes(form: Form): readonly JsonType[] | undefined {
  if (form.some(({ properties, required, additionalProperties }) => properties ?? required ?? additionalProperties))
    return ["object"];
  if (form.some(({ items }) => items)) return ["array"];
  if (form.some(({ pattern, format, minLength, maxLength }) => pattern ?? format ?? minLength ?? maxLength))
    return ["string"];
  return undefined;
}

function either<T>(of: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  const [only, ...others] = of;
  return only !== undefined && others.length === 0 ? only : fc.oneof(...of);
}
