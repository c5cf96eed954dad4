import { type Json, matchesPattern, type Schema, sizeLimits } from "../../model/index.js";
import { patternSamples } from "../patterns/pattern-samples.js";
import { type SampleSource, take } from "./sample-source.js";

/** How many other values of one property are tried. */
const maxVariants = 20;

/** Names that are tried for properties that have none. */
const maxNames = 50;

type Fields = Readonly<Record<string, Json>>;

/** Objects of schemas: one with the required properties, then ones with more properties, then ones with other values. */
export function* objectSamples(layers: readonly Schema[], source: SampleSource): Generator<Json> {
  const { least = 0, most = Infinity } = sizeLimits("properties", layers);
  const properties = new Properties(layers, source);
  const { required } = properties;
  const build = (names: readonly string[]): Fields =>
    Object.fromEntries([...new Set(names)].map((name) => [name, properties.valueOf(name)] as const));
  const more = take(properties.otherNames(), Math.max(0, Math.min(least, maxNames) - required.length));
  const base = [...required, ...more];
  yield build(base);
  if (properties.hasTags) yield { ...build(base), ...properties.untagged() };
  const optional = properties.optional.filter((name) => properties.allows(name) && !base.includes(name));
  if (base.length < most) {
    yield build([...base, ...optional].slice(0, most));
    for (const name of optional) yield build([...base, name]);
    for (const name of take(properties.otherNames(), maxVariants)) yield build([...base, name]);
  }
  const plain = build(base);
  for (const name of base)
    for (const value of take(source.values(properties.schemasOf(name)), maxVariants)) yield { ...plain, [name]: value };
}

/** The properties that schemas describe together. */
class Properties {
  readonly #layers: readonly Schema[];
  readonly #source: SampleSource;
  /** The values of discriminators, by property. */
  readonly #tags: ReadonlyMap<string, string>;
  readonly required: readonly string[];
  /** The described properties that are not required. */
  readonly optional: readonly string[];

  constructor(layers: readonly Schema[], source: SampleSource) {
    this.#layers = layers;
    this.#source = source;
    this.#tags = discriminatorValues(layers);
    const described = layers.flatMap(({ properties = [] }) => properties);
    const omitted = new Set(described.filter((each) => source.isOmitted(each)).map(({ name }) => name));
    const names = [...new Set(described.map(({ name }) => name))].filter((name) => !omitted.has(name));
    const required = requiredNames(layers);
    const others = [...required].filter((name) => !omitted.has(name) && !names.includes(name));
    this.required = [...names.filter((name) => required.has(name)), ...others];
    this.optional = names.filter((name) => !required.has(name));
  }

  get hasTags(): boolean {
    return this.required.some((name) => this.#tags.has(name));
  }

  /** The values of tags without the discriminator, which need not allow its own values. */
  untagged(): Fields {
    const names = this.required.filter((name) => this.#tags.has(name));
    return Object.fromEntries(names.map((name) => [name, this.#source.first(this.schemasOf(name)).value] as const));
  }

  allows(name: string): boolean {
    return this.schemasOf(name).every(({ never }) => never === undefined) && this.#sampleOf(name).isValid;
  }

  valueOf(name: string): Json {
    return this.#tags.get(name) ?? this.#sampleOf(name).value;
  }

  #sampleOf(name: string): ReturnType<SampleSource["first"]> {
    const schemas = this.schemasOf(name);
    return schemas.length === 0 ? { value: "text", isValid: true } : this.#source.first(schemas);
  }

  /** All schemas that apply to a property. */
  schemasOf(name: string): readonly Schema[] {
    const stated = this.#layers.flatMap(({ properties = [], patternProperties = {}, additionalProperties }) => {
      const declared = properties.flatMap((each) => (each.name === name ? [each.schema] : []));
      const matching = Object.entries(patternProperties).flatMap(([pattern, schema]) =>
        matchesPattern(pattern, name) ? [schema] : [],
      );
      const applied = [...declared, ...matching];
      return applied.length > 0 || additionalProperties === undefined ? applied : [additionalProperties];
    });
    return stated.length > 0
      ? stated
      : this.#layers.flatMap(({ unevaluatedProperties }) => unevaluatedProperties ?? []);
  }

  /** Names of more properties that these schemas allow, the described ones first. */
  *otherNames(): Generator<string> {
    const patterns = this.#layers.flatMap(({ patternProperties = {} }) => Object.keys(patternProperties));
    const naming = this.#layers.flatMap(({ propertyNames }) => propertyNames ?? []);
    const text = { types: ["string"] as const };
    const sampled =
      naming[0] === undefined ? [] : this.#source.values([...naming, { ...text, origin: naming[0].origin }]);
    const numbered = Array.from({ length: maxNames }, (_, index) => `property${index + 1}`);
    const used = new Set(this.required);
    for (const names of [this.optional, sampled, patterns.flatMap(matchingNames), numbered])
      for (const name of names) {
        if (typeof name !== "string" || used.has(name)) continue;
        used.add(name);
        if (this.allows(name)) yield name;
      }
  }
}

/** Names that match a pattern, in several lengths, so that there are several. */
function matchingNames(pattern: string): readonly string[] {
  const lengths = Array.from({ length: 10 }, (_, index) => index);
  return lengths.flatMap((least) => patternSamples(pattern, { least, most: Infinity }));
}

/** The names that are required, also by other required ones. */
function requiredNames(layers: readonly Schema[]): ReadonlySet<string> {
  const names = new Set(
    layers.flatMap(({ required = [], properties = [] }) => [
      ...required,
      ...properties.filter((each) => each.required).map(({ name }) => name),
    ]),
  );
  // A set that grows while it is iterated also yields what was added.
  for (const name of names)
    for (const { dependentRequired = {} } of layers)
      if (Object.hasOwn(dependentRequired, name)) for (const each of dependentRequired[name] ?? []) names.add(each);
  return names;
}

/** The values by which discriminators select one of the schemas, the outermost one first. */
function discriminatorValues(layers: readonly Schema[]): ReadonlyMap<string, string> {
  const refs = layers.flatMap(({ ref }) => ref ?? []);
  return new Map(
    layers.flatMap(({ discriminator }) => {
      if (discriminator === undefined) return [];
      const { propertyName, mapping } = discriminator;
      const selected = refs.flatMap((ref) => mapping.filter(({ schema }) => schema === ref))[0];
      return selected === undefined ? [] : [[propertyName, selected.value] as const];
    }),
  );
}
