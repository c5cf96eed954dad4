import { childAt, isArray, isObject, ownField } from "../../http/index.js";

export interface ReferencedId {
  readonly id: unknown;
  readonly location: string;
}

const noIds: readonly ReferencedId[] = [];

/** Lists the ids that a body has for a reference, each with its location such as `disks.0`. Stops after `most` + 1 of them. */
export function findBodyReferences(
  body: unknown,
  pointer: readonly string[],
  most: number = Infinity,
): readonly ReferencedId[] {
  const field = pointer[0] ?? "";
  // The fast path: most optional references are absent.
  if (isObject(body) && field !== "*" && ownField(body, field) === undefined) return noIds;
  const ids: ReferencedId[] = [];
  collectIds(body, { depth: 0, location: "" }, { pointer, most, ids });
  return ids;
}

interface IdSearch {
  readonly pointer: readonly string[];
  readonly most: number;
  readonly ids: ReferencedId[];
}

function collectIds(
  value: unknown,
  { depth, location }: { readonly depth: number; readonly location: string },
  search: IdSearch,
): void {
  const { pointer, most, ids } = search;
  if (value === undefined || value === null || ids.length > most) return;
  if (depth === pointer.length) return void ids.push({ id: value, location });
  const collectAt = (key: string, child: unknown): void =>
    collectIds(child, { depth: depth + 1, location: location === "" ? key : `${location}.${key}` }, search);
  const token = pointer[depth] as string;
  if (token !== "*") return collectAt(token, childAt(value, token));
  if (isArray(value)) {
    for (let index = 0; index < value.length && ids.length <= most; index += 1) collectAt(String(index), value[index]);
  } else if (isObject(value)) for (const key of Object.keys(value)) collectAt(key, value[key]);
}
