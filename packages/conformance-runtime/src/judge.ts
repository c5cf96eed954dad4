import { documented, repliesFor, type Received } from "./documented.js";
import { asText, isFields, isList, shown } from "./json.js";
import type { Difference } from "./results.js";
import { withoutSecretValues } from "./secrets.js";
import { SuiteError, type Stage } from "./stage.js";
import type { CallStep, Expect, Json, JsonSchema, OperationFacts } from "./suite.js";
import { evaluate } from "./template.js";

export interface Judged {
  readonly step: CallStep;
  readonly facts: OperationFacts;
  readonly answer: Received;
  readonly stage: Stage;
  /** True for a step that prepares the case: only its own expectation is checked. */
  readonly prepares: boolean;
}

/** Compares a response with the expectation of its step and with the description. */
export function judge(input: Judged): readonly Difference[] {
  const { step, facts, answer, stage, prepares } = input;
  const expect = step.expect ?? {};
  const requirements = expect.requirements ?? stage.requirements;
  const statuses = expectedStatuses(expect);
  const isDescribed = step.method === undefined || step.method.toUpperCase() === facts.method.toUpperCase();
  if (!prepares && isDescribed && step.address === undefined) mustBeDocumented(step.call, facts, statuses);
  const status = judgeStatus(answer, facts, statuses);
  const found: Difference[] = status.map((each) => ({ ...each, requirements }));
  if (found.length === 0)
    found.push(
      ...judgeRest(expect, input).map(({ part, ...each }) => ({
        ...each,
        requirements: part === undefined ? requirements : [...new Set([...requirements, ...statedOf(part, input)])],
      })),
    );
  if (prepares || !isDescribed) return found;
  const isExpected = found.length === 0 && statuses !== undefined;
  const wrong = documented({ answer, facts, method: step.method ?? facts.method, stage, isExpected });
  return [
    ...found,
    ...wrong.filter((each) => each.kind !== "status" || status.length === 0).map(({ difference }) => difference),
  ];
}

/** The statuses that a step expects. Undefined: any documented success. */
export function expectedStatuses(expect: Expect | undefined): readonly number[] | undefined {
  return expect?.status === undefined ? undefined : [expect.status].flat();
}

type Bare = Omit<Difference, "requirements">;

function judgeStatus(
  answer: Received,
  facts: OperationFacts,
  statuses: readonly number[] | undefined,
): readonly Bare[] {
  if (statuses?.includes(answer.status) === true) return [];
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const hasSuccess = Object.keys(facts.replies).some((each) => each.startsWith("2"));
  const isFitting = !hasSuccess || Object.keys(repliesFor(facts, answer.status)).some((each) => each.startsWith("2"));
  if (statuses === undefined && isSuccess && isFitting) return [];
  const due = statuses === undefined ? "a documented success" : statuses.join(" or ");
  return [
    {
      message: `The status is ${answer.status}, and not ${due}.`,
      expected: due,
      received: answer.text === "" ? String(answer.status) : `${answer.status} ${safely(answer.body)}`,
    },
  ];
}

function mustBeDocumented(call: string, facts: OperationFacts, statuses: readonly number[] | undefined): void {
  if (statuses === undefined || Object.keys(facts.replies).length === 0) return;
  if (statuses.some((status) => Object.keys(repliesFor(facts, status)).length > 0)) return;
  throw new SuiteError(
    `A step expects ${statuses.join(" or ")} of ${call} (${facts.place}), which does not document it. Document the response, or expect another.`,
  );
}

/** A difference; of an entry of an error, with the part that differs. */
type Told = Bare & { readonly part?: "field" | "reason" };

/** The requirements that the description states for a part of each entry. */
function statedOf(part: string, { answer, facts, stage }: Judged): readonly string[] {
  const schema = Object.values(repliesFor(facts, answer.status))[0]?.schema;
  return schema === undefined ? [] : stage.run.schemas.sourcesAt(schema, ["errors", "0", part]);
}

function judgeRest(expect: Expect, { answer, stage }: Judged): readonly Told[] {
  return [
    ...judgeError(expect, answer, stage),
    ...Object.entries(expect.headers ?? {}).flatMap(([name, template]) =>
      judgeHeader(name, answer.headers[name], evaluate(template, stage.values), stage),
    ),
    ...(expect.body === undefined ? [] : against(expect.body, answer.body, stage)),
    ...(expect.text === undefined ? [] : against(expect.text, answer.text, stage)),
  ];
}

function against(template: Json, value: Json, stage: Stage): readonly Bare[] {
  const schema = evaluate(template, stage.values) as JsonSchema;
  return stage.run.schemas
    .judge(schema, value)
    .map(({ message, expected, received }) => ({ message: `${message}.`, expected, received }));
}

/** A text must be equal, an object is a JSON Schema for the text, and null means that the header is absent. */
function judgeHeader(name: string, value: string | undefined, due: Json, stage: Stage): readonly Bare[] {
  if (due === null)
    return value === undefined
      ? []
      : [{ message: `The header ${name} is present.`, expected: "no such header", received: value }];
  if (value === undefined)
    return [{ message: `The header ${name} is missing.`, expected: shown(due), received: "no such header" }];
  if (isFields(due))
    return stage.run.schemas
      .judge(due, value)
      .map((each) => ({ ...each, message: `The header ${name}: ${each.message}.` }))
      .map(({ message, expected, received }) => ({ message, expected, received }));
  return value === asText(due)
    ? []
    : [{ message: `The header ${name} has another value.`, expected: asText(due), received: value }];
}

function judgeError({ error }: Expect, answer: Received, stage: Stage): readonly Told[] {
  if (error === undefined) return [];
  const entries = isFields(answer.body) && isList(answer.body["errors"]) ? answer.body["errors"].filter(isFields) : [];
  const received = safely(answer.body);
  const field = error.field === undefined ? undefined : evaluate(error.field, stage.values);
  const mentions = (error.mentions ?? []).map((each) => asText(evaluate(each, stage.values)));
  if (entries.length === 0) return [{ message: "The body has no errors.", expected: "an entry in errors", received }];
  const named = entries.filter((each) => each["field"] !== undefined && each["field"] !== null);
  if (field === null && named.length > 0) {
    const message = `An error names the field ${shown(named[0]?.["field"])}, but no field is expected.`;
    return [{ message, expected: "no field", received, part: "field" }];
  }
  const fitting = typeof field === "string" ? entries.filter((each) => each["field"] === field) : entries;
  if (fitting.length === 0)
    return [
      {
        message: `No error names the field ${shown(field)}.`,
        expected: `field: ${shown(field)}`,
        received,
        part: "field",
      },
    ];
  if (fitting.some(({ reason }) => typeof reason === "string" && mentions.every((each) => reason.includes(each))))
    return [];
  const missing =
    mentions.length === 0 ? "a reason" : `a reason with ${mentions.map((each) => shown(each)).join(", ")}`;
  return [{ message: `No error has ${missing}.`, expected: missing, received, part: "reason" }];
}

function safely(body: Json): string {
  return shown(withoutSecretValues(body));
}
