import { readSearchParams, maxQueryLength, readQuery } from "../decode/query.js";
import { headerParameters, plainParameters, type RawParameters } from "../decode/raw-parameters.js";
import { IssueCollector } from "../issues/issue-collector.js";
import type { Conversion, Issues } from "../issues/issues.js";
import type { ValidationIssue } from "../issues/validation-issue.js";
import type {
  BodyDefinition,
  ContentDefinition,
  OperationDefinition,
  ParameterDefinition,
} from "../operation-definition.js";
import { safeAssign } from "../values/safe-assign.js";

export type ValidationResult<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** Encoded parameters and a parsed body. */
export interface RawInput {
  /** Decoded values by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query of a URL, without the question mark. */
  readonly query?: string | URLSearchParams;
  readonly headers?: Readonly<Record<string, string | undefined>> | Headers;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What to do with undocumented body properties: pass them on, remove them, or add an issue. */
export type UnknownFieldPolicy = "ignore" | "strip" | "reject";

export type InputGroups = Record<string, unknown>;

type ParameterLocation = ParameterDefinition["in"];

const groups = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
} satisfies Record<ParameterLocation, string>;

/** Reads and validates all parameters, grouped by location: `{ query: { page: 1 } }`. */
export function validateParameters(
  { parameters }: Pick<OperationDefinition, "parameters">,
  sentIn: (location: ParameterLocation, issues: Issues) => RawParameters,
  collector: IssueCollector,
): InputGroups {
  const input: InputGroups = {};
  if (parameters === undefined) return input;
  const issues: Issues = [];
  let location: ParameterLocation | undefined;
  let sent: RawParameters | undefined;
  let group: Record<string, unknown> = {};
  for (const parameter of parameters) {
    if (sent === undefined || location !== parameter.in) {
      location = parameter.in;
      sent = sentIn(location, issues);
      if (issues.length > 0) collector.add(issues, location);
      group = (input[groups[location]] ??= {}) as Record<string, unknown>;
    }
    validateParameter(parameter, { sent, group, issues });
    if (issues.length > 0) collector.add(issues, location, parameter.name);
  }
  return input;
}

interface ParameterContext {
  readonly sent: RawParameters;
  readonly group: Record<string, unknown>;
  readonly issues: Issues;
}

function validateParameter(parameter: ParameterDefinition, { sent, group, issues }: ParameterContext): void {
  const { name, decode, check, convert } = parameter;
  // Header names are in lower case.
  const value = decode(sent, parameter.in === "header" ? name.toLowerCase() : name, issues);
  if (issues.length > 0) return;
  if (value !== undefined) check?.(value, issues);
  else if (parameter.required === true) issues.push({ path: [], code: "required" });
  const valid = value === undefined ? ownCopy(parameter.default) : value;
  if (valid !== undefined) safeAssign(group, name, convertValid(valid, convert, issues));
}

/** A handler may change arrays and objects, so each request gets a copy. */
function ownCopy(value: unknown): unknown {
  return typeof value === "object" ? structuredClone(value) : value;
}

/** Validates, normalizes and converts a parsed body. */
export function validateContent(
  value: unknown,
  content: ContentDefinition,
  { unknown, issues }: ContentOptions,
): unknown {
  content.check?.(value, issues, unknown === "reject");
  if (issues.length > 0) return value;
  const normalized = content.normalize === undefined ? value : content.normalize(value, unknown === "strip");
  return convertValid(normalized, content.convert, issues);
}

function convertValid(value: unknown, convert: Conversion | undefined, issues: Issues): unknown {
  return convert === undefined || issues.length > 0 ? value : convert(value, issues);
}

interface ContentOptions {
  readonly unknown: UnknownFieldPolicy;
  readonly issues: Issues;
}

/** Validates the input of one operation without a server. */
export function validateCall<Result>(
  definition: OperationDefinition,
  value: RawInput,
  unknown: UnknownFieldPolicy,
): ValidationResult<Result> {
  const collector = new IssueCollector();
  const input = validateParameters(definition, (location, issues) => rawValuesIn(location, value, issues), collector);
  if (definition.body !== undefined) {
    const issues: Issues = [];
    const body = validateBody(definition.body, value.body, { unknown, issues });
    if (body !== undefined) input["body"] = body;
    collector.add(issues, "body");
  }
  return collector.all.length === 0 ? { ok: true, input: input as Result } : { ok: false, issues: collector.all };
}

/** Validates a body only. */
export function validateBodyValue<Body>(
  { body }: OperationDefinition,
  value: unknown,
  unknown: UnknownFieldPolicy,
): ValidationResult<Body> {
  const issues: Issues = [];
  const input = body === undefined ? undefined : validateBody(body, value, { unknown, issues });
  if (issues.length === 0) return { ok: true, input: input as Body };
  const collector = new IssueCollector();
  collector.add(issues, "body");
  return { ok: false, issues: collector.all };
}

/** Adds the issues of a parsed body, or returns it normalized. A parsed body has no media type: the schema of JSON applies if the operation documents it, else the first one. */
export function validateBody(body: BodyDefinition, value: unknown, options: ContentOptions): unknown {
  const content = body.contents["application/json"] ?? Object.values(body.contents)[0];
  if (value !== undefined && content !== undefined) {
    const { issues } = options;
    const validated = validateContent(value, content, options);
    const ofFiles: Issues = [];
    content.decode?.checkFiles?.(value, ofFiles);
    // The schema of a file is that of a string.
    const others = issues.filter(({ path }) => !ofFiles.some((issue) => issue.path[0] === path[0]));
    issues.splice(0, issues.length, ...others, ...ofFiles);
    return validated;
  }
  if (value === undefined && body.required === true) options.issues.push({ path: [], code: "required" });
  return undefined;
}

function rawValuesIn(location: ParameterLocation, value: RawInput, issues: Issues): RawParameters {
  if (location === "query") return queryOf(value.query ?? "", issues);
  if (location === "header") return headersOf(value.headers ?? {});
  return plainParameters((location === "path" ? value.path : value.cookies) ?? {});
}

function headersOf(headers: NonNullable<RawInput["headers"]>): RawParameters {
  if (headers instanceof Headers) return headerParameters((name) => headers.get(name) ?? undefined);
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return headerParameters((name) => (Object.hasOwn(lower, name) ? lower[name] : undefined));
}

/** Limits the time that parsing a query takes. */
export function queryOf(query: string | URLSearchParams, issues: Issues): RawParameters {
  if (typeof query !== "string") {
    if (query instanceof URLSearchParams) return readSearchParams(query);
    throw new TypeError("`query` is the text of a query, such as `page=2`, or URLSearchParams.");
  }
  if (query.length <= maxQueryLength) return readQuery(query, issues);
  issues.push({ path: [], code: "tooLong", first: maxQueryLength });
  return readQuery("", issues);
}
