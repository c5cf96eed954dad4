import type { SecurityQuestion } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { userOf } from "./users.js";

/** The questions that every user gets. The answers belong to each user. */
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

export const securityQuestionHandlers: TagHandlers<"listSecurityQuestions" | "answerSecurityQuestions"> = {
  listSecurityQuestions: async (_input, context) => {
    const { answers } = await userOf(context);
    const questions = securityQuestions.map((each) => ({ ...each, response: answers[each.id] ?? null }));
    return { status: 200, body: { security_questions: questions } };
  },

  // question-repeated and no-such-question: the generated server has checked them.
  answerSecurityQuestions: async ({ body, refs }, context) => {
    const sent = body.security_questions;
    const questions = refs["security_questions.question_id"];
    // answers-overwritten, other-answers-cleared: the new answers replace all earlier ones.
    const answers = Object.fromEntries(sent.map(({ question_id, response }) => [question_id, response]));
    await context.work.tx.users.patch(await userOf(context), { answers });
    const answered = sent.map(({ question_id, response }) => ({
      question_id,
      response,
      security_question: questions.get(question_id)?.question ?? "",
    }));
    return { status: 200, body: { security_questions: answered } };
  },
};
