import type { UserContext } from "@redocly/openapi-core";
import { NoInvalidParameterExamples } from "@redocly/openapi-core/lib/rules/common/no-invalid-parameter-examples.js";
import { NoInvalidSchemaExamples } from "@redocly/openapi-core/lib/rules/common/no-invalid-schema-examples.js";
import { ValidContentExamples } from "@redocly/openapi-core/lib/rules/oas3/no-invalid-media-type-examples.js";
import { isJsonObject } from "../../../model/index.js";
import type { RedoclyRule } from "./rules.js";
import { isSurelyValid, type ExampleContext } from "./surely-valid.js";

/** The rules that compile validators: only descriptions that are linted strictly load Ajv, and only doubtful examples reach it. */
export const exampleRules: Readonly<Record<string, RedoclyRule>> = {
  "no-invalid-media-type-examples": (settings) => ofDoubtful(ValidContentExamples(settings)),
  "no-invalid-parameter-examples": (settings) => ofDoubtful(NoInvalidParameterExamples(settings)),
  "no-invalid-schema-examples": (settings) => ofDoubtful(NoInvalidSchemaExamples(settings)),
};

type Leave = (node: Readonly<Record<string, unknown>>, context: UserContext) => void;

/** The visitors of a rule, for nodes that have another example than surely valid ones. */
function ofDoubtful(visitors: object, holders: readonly string[] = []): object {
  const entries = Object.entries(visitors).map(([key, visitor]: [string, unknown]) => {
    if (key === "leave" && typeof visitor === "function") return [key, leaveDoubtful(visitor as Leave, holders)];
    return [key, isJsonObject(visitor) ? ofDoubtful(visitor, [...holders, key]) : visitor];
  });
  return Object.fromEntries(entries);
}

function leaveDoubtful(leave: Leave, holders: readonly string[]): Leave {
  const isOfSchema = holders.includes("Schema");
  const direction = isOfSchema ? undefined : holders.includes("Response") ? "response" : "request";
  return (node, context) => {
    const resolve: ExampleContext["resolve"] = (reference, file) => {
      const { node: target, location } = context.resolve<object>({ $ref: reference }, file);
      return location && { node: target, file: location.source.absoluteRef };
    };
    const schema = isOfSchema ? node : node["schema"];
    const place = { file: context.location.source.absoluteRef, resolve, direction } as const;
    if (!examplesOf(node).every((value) => isSurelyValid(schema, value, place))) leave(node, context);
  };
}

/** The values of `example` and `examples`; undefined for one that has another form. */
function examplesOf({ example, examples }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const one = example === undefined ? [] : [example];
  if (Array.isArray(examples)) return [...one, ...examples];
  return [
    ...one,
    ...Object.values(examples ?? {}).map((each: unknown) =>
      isJsonObject(each) && !("dataValue" in each) ? each["value"] : undefined,
    ),
  ];
}
