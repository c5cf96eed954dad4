import {
  isJsonObject,
  type Json,
  maxTestedItems,
  maxTestedLength,
  type Schema,
  sizeLimits,
} from "../../model/index.js";
import { type SampleSource, take } from "./sample-source.js";

/** How many other values of one item are tried. */
const maxVariants = 20;

/** Lists of schemas: the shortest that has all items of a tuple, then longer ones, then ones with other items. */
export function* arraySamples(layers: readonly Schema[], source: SampleSource): Generator<Json> {
  const { least = 0, most = Infinity } = sizeLimits("items", layers);
  const prefix = Math.max(0, ...layers.map(({ prefixItems = [] }) => prefixItems.length));
  const contained = layers.flatMap(({ contains, minContains = 1 }) =>
    contains === undefined ? [] : [{ contains, count: minContains }],
  );
  const shortest = Math.max(least, ...contained.map(({ count }) => count));
  const schemasAt = (index: number): readonly Schema[] => [
    ...layers.flatMap(
      ({ prefixItems = [], items, unevaluatedItems }) => prefixItems[index] ?? items ?? unevaluatedItems ?? [],
    ),
    ...contained.flatMap(({ contains, count }) => (index < count ? [contains] : [])),
  ];
  const lengths = new Set([Math.min(Math.max(prefix, shortest), most), shortest, shortest + 1, shortest + 2]);
  const lists = [...lengths]
    .filter((length) => length <= most)
    .map((length) => listOf(length, { layers, schemasAt, source }));
  yield* lists;
  for (const list of lists)
    for (const [index] of list.slice(0, maxVariants).entries())
      for (const item of take(source.values(schemasAt(index)), maxVariants)) yield list.with(index, item);
}

interface ListContents {
  readonly layers: readonly Schema[];
  readonly schemasAt: (index: number) => readonly Schema[];
  readonly source: SampleSource;
}

/** A list of so many items. It is empty where it would be too large to be built: lists of lists multiply their lengths. */
function listOf(length: number, { layers, schemasAt, source }: ListContents): Json[] {
  const keys = distinctKeys(layers);
  const items: Json[] = [];
  const usedKeys = keys.map(() => new Set<string>());
  const isNew = (item: Json): boolean => keys.every((keyOf, index) => !usedKeys[index]?.has(keyOf(item)));
  if (length > maxTestedItems) return [];
  for (let index = 0; index < length; index += 1) {
    const schemas = schemasAt(index);
    const { value } = source.first(schemas);
    if (index === 1 && length * JSON.stringify(value).length > maxTestedLength) return [];
    const item = isNew(value) ? value : (firstOf(source.values(schemas), isNew) ?? value);
    for (const [position, keyOf] of keys.entries()) usedKeys[position]?.add(keyOf(item));
    items.push(item);
  }
  return items;
}

function firstOf(values: Iterable<Json>, isFit: (value: Json) => boolean): Json | undefined {
  for (const value of values) if (isFit(value)) return value;
  return undefined;
}

/** What no two items may share, as text: the whole item, or some of its fields. */
function distinctKeys(layers: readonly Schema[]): readonly ((item: Json) => string)[] {
  const fields = layers.flatMap(({ limits = [] }) =>
    limits.flatMap(({ kind, within, by = [] }) => (kind === "unique" && within === "array" ? [by] : [])),
  );
  return [
    ...(layers.some(({ uniqueItems }) => uniqueItems) ? [(item: Json) => JSON.stringify(item)] : []),
    ...fields.map(
      (names) => (item: Json) => JSON.stringify(isJsonObject(item) ? names.map((name) => item[name]) : item),
    ),
  ];
}
