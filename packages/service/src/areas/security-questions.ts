import type { SecurityQuestion } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { userOf } from "./users.js";

/** What every user is offered; the answers are each user's own. */
export const securityQuestions: readonly SecurityQuestion[] = [
  "In what city were you born?",
  "What was the name of your first pet?",
  "What was the model of your first car?",
  "What was the name of your primary school?",
  "What is the middle name of your oldest sibling?",
  "In what city did your parents meet?",
  "What was the first concert you attended?",
  "What was the title of your first job?",
].map((question, index) => ({ id: index + 1, question, response: null }));

export const answering: Area<"listSecurityQuestions" | "answerSecurityQuestions"> = {
  listSecurityQuestions: async (_input, context) => {
    const { answers } = await userOf(context);
    const questions = securityQuestions.map((each) => ({ ...each, response: answers[each.id] ?? null }));
    return { status: 200, body: { security_questions: questions } };
  },

  // question-repeated and no-such-question are refused before.
  answerSecurityQuestions: async ({ body, refs }, context) => {
    const given = body.security_questions;
    const questions = refs["security_questions.question_id"];
    // answers-overwritten, other-answers-cleared: what was answered before is not kept.
    const answers = Object.fromEntries(given.map(({ question_id, response }) => [question_id, response]));
    await context.work.tx.users.change(await userOf(context), { answers });
    const answered = given.map(({ question_id, response }) => ({
      question_id,
      response,
      security_question: questions.get(question_id)?.question ?? "",
    }));
    return { status: 200, body: { security_questions: answered } };
  },
};
