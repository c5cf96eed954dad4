import type { Json, ScenarioContext, Step } from "@plumbline/conformance-runtime";
import { codeAt } from "./totp.js";
import { text } from "./values.js";

const by = { user: "user" } as const;
const rejected = { status: 400, error: { field: "tfa_code" } } as const;

/** Codes of another secret, of the past and of the future are rejected, and then the right code is accepted. */
export async function wrongCode(context: ScenarioContext): Promise<Json> {
  await newUser(context);
  await context.runStep(confirm("000000", rejected));
  const { secret } = await enable(context);
  const now = await timeOf(context);
  const good = new Set([now, now - 30_000, now + 30_000].map((moment) => codeAt(secret, moment)));
  const far = [now - 3_600_000, now + 3_600_000].map((moment) => codeAt(secret, moment));
  for (const code of ["000000", "111111", ...far].filter((each) => !good.has(each)))
    await context.runStep(confirm(code, rejected));
  await isOn(context, false);
  await context.runStep(confirm(codeAt(secret, await timeOf(context)), { status: 200 }));
  await isOn(context, true);
  return null;
}

/** A secret is valid before its expiry, and invalid after it. */
export async function secretExpires(context: ScenarioContext): Promise<Json> {
  await newUser(context);
  const first = await enable(context);
  await advanceTo(context, first.expiry + 1000);
  await context.runStep(confirm(codeAt(first.secret, await timeOf(context)), rejected));
  await isOn(context, false);
  const second = await enable(context);
  await advanceTo(context, second.expiry - 20_000);
  await context.runStep(confirm(codeAt(second.secret, await timeOf(context)), { status: 200 }));
  await isOn(context, true);
  return null;
}

/** The current code of the secret in the inputs. */
export async function oneTimeCode(context: ScenarioContext): Promise<Json> {
  return codeAt(text(context.inputs, "secret"), await timeOf(context));
}

/** The API has no login that uses a scratch code. The scenario checks that each is returned once, and that they differ. */
export async function scratchCode(context: ScenarioContext): Promise<Json> {
  await newUser(context);
  const hasScratch = {
    type: "object",
    required: ["scratch"],
    properties: { scratch: { type: "string", minLength: 8 } },
  };
  const first = await enable(context);
  const confirmed = await context.runStep(
    confirm(codeAt(first.secret, await timeOf(context)), { status: 200, body: hasScratch }),
  );
  const scratch = text(confirmed, "body", "scratch");
  await isOn(context, true);
  await context.runStep({ call: "disableTwoFactor", by, expect: { status: 200 } });
  await isOn(context, false);
  const second = await enable(context);
  await context.runStep(
    confirm(codeAt(second.secret, await timeOf(context)), {
      status: 200,
      body: { ...hasScratch, properties: { scratch: { type: "string", not: { const: scratch } } } },
    }),
  );
  return null;
}

async function newUser(context: ScenarioContext): Promise<void> {
  await context.runStep({ actor: { account: "own" }, as: "user" });
  await context.runStep({ call: "listSecurityQuestions", by, as: "questions", setup: true });
  const answers = [0, 1, 2].map((index) => ({
    question_id: { $get: `questions#/body/security_questions/${index}/id` },
    response: `Answer ${index}`,
  }));
  await context.runStep({ call: "answerSecurityQuestions", by, body: { security_questions: answers }, setup: true });
}

/** Requests a secret. Its expiry is in milliseconds. */
async function enable(context: ScenarioContext): Promise<{ readonly secret: string; readonly expiry: number }> {
  const properties = { secret: { type: "string", pattern: "^[A-Z2-7]+=*$" }, expiry: { type: "string" } };
  const body = { type: "object", required: ["secret", "expiry"], properties };
  const answer = await context.runStep({ call: "enableTwoFactor", by, expect: { status: 200, body } });
  return { secret: text(answer, "body", "secret"), expiry: Date.parse(text(answer, "body", "expiry")) };
}

function confirm(code: string, expect: Extract<Step, { readonly call: string }>["expect"]): Step {
  return { call: "confirmTwoFactor", by, body: { tfa_code: code }, expect: expect ?? {} };
}

async function isOn(context: ScenarioContext, on: boolean): Promise<void> {
  const body = { type: "object", properties: { two_factor_auth: { const: on } } };
  await context.runStep({ call: "getProfile", by, expect: { status: 200, body } });
}

/** The time of the server, in milliseconds. */
async function timeOf(context: ScenarioContext): Promise<number> {
  return Date.parse(text(await context.runStep({ call: "controls:getClock", setup: true }), "body", "now"));
}

async function advanceTo(context: ScenarioContext, moment: number): Promise<void> {
  const seconds = Math.ceil((moment - (await timeOf(context))) / 1000);
  if (seconds > 0) await context.runStep({ advance: `PT${seconds}S` });
}
