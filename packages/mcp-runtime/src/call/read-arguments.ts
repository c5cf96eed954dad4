import type { RequestArguments } from "@plumbline/client-runtime";
import { isLinearPattern, linearPattern } from "@plumbline/server-runtime/http/patterns";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { ToolData } from "../toolset.js";

/** Converts the arguments of a tool to a request, or returns what is wrong with them. */
export type ArgumentReader = (
  tool: ToolData,
  args: Readonly<Record<string, unknown>>,
) => { readonly request: RequestArguments } | { readonly issues: readonly string[] };

/** Creates a reader of arguments. It compiles the schema of a tool on its first call. */
export function createArgumentReader(): ArgumentReader {
  // Formats are for the API to check: it may accept more than their strict definitions.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    allErrors: true,
    logger: false,
    code: { regExp: matchPattern },
  });
  const validators = new WeakMap<ToolData, ValidateFunction>();
  return (tool, args) => {
    const validate = validators.get(tool) ?? ajv.compile(tool.inputSchema);
    validators.set(tool, validate);
    if (!validate(args)) return { issues: describeIssues(validate.errors ?? []) };
    return { request: toRequest(tool, args) };
  };
}

/**
 * Creates what matches a pattern in linear time: with `RegExp`, the text of a model could keep the server busy for ever. Patterns without such a
 * matcher, as those with backreferences, are for the API to check.
 */
const matchPattern = Object.assign(
  (source: string) => ({
    ...(isLinearPattern(source) ? linearPattern(source) : { source, test: () => true }),
    // Ajv identifies patterns by their text.
    toString: () => source,
  }),
  { code: "matchPattern" },
);

const maxIssues = 10;

function describeIssues(errors: readonly ErrorObject[]): readonly string[] {
  const issues = [...new Set(withoutOtherBranches(errors).map(describeIssue))];
  const rest = issues.length - maxIssues;
  return rest > 0 ? [...issues.slice(0, maxIssues), `and ${rest} more`] : issues;
}

/**
 * Of a union whose branches differ in constants, only the errors of the branch whose constants the value has: `kind: card` is a card, and what a
 * bank account lacks is no help.
 */
function withoutOtherBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const union of errors) {
    if (union.keyword !== "oneOf" && union.keyword !== "anyOf") continue;
    const branches = new Map<string, ErrorObject[]>();
    for (const error of errors) {
      if (!error.schemaPath.startsWith(`${union.schemaPath}/`)) continue;
      const index = error.schemaPath.slice(union.schemaPath.length + 1).split("/")[0] ?? "";
      branches.set(index, [...(branches.get(index) ?? []), error]);
    }
    const isOther = (branch: readonly ErrorObject[]): boolean =>
      branch.some(
        ({ keyword, instancePath }) =>
          keyword === "const" && instancePath.slice(union.instancePath.length).split("/").length === 2,
      );
    const others = [...branches.values()].filter(isOther);
    if (others.length === 0 || others.length !== branches.size - 1) continue;
    for (const error of [union, ...others.flat()]) dropped.add(error);
  }
  return errors.filter((each) => !dropped.has(each));
}

function describeIssue({ instancePath, keyword, params, message = "is not valid" }: ErrorObject): string {
  const place = instancePath === "" ? "the arguments" : `\`${instancePath.slice(1).replaceAll("/", ".")}\``;
  if (keyword === "additionalProperties")
    return `${place}: unknown property \`${String(params["additionalProperty"])}\``;
  if (keyword === "enum" && Array.isArray(params["allowedValues"]))
    return `${place} must be one of ${params["allowedValues"].map((value) => JSON.stringify(value)).join(", ")}`;
  return `${place} ${message}`;
}

function toRequest(tool: ToolData, args: Readonly<Record<string, unknown>>): RequestArguments {
  const request: Record<string, Record<string, unknown>> = {};
  for (const [argument, { in: place, name }] of Object.entries(tool.arguments))
    if (Object.hasOwn(args, argument) && args[argument] !== undefined)
      (request[place] ??= Object.create(null) as Record<string, unknown>)[name] = args[argument];
  const hasBody = args["body"] !== undefined && !Object.hasOwn(tool.arguments, "body");
  return {
    ...request,
    ...(hasBody ? { body: args["body"] } : {}),
    ...(hasBody && tool.contentType !== undefined ? { contentType: tool.contentType } : {}),
  };
}
