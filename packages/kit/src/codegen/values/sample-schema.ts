import {
  assertions,
  type Api,
  type Json,
  type JsonType,
  memoizeByKey,
  type Property,
  type Schema,
} from "../../model/index.js";
import { arraySamples } from "./array-samples.js";
import { evaluateSchema } from "./evaluate-schema.js";
import { numberSamples } from "./number-samples.js";
import { objectSamples } from "./object-samples.js";
import { intersectSchemas, type Sample, type SampleSource, take } from "./sample-source.js";
import { schemaForms, unconditionalParts } from "./schema-forms.js";
import { textSamples } from "./text-samples.js";

/** What the users of samples choose. */
export interface SampleOptions {
  /** Which properties are left out: those that only responses have, or only requests. Default: none. */
  readonly without?: "readOnly" | "writeOnly";
  /** The value of a schema that allows every value. Default: an empty object. */
  readonly anything?: Json;
  /** Returns the value of a schema where its user knows a better one, such as one that no other object has. */
  readonly stated?: (schema: Schema) => Json | undefined;
  /** Returns how a value of the description is written, where values are more than JSON. */
  readonly literal?: (value: Json) => Json;
  /** Whether a value is valid. Default: whether it meets all keywords of the schema. */
  readonly isValid?: (schema: Schema, value: Json) => boolean;
}

/**
 * Creates a small value that meets all keywords of a schema together: the first valid example, default or enum value of the description,
 * otherwise one with the required properties, the smallest numbers from 1 and the shortest lists.
 *
 * @param options - What its user chooses. Values are cached for each such object.
 * @returns The value, and whether it is valid. Where no valid value was found, it is the nearest try.
 * @example
 * ```ts
 * const { value, isValid } = sampleSchema(api, content.schema);
 * ```
 */
export function sampleSchema(api: Api, schema: Schema, options: SampleOptions = plainOptions): Sample {
  return samplers(api, options, () => new Sampler(api, options)).sample(schema);
}

const plainOptions: SampleOptions = {};

const samplers = memoizeByKey<SampleOptions, Sampler>();

/** Values that are tried for one sample: a bound of the work where no value is valid. */
const maxTries = 600;
const maxForms = 40;
/** Deeper values are not found. */
const maxDepth = 24;
/** Values of each form that are tried before the others of any form. */
const firstTries = 3;

class Sampler {
  readonly #api: Api;
  readonly #options: SampleOptions;
  readonly #known = new Map<string, Sample>();
  readonly #numbers = new WeakMap<Schema, number>();
  #lastNumber = 0;
  #tries = 0;
  /** Whether a schema within itself ended a search, so that its result holds there only. */
  #isCut = false;

  constructor(api: Api, options: SampleOptions) {
    this.#api = api;
    this.#options = options;
  }

  sample(schema: Schema): Sample {
    this.#tries = 0;
    return this.#first([schema], []);
  }

  #first(schemas: readonly Schema[], within: readonly string[]): Sample {
    const key = this.#keyOf(schemas);
    const cached = this.#known.get(key);
    if (cached !== undefined) return cached;
    const wasCut = this.#isCut;
    this.#isCut = false;
    const sample = this.#search(schemas, within);
    if (sample.isValid || !this.#isCut) this.#known.set(key, sample);
    this.#isCut ||= wasCut;
    return sample;
  }

  #search(schemas: readonly Schema[], within: readonly string[]): Sample {
    let nearest: Json | undefined;
    for (const value of this.#candidates(schemas, within)) {
      if (this.#isValid(schemas, value)) return { value, isValid: true };
      nearest ??= value;
    }
    return { value: nearest ?? emptyValue(unconditionalParts(this.#api, schemas)), isValid: false };
  }

  *#values(schemas: readonly Schema[], within: readonly string[]): Generator<Json> {
    const texts = new Set<string>();
    for (const value of this.#candidates(schemas, within)) {
      const text = JSON.stringify(value);
      if (texts.has(text) || !this.#isValid(schemas, value)) continue;
      texts.add(text);
      yield value;
    }
  }

  #isValid(schemas: readonly Schema[], value: Json): boolean {
    const { isValid = (schema, each) => evaluateSchema(this.#api, schema, each).length === 0 } = this.#options;
    return schemas.every((schema) => isValid(schema, value));
  }

  /** Values that may be valid, null last. */
  *#candidates(schemas: readonly Schema[], within: readonly string[]): Generator<Json> {
    const key = this.#keyOf(schemas);
    this.#tries += 1;
    if (within.includes(key) || within.length >= maxDepth || this.#tries > maxTries) {
      this.#isCut = true;
      return;
    }
    let hasNull = false;
    for (const value of this.#unorderedCandidates(schemas, [...within, key])) {
      this.#tries += 1;
      if (this.#tries > maxTries) {
        this.#isCut = true;
        break;
      }
      if (value === null) hasNull = true;
      else yield value;
    }
    if (hasNull) yield null;
  }

  *#unorderedCandidates(schemas: readonly Schema[], within: readonly string[]): Generator<Json> {
    const always = unconditionalParts(this.#api, schemas);
    const [constant] = always.flatMap((part) => (part.const === undefined ? [] : [part.const]));
    const stated =
      constant === undefined && schemas.length > 0 ? this.#options.stated?.(intersectSchemas(schemas)) : undefined;
    if (stated !== undefined) yield stated;
    yield* this.#statedValues(always);
    if (constant !== undefined || always.some((part) => part.enum !== undefined)) return;
    const begun: Generator<Json>[] = [];
    for (const form of take(schemaForms(this.#api, schemas), maxForms)) {
      const values = this.#formCandidates(form, { always: new Set(always), within });
      begun.push(values);
      for (let count = 0; count < firstTries; count += 1) {
        const next = values.next();
        if (next.done === true) break;
        yield next.value;
      }
    }
    for (const values of begun) yield* values;
  }

  /** What the description states: the constant, or else examples, defaults and enum values. */
  *#statedValues(parts: readonly Schema[]): Generator<Json> {
    const { literal = (value) => value } = this.#options;
    for (const value of parts.flatMap((part) => (part.const === undefined ? [] : [part.const]))) yield literal(value);
    for (const value of parts.flatMap(({ examples = [] }) => examples)) yield literal(value);
    for (const value of parts.flatMap((part) => (part.default === undefined ? [] : [part.default])))
      yield literal(value);
    for (const value of parts.flatMap((part) => part.enum ?? [])) yield literal(value);
  }

  *#formCandidates(
    form: readonly Schema[],
    { always, within }: { readonly always: ReadonlySet<Schema>; readonly within: readonly string[] },
  ): Generator<Json> {
    const branches = form.filter((part) => !always.has(part));
    yield* this.#statedValues(branches);
    if (branches.some((part) => part.const !== undefined || part.enum !== undefined)) return;
    const source: SampleSource = {
      first: (schemas) => this.#first(schemas, within),
      values: (schemas) => this.#values(schemas, within),
      isOmitted: (property) => this.#isOmitted(property),
    };
    const types = typesOf(form);
    for (const type of types ?? restrictedTypes(form)) yield* samplesByType[type](form, source);
    if (types === undefined)
      yield* [this.#options.anything ?? {}, "text", 1, true, [], null, { property1: "text" }, ["text"]];
  }

  #isOmitted(property: Property): boolean {
    const { without } = this.#options;
    return without !== undefined && property[without];
  }

  /** The same schemas have the same key. */
  #keyOf(schemas: readonly Schema[]): string {
    return schemas.map((schema) => this.#numberOf(schema)).join(" ");
  }

  #numberOf(schema: Schema): number {
    const number = this.#numbers.get(schema);
    if (number !== undefined) return number;
    this.#lastNumber += 1;
    this.#numbers.set(schema, this.#lastNumber);
    return this.#lastNumber;
  }
}

const samplesByType = {
  object: objectSamples,
  array: arraySamples,
  string: textSamples,
  integer: (parts) => numberSamples(parts, true),
  number: (parts) => numberSamples(parts, false),
  boolean: () => [true, false],
  null: () => [null],
} as const satisfies Record<JsonType, (parts: readonly Schema[], source: SampleSource) => Iterable<Json>>;

/** The types that all parts allow, in the order in which the first states them. Undefined where none states any. */
function typesOf(parts: readonly Schema[]): readonly JsonType[] | undefined {
  const stated = parts.flatMap(({ types }) => (types.length === 0 ? [] : [types]));
  const [first, ...others] = stated;
  return first === undefined
    ? undefined
    : others.reduce((allowed, types) => allowed.flatMap((type) => commonType(type, types)), first);
}

function commonType(type: JsonType, types: readonly JsonType[]): readonly JsonType[] {
  if (types.includes(type) || (type === "integer" && types.includes("number"))) return [type];
  return type === "number" && types.includes("integer") ? ["integer"] : [];
}

/** The types whose values the keywords of schemas without types restrict. */
function restrictedTypes(parts: readonly Schema[]): readonly JsonType[] {
  const structure = {
    object: ["properties", "required", "additionalProperties", "patternProperties"],
    array: ["items", "prefixItems", "contains"],
    string: [],
    number: [],
  } as const satisfies { readonly [Type in JsonType]?: readonly (keyof Schema)[] };
  return (["object", "array", "string", "number"] as const).filter((type) => {
    const keywords = [
      ...structure[type],
      ...assertions.filter(({ types }) => types[0] === type).map(({ name }) => name),
    ];
    return keywords.some((keyword) => parts.some((part) => part[keyword] !== undefined));
  });
}

/** A value of the first type, for a schema that no value fits. */
function emptyValue(parts: readonly Schema[]): Json {
  const [type] = typesOf(parts) ?? [];
  if (type === "object") return {};
  if (type === "array") return [];
  if (type === "string") return "text";
  return type === "integer" || type === "number" ? 1 : type === "boolean" ? true : null;
}
