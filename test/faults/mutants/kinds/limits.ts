import {
  collectLimits,
  isJsonObject,
  type Api,
  type ErrorDefinition,
  type Json,
  type LimitKind,
} from "@plumbline/kit/model";
import { idOf, pathOf } from "../memory.js";
import { successOf } from "../messages.js";
import type { Mutant, MutantKind, Violation } from "../mutant.js";
import { placeOf, requirementsOf } from "../statements.js";
import { itemsOf, withItems } from "./lists.js";
import { isError, mutantOf } from "./operations.js";

/** Limits that the server does not keep. */
export function limitMutants(api: Api): readonly Mutant[] {
  return collectLimits(api).flatMap(({ limit }) => {
    const statement = { place: placeOf(limit.origin), requirements: requirementsOf(limit.sources) };
    if (limit.kind === "retention") return retention(api, statement);
    if (limit.error === undefined) return [];
    const stating = api.operations.filter(({ limits }) => limits.some(({ id }) => id === limit.id));
    const rejecting = api.operations.filter((each) => definitionOf(api, each, limit.error ?? "") !== undefined);
    const operations = stating.length > 0 ? stating : rejecting;
    if (operations.length === 0) return [];
    return [
      mutantOf({ ...statement, operations }, { kind: kinds[limit.kind], detail: `${limit.id}/not kept` }, () => ({
        onResponse: (answer, call, proxy) => {
          const error = definitionOf(api, call.operation, limit.error ?? "");
          return error !== undefined && isError(api, { answer, call, error }) ? successOf(call, proxy) : answer;
        },
      })),
    ];
  });
}

const kinds = {
  rate: "rate",
  "outcome-rate": "rate",
  concurrency: "concurrency",
  unique: "unique",
  "combined-length": "length limit",
  "serialized-length": "length limit",
  bytes: "length limit",
  retention: "retention",
} as const satisfies Record<LimitKind, MutantKind>;

/** The error of an operation with an id. */
export function definitionOf(
  api: Api,
  { errors }: { readonly errors: readonly ErrorDefinition[] },
  id: string,
): ErrorDefinition | undefined {
  return errors.find((each) => each.id === id) ?? api.errors.find((each) => each.id === id);
}

/** Items that have left a list are shown again, unless a request has deleted them. */
function retention(
  api: Api,
  statement: { readonly place: string; readonly requirements: readonly string[] },
): readonly Mutant[] {
  const pointer = statement.place;
  const resource = api.resources.findLast(({ origin }) =>
    pointer.startsWith(placeOf(origin).replace(/\/x-resource$/, "")),
  );
  const list = api.operations.find(({ name }) => name === resource?.list);
  const items = list === undefined ? undefined : itemsOf(api, list);
  if (list === undefined || items === undefined) return [];
  return [
    mutantOf(
      { ...statement, operations: [list] },
      { kind: "retention", detail: `${list.name}/kept for longer` },
      (): Violation => {
        const kept = new Map<string, Map<string, Json>>();
        return {
          onResponse: (answer, { request }) => {
            const key = `${request.headers["authorization"] ?? ""} ${pathOf(request.target)}`;
            const those = kept.get(key) ?? new Map<string, Json>();
            kept.set(key, those);
            return withItems(answer, items.name, (shown) => {
              for (const each of shown) if (isJsonObject(each)) those.set(idOf(each) ?? "", each);
              const ids = new Set(shown.map(idOf));
              return [...shown, ...[...those].flatMap(([id, each]) => (ids.has(id) ? [] : [each]))];
            });
          },
        };
      },
    ),
  ];
}
