import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { deleteNote } from "../notes.support.js";
import { createConfirmation } from "./confirm-call.js";

const codeOf = (result: CallToolResult | undefined): string => {
  const [first] = result?.content ?? [];
  return /confirm: "(\d{6})"/.exec(first?.type === "text" ? first.text : "")?.[1] ?? "none";
};

describe("a call that deletes is confirmed", () => {
  it("by the user", async () => {
    const questions: string[] = [];
    const prompt = (agrees: boolean) => async (question: string) => {
      questions.push(question);
      return agrees;
    };
    const confirm = createConfirmation();
    expect(await confirm(deleteNote, { id: 5 }, prompt(true))).toBeUndefined();
    expect(await confirm(deleteNote, { id: 5 }, prompt(false))).toMatchObject({ isError: true });
    expect(await confirm(deleteNote, { id: 5 }, () => Promise.reject(new Error("timeout")))).toMatchObject({
      isError: true,
    });
    expect(questions[0]).toBe('Delete a note? Arguments: {"id":5}');
  });

  it("by a code, for the same arguments, once, and within five minutes", async () => {
    let now = 0;
    const confirm = createConfirmation(() => now);
    const ask = async () => codeOf(await confirm(deleteNote, { id: 5, more: { a: 1, b: 2 } }, undefined));
    const repeat = (code: string, id = 5) =>
      confirm(deleteNote, { more: { b: 2, a: 1 }, id, confirm: code }, undefined);
    const code = await ask();
    expect(await repeat(code)).toBeUndefined();
    expect(await repeat(code)).toMatchObject({ isError: true });
    expect(await repeat(await ask(), 6)).toMatchObject({ isError: true });
    const late = await ask();
    now = 300_000;
    expect(await repeat(late)).toMatchObject({ isError: true });
    const inTime = await ask();
    now = 599_999;
    expect(await repeat(inTime)).toBeUndefined();
  });

  it("by one of the last hundred codes", async () => {
    const confirm = createConfirmation();
    const codes: string[] = [];
    for (let id = 0; id < 101; id++) codes.push(codeOf(await confirm(deleteNote, { id }, undefined)));
    expect(await confirm(deleteNote, { id: 0, confirm: codes[0] }, undefined)).toMatchObject({ isError: true });
    expect(await confirm(deleteNote, { id: 1, confirm: codes[1] }, undefined)).toBeUndefined();
  });
});
