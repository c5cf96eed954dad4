import type { Answer } from "./http.js";
import { shown } from "./json.js";
import type { Difference } from "./results.js";
import type { Violation } from "./schemas.js";
import { withoutSecretValues } from "./secrets.js";
import type { Stage } from "./stage.js";
import type { Json, JsonSchema, OperationFacts, ReplyFacts } from "./suite.js";

/** A response with a decoded body. */
export interface Received extends Answer {
  /** The value of a JSON body, the text of any other, null without a body. */
  readonly body: Json;
  /** Why a body with a JSON media type cannot be parsed. */
  readonly broken?: string;
}

export function receive(answer: Answer): Received {
  if (answer.text === "") return { ...answer, body: null };
  if (!/[/+]json\b/i.test(answer.headers["content-type"] ?? "")) return { ...answer, body: answer.text };
  try {
    const body: Json = JSON.parse(answer.text);
    return { ...answer, body };
  } catch (error) {
    return { ...answer, body: answer.text, broken: error instanceof Error ? error.message : "It is not JSON." };
  }
}

/** The documented response for a status, under its key in the description: the status, a range, or `default`. */
export function repliesFor(facts: OperationFacts, status: number): Readonly<Record<string, ReplyFacts>> {
  for (const name of [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, "default"]) {
    const reply = facts.replies[name];
    if (reply !== undefined) return { [name]: reply };
  }
  return {};
}

export interface Documented {
  readonly answer: Received;
  readonly facts: OperationFacts;
  readonly method: string;
  readonly stage: Stage;
  /** The step expects this status, so it may be undocumented. */
  readonly isExpected: boolean;
}

export interface Wrong {
  readonly kind: "status" | "reply";
  readonly difference: Difference;
}

/** Validates status, media type, headers and body of a response against the description. */
export function documented({ answer, facts, method, stage, isExpected }: Documented): readonly Wrong[] {
  const reply = Object.values(repliesFor(facts, answer.status))[0];
  if (reply === undefined) return undocumented();
  const fallback = reply.requirements.length > 0 ? reply.requirements : stage.requirements;
  const wrong: Difference[] = [];
  for (const [name, header] of Object.entries(reply.headers)) {
    const value = answer.headers[name.toLowerCase()];
    const requirements = header.requirements.length > 0 ? header.requirements : fallback;
    if (value !== undefined)
      wrong.push(...headerFaults(name, value, header.schema, stage).map((each) => ({ ...each, requirements })));
    else if (header.required)
      wrong.push({
        message: `The header ${name} is missing.`,
        expected: `${name} in the headers`,
        received: "no such header",
        requirements,
      });
  }
  if (method.toUpperCase() !== "HEAD") wrong.push(...bodyFaults());
  return wrong.map((difference) => ({ kind: "reply", difference }));

  function undocumented(): readonly Wrong[] {
    if (isExpected || (!stage.run.suite.strict && answer.status < 500)) return [];
    const difference = {
      message: `The status ${answer.status} is not documented.`,
      expected: `one of ${Object.keys(facts.replies).join(", ")}`,
      received: String(answer.status),
      requirements: stage.requirements,
    };
    return [{ kind: "status", difference }];
  }

  function bodyFaults(): readonly Difference[] {
    const requirements = fallback;
    const { mediaTypes, schema } = reply ?? { mediaTypes: [] };
    const type = answer.headers["content-type"];
    if (mediaTypes.length === 0) {
      if (answer.text === "" || !stage.run.suite.strict) return [];
      return [
        {
          message: "The response has a body.",
          expected: "no body",
          received: shown(withoutSecretValues(answer.body)),
          requirements,
        },
      ];
    }
    if (answer.text === "" && schema === undefined) return [];
    if (type === undefined || !mediaTypes.some((each) => isOf(type, each))) {
      const received = type ?? (answer.text === "" ? "no body" : "no content-type");
      const message = `The media type is ${type ?? "missing"}.`;
      return [{ message, expected: mediaTypes.join(" or "), received, requirements }];
    }
    if (answer.broken !== undefined) {
      const received = answer.text.slice(0, 300);
      return [{ message: `The body is not JSON: ${answer.broken}`, expected: "JSON", received, requirements }];
    }
    if (schema === undefined || !/[/+]json\b/i.test(type)) return [];
    return stage.run.schemas.documented(schema, answer.body).map((each) => ({
      message: `${each.message}.`,
      expected: each.expected,
      received: each.received,
      requirements: each.sources.length > 0 ? each.sources : requirements,
    }));
  }
}

/** A header's text is also tried as a number and as a boolean. */
function headerFaults(
  name: string,
  value: string,
  schema: JsonSchema,
  stage: Stage,
): readonly Omit<Difference, "requirements">[] {
  const { schemas } = stage.run;
  const readings: Json[] = [value];
  if (/^-?\d+(?:\.\d+)?$/.test(value)) readings.unshift(Number(value));
  if (value === "true" || value === "false") readings.unshift(value === "true");
  let found: readonly Violation[] = [];
  for (const reading of readings) {
    found = schemas.documented(schema, reading);
    if (found.length === 0) return [];
  }
  return found.map(({ message, expected, received }) => ({
    message: `The header ${name}: ${message}.`,
    expected,
    received,
  }));
}

/** `application/json; charset=utf-8` matches `application/json`, `application/*` and any range. */
function isOf(type: string, documentedType: string): boolean {
  const given = essence(type);
  const due = essence(documentedType);
  if (due === "*/*" || due === given) return true;
  return due.endsWith("/*") && given.startsWith(due.slice(0, -1));
}

function essence(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}
