import type { Case, Template } from "@plumbline/conformance-runtime";
import { type Operation, type Parameter, sizeLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { planRequest } from "../../requests/request-plan.js";
import { layersOfValue, statedKeyword, allowedTypes, type BodyField } from "../../values/body-fields.js";
import { validateTemplate } from "../../values/template-validation.js";

/** Cases of query parameters, except pagination and filters: bounds, types and enums. */
export function parameterCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const { pagination, parameters } = operation;
  const paging = new Set([pagination?.page, pagination?.size]);
  return parameters
    .filter(
      (each) =>
        each.in === "query" && !paging.has(each.name) && each.mediaType === undefined && !/filter/i.test(each.name),
    )
    .flatMap((each) => casesOf(context, operation, each));
}

function casesOf(context: ConformanceContext, operation: Operation, parameter: Parameter): readonly Case[] {
  const plan = planRequest(context, operation, { objects: "shared" });
  const { name, schema } = parameter;
  const field: BodyField = {
    pointer: [name],
    schema,
    layers: layersOfValue(context, schema),
    required: parameter.required,
    readOnly: false,
    requirements: [],
    isReference: parameter.reference !== undefined,
  };
  const stated = [...requirementIds(parameter.sources), ...requirementIds(schema.sources)];
  const requirements = stated.length === 0 ? requirementIds(operation.sources) : stated;
  const tried = (about: string, value: Template, says: string): readonly Case[] => {
    // In a query `7` is a number and a text.
    const isText = typeof value === "number" && allowedTypes(field).includes("string");
    const texts = isText ? [String(value)] : [];
    if ([value, ...texts].some((each) => validateTemplate(context, schema, each, "validated").length === 0)) return [];
    return [
      createCase(context, {
        operation,
        kind: allowedTypes(field).includes("string") ? "enums" : "types",
        idParts: ["query", name, about],
        title: `${name}: ${says} is rejected`,
        requirements,
        requires: plan.requires,
        exclusive: plan.exclusive,
        steps: [
          ...plan.setupSteps,
          { ...plan.call, query: { ...plan.call.query, [name]: value }, expect: { status: [400, 422] } },
        ],
      }),
    ];
  };
  const types = allowedTypes(field);
  const { least, most } = sizeLimits("number", field.layers);
  if (types.includes("integer") || types.includes("number"))
    return [
      ...tried("text", "text", "a text"),
      ...(types.includes("integer") ? tried("fraction", 1.5, "a number that is not an integer") : []),
      ...(least === undefined ? [] : tried(`less-than-${least}`, least - 1, `less than ${least}`)),
      ...(most === undefined ? [] : tried(`more-than-${most}`, most + 1, `more than ${most}`)),
    ];
  if (types.includes("boolean")) return tried("text", "text", "a text");
  if (statedKeyword(field, "enum") !== undefined)
    return tried("another-value", "plumbline-unknown", "a value that is not listed");
  return [];
}
