import type { SecurityQuestion } from "@cloud-compute/server";

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
