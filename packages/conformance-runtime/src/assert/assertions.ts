import { SuiteError } from "../errors.js";
import type { DecodedResponse } from "../http/decode-response.js";
import { isSuccessStatus } from "../http/status.js";
import { validateResponse, responsesFor, type ValidationContext } from "./response-validation.js";
import { toText, isJsonObject, isJsonArray, formatJson } from "../values/json.js";
import type { AssertionFailure } from "../results.js";
import { redactSecretValues } from "../http/secrets.js";
import type { CallStep, Expectation, Json, JsonSchema, OperationInfo } from "../suite.js";
import { evaluateTemplate, type TemplateValues } from "../values/template.js";

export interface AssertionContext extends ValidationContext {
  /** The values that templates of the expectation read. */
  readonly values: TemplateValues;
}

export interface AssertionInput {
  readonly step: CallStep;
  readonly info: OperationInfo;
  readonly response: DecodedResponse;
  readonly context: AssertionContext;
  /** True for a step that prepares the case: only its own expectation is checked. */
  readonly isSetup: boolean;
}

/** Compares a response with the expectation of its step and with the description. */
export function assertResponse(input: AssertionInput): readonly AssertionFailure[] {
  const { step, info, response, context, isSetup } = input;
  const expect = step.expect ?? {};
  const requirements = expect.requirements ?? context.requirements;
  const statuses = expectedStatuses(expect);
  const isDescribed = step.method === undefined || step.method.toUpperCase() === info.method.toUpperCase();
  if (!isSetup && isDescribed && step.address === undefined) requireDocumentedStatus(step.call, info, statuses);
  const status = checkStatus(response, info, statuses);
  const found: AssertionFailure[] = status.map((each) => ({ ...each, requirements }));
  if (found.length === 0)
    found.push(
      ...checkExpectation(expect, input).map(({ part, ...each }) => ({
        ...each,
        requirements:
          part === undefined ? requirements : [...new Set([...requirements, ...requirementsOfPart(part, input)])],
      })),
    );
  if (isSetup || !isDescribed) return found;
  const isExpected = found.length === 0 && statuses !== undefined;
  const wrong = validateResponse({ response, info, method: step.method ?? info.method, context, isExpected });
  return [
    ...found,
    ...wrong.filter((each) => each.kind !== "status" || status.length === 0).map(({ failure }) => failure),
  ];
}

/** The statuses that a step expects. Undefined: any documented success. */
export function expectedStatuses(expect: Expectation | undefined): readonly number[] | undefined {
  return expect?.status === undefined ? undefined : [expect.status].flat();
}

type UnattributedFailure = Omit<AssertionFailure, "requirements">;

function checkStatus(
  answer: DecodedResponse,
  facts: OperationInfo,
  statuses: readonly number[] | undefined,
): readonly UnattributedFailure[] {
  if (statuses?.includes(answer.status) === true) return [];
  const hasSuccess = Object.keys(facts.responses).some((each) => each.startsWith("2"));
  const isFitting = !hasSuccess || Object.keys(responsesFor(facts, answer.status)).some((each) => each.startsWith("2"));
  if (statuses === undefined && isSuccessStatus(answer.status) && isFitting) return [];
  const due = statuses === undefined ? "a documented success" : statuses.join(" or ");
  return [
    {
      message: `The status is ${answer.status}, and not ${due}.`,
      expected: due,
      received: answer.text === "" ? String(answer.status) : `${answer.status} ${formatRedacted(answer.body)}`,
    },
  ];
}

function requireDocumentedStatus(call: string, facts: OperationInfo, statuses: readonly number[] | undefined): void {
  if (statuses === undefined || Object.keys(facts.responses).length === 0) return;
  if (statuses.some((status) => Object.keys(responsesFor(facts, status)).length > 0)) return;
  throw new SuiteError(
    `A step expects ${statuses.join(" or ")} of ${call} (${facts.location}), which does not document it. Document the response, or expect another.`,
  );
}

/** A difference; of an entry of an error, with the part that differs. */
type PartialFailure = UnattributedFailure & { readonly part?: "field" | "reason" };

/** The requirements that the description states for a part of each entry. */
function requirementsOfPart(part: string, { response, info, context }: AssertionInput): readonly string[] {
  const schema = Object.values(responsesFor(info, response.status))[0]?.schema;
  return schema === undefined ? [] : context.schemas.requirementsAt(schema, ["errors", "0", part]);
}

function checkExpectation(expect: Expectation, { response, context }: AssertionInput): readonly PartialFailure[] {
  return [
    ...checkError(expect, response, context),
    ...Object.entries(expect.headers ?? {}).flatMap(([name, template]) =>
      checkHeader(name, response.headers[name], evaluateTemplate(template, context.values), context),
    ),
    ...(expect.body === undefined ? [] : checkValue(expect.body, response.body, context)),
    ...(expect.text === undefined ? [] : checkValue(expect.text, response.text, context)),
  ];
}

function checkValue(template: Json, value: Json, context: AssertionContext): readonly UnattributedFailure[] {
  const schema = evaluateTemplate(template, context.values) as JsonSchema;
  return context.schemas
    .validate(schema, value)
    .map(({ message, expected, received }) => ({ message: `${message}.`, expected, received }));
}

/** A text must be equal, an object is a JSON Schema for the text, and null means that the header is absent. */
function checkHeader(
  name: string,
  value: string | undefined,
  due: Json,
  context: AssertionContext,
): readonly UnattributedFailure[] {
  if (due === null)
    return value === undefined
      ? []
      : [{ message: `The header ${name} is present.`, expected: "no such header", received: value }];
  if (value === undefined)
    return [{ message: `The header ${name} is missing.`, expected: formatJson(due), received: "no such header" }];
  if (isJsonObject(due))
    return context.schemas
      .validate(due, value)
      .map((each) => ({ ...each, message: `The header ${name}: ${each.message}.` }))
      .map(({ message, expected, received }) => ({ message, expected, received }));
  return value === toText(due)
    ? []
    : [{ message: `The header ${name} has another value.`, expected: toText(due), received: value }];
}

function checkError(
  { error }: Expectation,
  answer: DecodedResponse,
  context: AssertionContext,
): readonly PartialFailure[] {
  if (error === undefined) return [];
  const entries =
    isJsonObject(answer.body) && isJsonArray(answer.body["errors"]) ? answer.body["errors"].filter(isJsonObject) : [];
  const received = formatRedacted(answer.body);
  const field = error.field === undefined ? undefined : evaluateTemplate(error.field, context.values);
  const mentions = (error.reasonContains ?? []).map((each) => toText(evaluateTemplate(each, context.values)));
  if (entries.length === 0) return [{ message: "The body has no errors.", expected: "an entry in errors", received }];
  const named = entries.filter((each) => each["field"] !== undefined && each["field"] !== null);
  if (field === null && named.length > 0) {
    const message = `An error names the field ${formatJson(named[0]?.["field"])}, but no field is expected.`;
    return [{ message, expected: "no field", received, part: "field" }];
  }
  const fitting = typeof field === "string" ? entries.filter((each) => each["field"] === field) : entries;
  if (fitting.length === 0)
    return [
      {
        message: `No error names the field ${formatJson(field)}.`,
        expected: `field: ${formatJson(field)}`,
        received,
        part: "field",
      },
    ];
  if (fitting.some(({ reason }) => typeof reason === "string" && mentions.every((each) => reason.includes(each))))
    return [];
  const missing =
    mentions.length === 0 ? "a reason" : `a reason with ${mentions.map((each) => formatJson(each)).join(", ")}`;
  return [{ message: `No error has ${missing}.`, expected: missing, received, part: "reason" }];
}

function formatRedacted(body: Json): string {
  return formatJson(redactSecretValues(body));
}
