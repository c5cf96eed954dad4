import { SuiteError } from "../errors.js";
import type { DecodedResponse } from "../http/decode-response.js";
import { redactSecretValues } from "../http/secrets.js";
import { isSuccessStatus } from "../http/status.js";
import type { AssertionFailure, Difference } from "../results.js";
import type { CallStep, ErrorExpectation, Expectation, Json, JsonSchema, OperationInfo } from "../suite.js";
import { toText, isJsonObject, formatJson } from "../values/json.js";
import { evaluateTemplate, type TemplateValues } from "../values/template.js";
import { describeSchema, summarizeValue } from "./describe-schema.js";
import {
  readDocumentedEntries,
  readErrorEntries,
  readProblemEntries,
  type EntryMembers,
  type ErrorEntries,
} from "./error-entries.js";
import { createFailure } from "./failures.js";
import { responsesFor, unreadableBody, validateResponse, type ValidationContext } from "./response-validation.js";

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
  const status = checkStatus(response, info, { statuses, isSetup });
  const failures = status.map(({ difference, ...details }) => createFailure(difference, { requirements, ...details }));
  if (failures.length === 0)
    failures.push(
      ...checkExpectation(expect, input).map(({ difference, field, ...details }) =>
        createFailure(difference, {
          ...details,
          requirements:
            field === undefined ? requirements : [...new Set([...requirements, ...requirementsOfField(field, input)])],
        }),
      ),
    );
  if (!isDescribed) return failures;
  if (isSetup) return [...failures, ...unreadValue(input)];
  const isExpected = failures.length === 0 && statuses !== undefined;
  const wrong = validateResponse({ response, info, method: step.method ?? info.method, context, isExpected });
  return [
    ...failures,
    ...wrong.filter((each) => each.kind !== "status" || status.length === 0).map(({ failure }) => failure),
  ];
}

/** The failure of a setup whose response later steps read, and cannot. */
function unreadValue({ step, info, response, context }: AssertionInput): readonly AssertionFailure[] {
  const [documented] = Object.values(responsesFor(info, response.status));
  if (step.as === undefined || documented === undefined || documented.mediaTypes.length === 0) return [];
  if (response.text === "") return [];
  const { requirements } = documented;
  const failure = unreadableBody(response, documented, requirements.length > 0 ? requirements : context.requirements);
  return failure === undefined ? [] : [failure];
}

/** The statuses that a step expects. Undefined: any documented success. */
export function expectedStatuses(expect: Expectation | undefined): readonly number[] | undefined {
  return expect?.status === undefined ? undefined : [expect.status].flat();
}

/** A difference, with the values in full. */
interface UnattributedFailure {
  readonly difference: Difference;
  readonly expected?: string;
  readonly received?: string;
  /** The member of an error's entry that differs. */
  readonly field?: string;
}

function checkStatus(
  answer: DecodedResponse,
  facts: OperationInfo,
  { statuses, isSetup }: { readonly statuses: readonly number[] | undefined; readonly isSetup: boolean },
): readonly UnattributedFailure[] {
  if (statuses?.includes(answer.status) === true) return [];
  const successes = Object.keys(facts.responses).filter((each) => each.startsWith("2"));
  const isFitting =
    successes.length === 0 || Object.keys(responsesFor(facts, answer.status)).some((each) => each.startsWith("2"));
  // Another success than the documented one is a finding of the cases about this operation, and prepares all others.
  if (statuses === undefined && isSuccessStatus(answer.status) && (isFitting || isSetup)) return [];
  const expected = (statuses ?? successes).toSorted((a, b) => Number(a) - Number(b)).join(" or ");
  return [
    {
      difference: {
        part: "status",
        at: "",
        kind: "different",
        expected: expected === "" ? "a success" : expected,
        received: String(answer.status),
      },
      received: answer.text === "" ? String(answer.status) : `${answer.status} ${formatRedacted(answer.body)}`,
    },
  ];
}

function requireDocumentedStatus(call: string, facts: OperationInfo, statuses: readonly number[] | undefined): void {
  if (statuses === undefined || Object.keys(facts.responses).length === 0) return;
  // `security` documents that a caller without a credential is rejected.
  if (facts.public !== true && statuses.every((status) => status === 401 || status === 403)) return;
  if (statuses.some((status) => Object.keys(responsesFor(facts, status)).length > 0)) return;
  throw new SuiteError(
    `A step expects ${statuses.join(" or ")} of ${call} (${facts.location}), which does not document it. Document the response, or expect another.`,
  );
}

/** The requirements that the description states for a field of each entry. */
function requirementsOfField(field: string, { response, info, context }: AssertionInput): readonly string[] {
  const schema = Object.values(responsesFor(info, response.status))[0]?.schema;
  return schema === undefined ? [] : context.schemas.requirementsAt(schema, ["errors", "0", field]);
}

function checkExpectation(
  expect: Expectation,
  { response, info, context }: AssertionInput,
): readonly UnattributedFailure[] {
  return [
    ...checkError(expect, { response, info, context }),
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
    .map(({ difference, expected, received }) => ({ difference: { part: "body", ...difference }, expected, received }));
}

/** A text must be equal, an object is a JSON Schema for the text, and null means that the header is absent. */
function checkHeader(
  at: string,
  value: string | undefined,
  due: Json,
  context: AssertionContext,
): readonly UnattributedFailure[] {
  const part = "header";
  if (due === null)
    return value === undefined
      ? []
      : [{ difference: { part, at, kind: "unexpected", expected: "no such header", received: formatJson(value) } }];
  if (value === undefined) {
    const expected = isJsonObject(due) ? describeSchema(due) : formatJson(toText(due));
    return [{ difference: { part, at, kind: "missing", expected, received: "no such header" } }];
  }
  if (isJsonObject(due))
    return context.schemas.validate(due, value).map(({ difference }) => ({ difference: { ...difference, part, at } }));
  if (value === toText(due)) return [];
  const expected = summarizeValue(toText(due));
  return [{ difference: { part, at, kind: "different", expected, received: summarizeValue(value) } }];
}

function checkError(
  { error }: Expectation,
  { response: answer, info, context }: Pick<AssertionInput, "response" | "info" | "context">,
): readonly UnattributedFailure[] {
  if (error === undefined) return [];
  const { entries, members, wrong } = readEntries(error, answer, info);
  const received = formatRedacted(answer.body);
  const field = error.field === undefined ? undefined : evaluateTemplate(error.field, context.values);
  const mentions = (error.reasonContains ?? []).map((each) => toText(evaluateTemplate(each, context.values)));
  if (wrong.length > 0) return wrong.map((difference) => ({ difference, received }));
  const indexWithField = entries.findIndex((each) => each.field !== undefined && each.field !== null);
  if (field === null && indexWithField !== -1) {
    const at = placeInEntry(members, indexWithField, "field");
    const value = summarizeValue(entries[indexWithField]?.field ?? null);
    const difference = { part: "body", at, kind: "unexpected", expected: "no field", received: value } as const;
    return [{ difference, field: members.field }];
  }
  const fitting = typeof field === "string" ? entries.filter((each) => each.field === field) : entries;
  if (fitting.length === 0) return [{ ...entryDifference("field", formatJson(field), { entries, members }), received }];
  if (fitting.some(({ reason }) => typeof reason === "string" && mentions.every((each) => reason.includes(each))))
    return [];
  const expected =
    mentions.length === 0 ? "a reason" : `a reason with ${mentions.map((each) => formatJson(each)).join(", ")}`;
  return [{ ...entryDifference("reason", expected, { entries: fitting, members }), received }];
}

function readEntries(
  { format, type }: ErrorExpectation,
  answer: DecodedResponse,
  { errorFormat }: OperationInfo,
): ErrorEntries {
  if (format === "problem-details") return readProblemEntries(answer, type);
  return format === "documented" && errorFormat !== undefined
    ? readDocumentedEntries(answer, errorFormat)
    : readErrorEntries(answer);
}

function placeInEntry(members: EntryMembers, index: number | "*", part: "field" | "reason"): string {
  const entry = members.entries === undefined ? "" : `${members.entries}/${index}`;
  return `${entry}/${members[part]}`;
}

/** No entry of an error has the expected field or reason. */
function entryDifference(
  part: "field" | "reason",
  expected: string,
  { entries, members }: Pick<ErrorEntries, "entries" | "members">,
): Pick<UnattributedFailure, "difference" | "field"> {
  const [first] = entries;
  const field = members[part];
  const values = entries.map((each) => (each[part] === undefined ? `no ${field}` : summarizeValue(each[part])));
  const kind = first?.[part] === undefined && entries.length === 1 ? "missing" : "different";
  const at = placeInEntry(members, entries.length === 1 ? 0 : "*", part);
  return { difference: { part: "body", at, kind, expected, received: [...new Set(values)].join(", ") }, field };
}

function formatRedacted(body: Json): string {
  return formatJson(redactSecretValues(body));
}
