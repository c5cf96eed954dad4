import type { CallStep, Caller, Expectation, FrameClaim, FrameStep, NewUser, Step, Suite, Template } from "../suite.js";
import { formatTemplateText, formatTemplate } from "./format-template.js";

/** Formats steps as lines: the request, its caller and the expected response. */
export function formatSteps(steps: readonly Step[], suite: Suite): readonly string[] {
  return steps.flatMap((step, index) => {
    const [first = "", ...rest] = linesOf(step, suite);
    const number = `${String(index + 1).padStart(3)}. `;
    return [`${number}${first}`, ...rest.map((line) => `${" ".repeat(number.length)}${line}`)];
  });
}

function linesOf(step: Step, suite: Suite): readonly string[] {
  if ("call" in step) return callLines(step, suite);
  if ("make" in step) {
    const { make, as, of = {}, with: over, fresh, by } = step;
    const inputs = Object.entries(of).map(([name, value]) => `of ${name} ${formatTemplate(value)}`);
    return [
      [
        `Make ${make}`,
        ...(fresh === true ? ["of its own"] : []),
        ...inputs,
        ...(by === undefined ? [] : [callerOf(by)]),
      ].join(" ") + ` → ${as}`,
      ...(over === undefined ? [] : block("with", over)),
    ];
  }
  if ("actor" in step) return [`Make ${userOf(step.actor)} → ${step.as}`];
  if ("parallel" in step) {
    const { parallel, times = 1, outcomes, as } = step;
    const expected = outcomes.map(({ status, count }) => `${count} × ${statusOf(status)}`).join(", ");
    return [
      `At once${times > 1 ? `, each ${times} times` : ""}${bound(as)}`,
      ...indented(parallel.flatMap((each) => callLines(each, suite))),
      `expected: ${expected}`,
    ];
  }
  if ("repeat" in step) return [`${step.times} times:`, ...indented(formatSteps(step.repeat, suite))];
  if ("check" in step) {
    const message = step.message === undefined ? [] : [`or else: ${step.message}`];
    return [`Check ${formatTemplate(step.check)}`, ...block("matches", step.matches), ...message];
  }
  if ("advance" in step) return [`Move the server's clock by ${step.advance}`];
  if ("settle" in step) return ["Let all jobs of the platform end"];
  if ("hold" in step) return [step.hold ? "Hold the jobs of the platform" : "Let the jobs of the platform go on"];
  if ("frame" in step) return frameLines(step, suite);
  if ("rejections" in step)
    return [
      "Read everything that is visible, then send the rejected requests of",
      ...indented(step.rejections.map(({ of }) => of)),
      "which change nothing",
    ];
  const inputs = step.inputs === undefined ? [] : block("inputs", step.inputs);
  return [`Run ${step.code} of the suite's package${bound(step.as)}`, ...inputs];
}

/** The call, and what it may change. */
function frameLines({ frame, may, fill, earlier = [], beside = [] }: FrameStep, suite: Suite): readonly string[] {
  const verbs = { set: "change", create: "create", delete: "delete" } satisfies Record<FrameClaim["does"], string>;
  const claims = may.map(({ does, to, but, object, of, fields, sent }) =>
    [
      `${verbs[does]} ${to === "*" ? `any object${but === undefined ? "" : ` but of ${but}`}` : to}`,
      ...(object === undefined ? [] : [formatTemplate(object)]),
      ...(of === undefined ? [] : [`of ${formatTemplate(of)}`]),
      ...(fields === undefined ? [] : [`at ${fields.join(", ")}`]),
      ...(sent === true ? ["where the request sends a field"] : []),
    ].join(" "),
  );
  const withBody = (body: Template): readonly string[] => indented(callLines({ ...frame, body }, suite));
  return [
    ...(fill === undefined
      ? []
      : ["Send, where the server accepts it, what the call could change besides,", ...withBody(fill)]),
    "Read everything that is visible, then",
    ...earlier.flatMap(withBody),
    ...[frame, ...beside.map((each) => each.frame)].flatMap((call) => indented(callLines(call, suite))),
    ...(claims.length === 0 ? ["which changes nothing"] : ["which may only", ...indented([...new Set(claims)])]),
  ];
}

function callLines(step: CallStep, suite: Suite): readonly string[] {
  const { path = {}, query = {}, headers = {}, by, as, body, raw } = step;
  const isControl = step.call.startsWith("controls:");
  const facts = isControl ? suite.controls[step.call.slice("controls:".length)] : suite.operations[step.call];
  const method = step.method ?? facts?.method ?? "";
  const address =
    step.address === undefined
      ? (facts?.path ?? "").replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
          const value = path[name];
          return value === undefined ? whole : formatTemplateText(value);
        })
      : formatTemplateText(step.address);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${formatTemplateText(value)}`);
  const who = [isControl ? "(test controls)" : callerOf(by ?? "main")].filter((each) => each !== "");
  return [
    [`${method} ${address}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`, ...who].join(" ") + bound(as),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${formatTemplateText(value)}`),
    ...(body === undefined ? [] : block("body", body)),
    ...(raw === undefined ? [] : [`body ${raw.mediaType ?? "without a type"}: ${formatTemplateText(raw.text)}`]),
    ...(step.until === true ? ["asked again until"] : []),
    ...(step.setup === true ? ["expected, or the case cannot run: "] : ["expected: "]).map(
      (each) => `${each}${expectation(step.expect).join("; ")}`,
    ),
  ];
}

function expectation(expect: Expectation = {}): readonly string[] {
  const { status, error, headers = {}, body, text } = expect;
  const mentions = error?.reasonContains?.map((each) => ` that mentions ${formatTemplate(each)}`).join("") ?? "";
  const field =
    error === undefined || error.field === undefined
      ? ""
      : error.field === null
        ? " of no field"
        : ` of ${formatTemplateText(error.field)}`;
  return [
    status === undefined ? "a documented success" : statusOf(status),
    ...(error === undefined
      ? []
      : [`${error.format === undefined ? "an error" : "problem details"}${field}${mentions}`]),
    ...Object.entries(headers).map(([name, value]) => `${name} that matches ${formatTemplate(value)}`),
    ...(body === undefined ? [] : [`body that matches ${formatTemplate(body)}`]),
    ...(text === undefined ? [] : [`text that matches ${formatTemplate(text)}`]),
  ];
}

function statusOf(status: number | readonly number[]): string {
  return typeof status === "number" ? String(status) : status.join(" or ");
}

function callerOf(by: Caller): string {
  if (typeof by === "string")
    return { main: "", anonymous: "without a token", "other-account": "as a user of another account" }[by];
  if ("user" in by) return `as ${by.user}`;
  if ("token" in by) return `with the token ${formatTemplate(by.token)}`;
  if ("authorization" in by) return `with Authorization: ${formatTemplateText(by.authorization)}`;
  if ("caller" in by)
    return [
      `as a user: ${by.caller}`,
      ...(by.grants === undefined ? [] : [`with the grants ${formatTemplate(by.grants)}`]),
      ...(by.scopes === undefined ? [] : [`with the scopes ${by.scopes}`]),
    ].join(", ");
  return `with the scopes ${by.scopes === "" ? "none" : by.scopes}`;
}

function userOf({ account, caller, grants, scopes }: NewUser): string {
  return [
    caller === undefined ? "a user" : `a user (${caller})`,
    account === "own" ? "of the account" : "of another account",
    ...(grants === undefined ? [] : [`with the grants ${formatTemplate(grants)}`]),
    ...(scopes === undefined ? [] : [`with the scopes ${scopes}`]),
  ].join(" ");
}

function bound(as: string | undefined): string {
  return as === undefined ? "" : ` → ${as}`;
}

/** A name and a value: on one line when it is short. */
function block(name: string, value: Parameters<typeof formatTemplate>[0]): readonly string[] {
  const [first = "", ...rest] = formatTemplate(value, 100).split("\n");
  return [`${name} ${first}`, ...rest];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
