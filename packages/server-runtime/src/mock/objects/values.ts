import { isArray, isObject, ownField, safeAssign } from "../../http/index.js";
import type { MockValueSource, NestedValues } from "../mock-definition.js";
import type { Values } from "../store/stored-object.js";
import { evaluate, type MockRequest } from "./evaluation.js";

/**
 * The value of a source. Undefined if nothing determines it, as with a value that the platform chooses.
 *
 * @param index - Which value of an expression with `*` is meant. Default: all of them, as a list
 */
export function valueOf(source: MockValueSource, request: MockRequest, index?: number): unknown {
  if (source.kind === "value") return source.value;
  if (source.kind === "platform") return platformValue(source, request);
  if (source.kind === "ignore") return undefined;
  const values = evaluate(request, source.from);
  const isList = source.from.pointer.includes("*");
  const value = !isList ? values[0] : index === undefined ? values : values[index];
  if (typeof value !== "number") return value;
  const [less] = source.minus === undefined ? [] : evaluate(request, source.minus);
  return value * (source.times ?? 1) - (typeof less === "number" ? less : 0);
}

/** A value that the platform chooses: one like the sample, and a new one for each address. */
function platformValue(
  { sample, format }: Extract<MockValueSource, { readonly kind: "platform" }>,
  { mock }: MockRequest,
): unknown {
  if (format !== "ipv4") return copyOf(sample);
  const number = Number(mock.store.document("addresses") ?? 0) + 1;
  mock.store.setDocument("addresses", number);
  // The network that is set aside for tests of devices.
  return `198.18.${Math.floor(number / 250) % 256}.${(number % 250) + 1}`;
}

/** How many values the sources have that list one for each item. Undefined if none does. */
export function itemCount(
  sources: Readonly<Record<string, MockValueSource>>,
  request: MockRequest,
): number | undefined {
  const counts = Object.values(sources).flatMap((source) =>
    source.kind === "from" && source.from.pointer.includes("*") ? [evaluate(request, source.from).length] : [],
  );
  return counts.length === 0 ? undefined : Math.max(...counts);
}

/** The values with others at dotted paths. Undefined values change nothing. */
export function withValues(values: Values, changes: Readonly<Record<string, unknown>>): Values {
  return Object.entries(changes).reduce<Values>(
    (before, [field, value]) => (value === undefined ? before : withValueAt(before, field.split("."), value)),
    values,
  );
}

/** The values with one at a path. */
export function withValueAt(values: Values, [token, ...rest]: readonly string[], value: unknown): Values {
  if (token === undefined) return values;
  const inner = ownField(values, token);
  const changed: Record<string, unknown> = { ...values };
  safeAssign(changed, token, rest.length === 0 ? value : withValueAt(isObject(inner) ? inner : {}, rest, value));
  return changed;
}

/** The values with the required fields of the objects inside, such as those of items that a client sent. */
export function completeNested(values: Values, nested: readonly NestedValues[]): Values {
  return nested.reduce((before, { pointer, initial }) => completeAt(before, pointer, initial) as Values, values);
}

function completeAt(holder: unknown, [token, ...rest]: readonly string[], initial: Values): unknown {
  if (token === undefined) return isObject(holder) ? { ...copyOf(initial), ...holder } : holder;
  if (token === "*" && isArray(holder)) return holder.map((item) => completeAt(item, rest, initial));
  if (!isObject(holder)) return holder;
  const names = token === "*" ? Object.keys(holder) : [token].filter((each) => Object.hasOwn(holder, each));
  return names.reduce<Values>(
    (before, each) => withValueAt(before, [each], completeAt(holder[each], rest, initial)),
    holder,
  );
}

/** A copy of JSON data. */
export function copyOf<T>(value: T): T {
  if (isArray(value)) return value.map(copyOf) as T;
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) safeAssign(copy, key, copyOf(each));
  return copy as T;
}
