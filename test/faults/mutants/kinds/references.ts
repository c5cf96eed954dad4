import { isJsonObject, type Api, type Json } from "@plumbline/kit/model";
import { mentionsField, successOf } from "../messages.js";
import type { Memory, Mutant } from "../mutant.js";
import { idText } from "../overrides.js";
import { pick } from "../random.js";
import type { SchemaStatement } from "../statements.js";
import { definitionOf } from "./limits.js";
import { isError, mutantOf } from "./operations.js";
import { hasValidBody, hasValue, isOfValidation } from "./request-values.js";

/** A server that accepts ids of nothing. */
export function referenceMutants(api: Api, statement: SchemaStatement, seed: number): readonly Mutant[] {
  const { schema, requests, place, requirements } = statement;
  const use = pick(requests, seed, place);
  const { reference } = schema;
  if (reference === undefined || use === undefined || reference.onNotFound === "create") return [];
  const { operation, pointer } = use;
  const field = pointer.findLast((token) => token !== "*") ?? "";
  const notFound = reference.onNotFound === undefined ? undefined : definitionOf(api, operation, reference.onNotFound);
  return [
    mutantOf(
      { place, requirements, operations: [operation] },
      { kind: "reference", detail: `${operation.name}/${field} of nothing` },
      () => ({
        onResponse: (answer, call, proxy) => {
          const isUnknown = hasValue(
            call,
            { api, place },
            (value) => value !== undefined && value !== null && !isKnown(value, reference, proxy.memory),
          );
          if (!isUnknown || !isOfValidation(answer) || !hasValidBody(call, api)) return answer;
          const isMeant =
            notFound === undefined ? mentionsField(answer, field) : isError(api, { answer, call, error: notFound });
          return isMeant ? successOf(call, proxy) : answer;
        },
      }),
    ),
  ];
}

/** True when a response has shown the object that a value refers to. */
function isKnown(
  value: Json,
  { to, by = "id" }: { readonly to: string; readonly by?: string },
  { objects }: Memory,
): boolean {
  const those = objects.get(to);
  if (those === undefined) return false;
  if (by === "id") return those.has(idText(value) ?? "");
  return [...those.values()].some((each) => isJsonObject(each) && each[by] === value);
}
