import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Operation, Parameter } from "../model/api.js";
import { least, most, said, typesOf, type BodyField } from "./body-fields.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { misfitsOf } from "./judge.js";
import { alwaysOf } from "./layers.js";
import { planOf } from "./plans.js";

/** Cases of query parameters, except pagination and filters: bounds, types and enums. */
export function parameterCases(context: Context, operation: Operation): readonly Case[] {
  const { pagination, parameters } = operation;
  const own = new Set([pagination?.page, pagination?.size]);
  return parameters
    .filter(
      (each) =>
        each.in === "query" && !own.has(each.name) && each.mediaType === undefined && !/filter/i.test(each.name),
    )
    .flatMap((each) => casesOf(context, operation, each));
}

function casesOf(context: Context, operation: Operation, parameter: Parameter): readonly Case[] {
  const plan = planOf(context, operation, { objects: "shared" });
  const { name, shape } = parameter;
  const field: BodyField = {
    pointer: [name],
    shape,
    parts: alwaysOf(context, shape),
    required: parameter.required,
    readOnly: false,
    requirements: [],
    isReference: parameter.reference !== undefined,
  };
  const stated = [...requirementsOf(parameter.sources), ...requirementsOf(shape.sources)];
  const requirements = stated.length === 0 ? requirementsOf(operation.sources) : stated;
  const tried = (about: string, value: Template, says: string): readonly Case[] => {
    if (misfitsOf(context, shape, value, "judged").length === 0) return [];
    return [
      caseOf(context, {
        operation,
        kind: typesOf(field).includes("string") ? "enums" : "types",
        about: ["query", name, about],
        title: `${name}: ${says} is rejected`,
        requirements,
        needs: plan.needs,
        alone: plan.alone,
        steps: [
          ...plan.before,
          { ...plan.call, query: { ...plan.call.query, [name]: value }, expect: { status: [400, 422] } },
        ],
      }),
    ];
  };
  const types = typesOf(field);
  const minimum = least(field, "minimum");
  const maximum = most(field, "maximum");
  if (types.includes("integer") || types.includes("number"))
    return [
      ...tried("text", "text", "a text"),
      ...(types.includes("integer") ? tried("fraction", 1.5, "a number that is not an integer") : []),
      ...(minimum === undefined ? [] : tried(`less-than-${minimum}`, minimum - 1, `less than ${minimum}`)),
      ...(maximum === undefined ? [] : tried(`more-than-${maximum}`, maximum + 1, `more than ${maximum}`)),
    ];
  if (types.includes("boolean")) return tried("text", "text", "a text");
  if (said(field, "enum") !== undefined)
    return tried("another-value", "plumbline-unknown", "a value that is not listed");
  return [];
}
