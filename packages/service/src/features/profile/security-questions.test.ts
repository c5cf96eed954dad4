import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";

test("each user has their last three answers", async () => {
  const { admin, user } = await start();
  const eve = await user("eve");
  const { security_questions: offered } = await api.listSecurityQuestions(admin);
  expect(offered.length).toBeGreaterThanOrEqual(6);
  expect(offered[0]).toEqual({ id: 1, question: "In what city were you born?", response: null });
  expect(offered.every(({ response }) => response === null)).toBe(true);
  expect(await answer(admin, { 3: "Batmobile", 1: "Gotham City", 2: "Ace" })).toEqual({
    security_questions: [
      { question_id: 1, response: "Gotham City", security_question: "In what city were you born?" },
      { question_id: 2, response: "Ace", security_question: "What was the name of your first pet?" },
      { question_id: 3, response: "Batmobile", security_question: "What was the model of your first car?" },
    ],
  });
  expect(await answered(admin)).toEqual({ 1: "Gotham City", 2: "Ace", 3: "Batmobile" });
  await answer(admin, { 3: "Bicycle", 4: "Hill School", 5: "Bruce" });
  expect(await answered(admin)).toEqual({ 3: "Bicycle", 4: "Hill School", 5: "Bruce" });
  expect(await answered(eve)).toEqual({});
});

test("answers keep their order", async () => {
  const { admin } = await start();
  const given = [5, 1, 3].map((question_id) => ({ question_id, response: `answer ${question_id}` }));
  const { security_questions } = await api.answerSecurityQuestions(admin, { body: { security_questions: given } });
  expect(security_questions.map(({ question_id }) => question_id)).toEqual([5, 1, 3]);
});

test("requires three answers to different existing questions", async () => {
  const { admin } = await start();
  const of = (...ids: number[]): Promise<unknown> => {
    const security_questions = ids.map((question_id) => ({ question_id, response: "Gotham" }));
    return failure(api.answerSecurityQuestions(admin, { body: { security_questions } }));
  };
  expect(await of(1, 2)).toMatchObject([400, expect.stringMatching(/^security_questions: /)]);
  expect(await of(1, 2, 3, 4)).toMatchObject([400, expect.stringMatching(/^security_questions: /)]);
  expect(await of(1, 2, 1)).toEqual([400, "security_questions: must not have two items with the same question_id"]);
  expect(await of(1, 99, 2)).toEqual([400, "security_questions.1.question_id: There is no such question"]);
  expect(await answered(admin)).toEqual({});
});

test("an answer has 3 to 17 characters", async () => {
  const { admin } = await start();
  const first = (response: string): Promise<unknown> => answer(admin, { 1: response, 2: "Gotham", 3: "Batmobile" });
  const rejected = [400, "security_questions.0.response: must be 3 to 17 characters"];
  expect(await failure(first("ab"))).toEqual(rejected);
  await first("abc");
  expect(await failure(first("x".repeat(18)))).toEqual(rejected);
  await first("x".repeat(17));
  expect(await answered(admin)).toMatchObject({ 1: "x".repeat(17) });
});

function answer(client: api.Client, by: Readonly<Record<number, string>>): Promise<unknown> {
  const security_questions = Object.entries(by).map(([id, response]) => ({ question_id: Number(id), response }));
  return Promise.resolve(api.answerSecurityQuestions(client, { body: { security_questions } }));
}

async function answered(client: api.Client): Promise<Record<number, string>> {
  const { security_questions } = await api.listSecurityQuestions(client);
  return Object.fromEntries(
    security_questions.flatMap(({ id, response }) => (response === null ? [] : [[id, response]])),
  );
}
