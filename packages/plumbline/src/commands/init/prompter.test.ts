import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { InvalidAnswer, createPrompter } from "./prompter.js";

const isShort = (answer: string) => (answer.length <= 3 ? answer : new InvalidAnswer("Too long."));

test("asks until an answer is valid, or uses the default", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const questions = createPrompter({ input, output });
  input.write("longer\n abc \n\n"); // all at once, like pasted text
  expect(await questions.ask("Name?", undefined, isShort)).toBe("abc");
  expect(await questions.ask("Scope?", "@a", isShort)).toBe("@a");
  questions.close();
  output.end();
  expect(await text(output)).toBe("Name? Too long.\nName? Scope? (@a) ");
});

test("ends at the end of the input", async () => {
  const input = new PassThrough();
  const questions = createPrompter({ input, output: new PassThrough() });
  input.end();
  await expect(questions.ask("Name?", undefined, isShort)).rejects.toThrow("No answer, so nothing was written.");
});
