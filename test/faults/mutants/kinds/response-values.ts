import type { Json } from "@plumbline/kit/model";
import { withBody } from "../../proxy.js";
import { responseKinds, violableKeywords } from "../invalid-values.js";
import { jsonOf } from "../messages.js";
import type { Mutant, MutantKind, Violation } from "../mutant.js";
import { placeOf, type SchemaStatement } from "../statements.js";
import { visitResponse, type VisitedValue } from "../visit-values.js";

/** Violations of a schema by the values of responses, in all operations that show them. */
export function responseMutants(statement: SchemaStatement): readonly Mutant[] {
  const { responses, errors, schema, property } = statement;
  if (responses.length + errors.length === 0) return [];
  const ofKeywords = violableKeywords(schema).map(({ keyword, kind, violate }) =>
    mutantOf(statement, { kind: responseKinds[kind], detail: keyword }, ({ value, set }) => {
      const wrong = value === undefined ? undefined : violate(value ?? valueOf(schema));
      if (wrong === undefined) return false;
      set(wrong);
      return true;
    }),
  );
  return [
    ...ofKeywords,
    ...(property?.required === true && schema.visibility === undefined ? [missing(statement)] : []),
    ...secrets(statement),
  ];
}

/** A value of a schema, for a place that shows only null. */
function valueOf({ types }: SchemaStatement["schema"]): Json {
  if (types.includes("string")) return "x";
  if (types.includes("integer") || types.includes("number")) return 1;
  if (types.includes("array")) return ["x"];
  return types.includes("object") ? {} : null;
}

function missing(statement: SchemaStatement): Mutant {
  return mutantOf(statement, { kind: "response required", detail: "missing" }, ({ value, property, set }) => {
    if (value === undefined || property?.required !== true) return false;
    set(undefined);
    return true;
  });
}

interface Detail {
  readonly kind: MutantKind;
  readonly detail: string;
}

/** Changes every value of the statement. Returns whether it did. */
function mutantOf(
  { place, requirements, responses, errors }: SchemaStatement,
  { kind, detail }: Detail,
  change: (visited: VisitedValue) => boolean,
): Mutant {
  return {
    id: `${kind}/${place}/${detail}`,
    kind,
    requirements,
    operations: [...new Set([...responses, ...errors].map(({ operation }) => operation.name))],
    description: `responses violate \`${detail}\``,
    start: (): Violation => ({
      onResponse: (answer, { operation }, { api }) => {
        const body = jsonOf(answer);
        if (body === undefined) return answer;
        let isChanged = false;
        const next = visitResponse(api, { operation, status: answer.status, body }, (visited) => {
          if (placeOf(visited.schema.origin) === place && change(visited)) isChanged = true;
        });
        return isChanged ? withBody(answer, next) : answer;
      },
    }),
  };
}

/** A value that only requests have, or that is shown once, is shown in every response. */
function secrets(statement: SchemaStatement): readonly Mutant[] {
  const { schema, responses, place, requirements } = statement;
  // A value that one operation alone shows is hidden nowhere.
  if (schema.visibility === undefined || new Set(responses.map(({ operation }) => operation)).size < 2) return [];
  return [
    {
      id: `visibility/${place}/always`,
      kind: schema.visibility.secret === true ? "secret" : "visibility",
      requirements,
      operations: [...new Set(responses.map(({ operation }) => operation.name))],
      description: "the value is shown where it must be hidden",
      start: (): Violation => {
        let shown: VisitedValue["value"];
        return {
          onResponse: (answer, { operation }, { api }) => {
            const body = jsonOf(answer);
            if (body === undefined) return answer;
            let isChanged = false;
            const next = visitResponse(
              api,
              { operation, status: answer.status, body },
              ({ schema: at, value, set }) => {
                if (placeOf(at.origin) !== place) return;
                const isHidden =
                  value === undefined ||
                  value === null ||
                  (typeof value === "string" && value.length < lengthOf(shown));
                if (!isHidden) {
                  shown = value;
                  return;
                }
                set(shown ?? "a-secret-that-has-to-be-hidden");
                isChanged = true;
              },
            );
            return isChanged ? withBody(answer, next) : answer;
          },
        };
      },
    },
  ];
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}
