import type { Json, ScenarioContext, Step } from "@plumbline/conformance-runtime";
import { codeAt } from "./totp.js";
import { text } from "./values.js";

const by = { user: "user" } as const;
const refused = { status: 400, error: { field: "tfa_code" } } as const;

/** Codes of another secret, of long ago and of the future are refused, and the right one is taken after them. */
export async function wrongCode(context: ScenarioContext): Promise<Json> {
  await newUser(context);
  await context.step(confirm("000000", refused));
  const { secret } = await enable(context);
  const now = await timeOf(context);
  const good = new Set([now, now - 30_000, now + 30_000].map((moment) => codeAt(secret, moment)));
  const far = [now - 3_600_000, now + 3_600_000].map((moment) => codeAt(secret, moment));
  for (const code of ["000000", "111111", ...far].filter((each) => !good.has(each)))
    await context.step(confirm(code, refused));
  await isOn(context, false);
  await context.step(confirm(codeAt(secret, await timeOf(context)), { status: 200 }));
  await isOn(context, true);
  return null;
}

/** Before its expiry a secret is good, and once it has passed it is not. */
export async function secretExpires(context: ScenarioContext): Promise<Json> {
  await newUser(context);
  const first = await enable(context);
  await advanceTo(context, first.expiry + 1000);
  await context.step(confirm(codeAt(first.secret, await timeOf(context)), refused));
  await isOn(context, false);
  const second = await enable(context);
  await advanceTo(context, second.expiry - 20_000);
  await context.step(confirm(codeAt(second.secret, await timeOf(context)), { status: 200 }));
  await isOn(context, true);
  return null;
}

/** The code of the given secret, as an authenticator shows it now. */
export async function oneTimeCode(context: ScenarioContext): Promise<Json> {
  return codeAt(text(context.given, "secret"), await timeOf(context));
}

/** No login is described that a scratch code could be used for: what can be seen is that each is shown once, and is another. */
export async function scratchCode(context: ScenarioContext): Promise<Json> {
  await newUser(context);
  const shown = { type: "object", required: ["scratch"], properties: { scratch: { type: "string", minLength: 8 } } };
  const first = await enable(context);
  const confirmed = await context.step(
    confirm(codeAt(first.secret, await timeOf(context)), { status: 200, body: shown }),
  );
  const scratch = text(confirmed, "body", "scratch");
  await isOn(context, true);
  await context.step({ call: "disableTwoFactor", by, expect: { status: 200 } });
  await isOn(context, false);
  const second = await enable(context);
  await context.step(
    confirm(codeAt(second.secret, await timeOf(context)), {
      status: 200,
      body: { ...shown, properties: { scratch: { type: "string", not: { const: scratch } } } },
    }),
  );
  return null;
}

async function newUser(context: ScenarioContext): Promise<void> {
  await context.step({ actor: { account: "own" }, as: "user" });
  await context.step({ call: "listSecurityQuestions", by, as: "questions", given: true });
  const answers = [0, 1, 2].map((index) => ({
    question_id: { $get: `questions#/body/security_questions/${index}/id` },
    response: `Answer ${index}`,
  }));
  await context.step({ call: "answerSecurityQuestions", by, body: { security_questions: answers }, given: true });
}

/** Asks for a secret; its expiry is in milliseconds. */
async function enable(context: ScenarioContext): Promise<{ readonly secret: string; readonly expiry: number }> {
  const properties = { secret: { type: "string", pattern: "^[A-Z2-7]+=*$" }, expiry: { type: "string" } };
  const body = { type: "object", required: ["secret", "expiry"], properties };
  const answer = await context.step({ call: "enableTwoFactor", by, expect: { status: 200, body } });
  return { secret: text(answer, "body", "secret"), expiry: Date.parse(text(answer, "body", "expiry")) };
}

function confirm(code: string, expect: Extract<Step, { readonly call: string }>["expect"]): Step {
  return { call: "confirmTwoFactor", by, body: { tfa_code: code }, expect: expect ?? {} };
}

async function isOn(context: ScenarioContext, on: boolean): Promise<void> {
  const body = { type: "object", properties: { two_factor_auth: { const: on } } };
  await context.step({ call: "getProfile", by, expect: { status: 200, body } });
}

/** What time it is for the server, in milliseconds. */
async function timeOf(context: ScenarioContext): Promise<number> {
  return Date.parse(text(await context.step({ call: "controls:getClock", given: true }), "body", "now"));
}

async function advanceTo(context: ScenarioContext, moment: number): Promise<void> {
  const seconds = Math.ceil((moment - (await timeOf(context))) / 1000);
  if (seconds > 0) await context.step({ advance: `PT${seconds}S` });
}
