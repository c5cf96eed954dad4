import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { quoteShellWord } from "./shell.js";

it.each(["plain", "", "two words", "it's", '$HOME `x` "q" \\ !', "a\nb", "\u001b[2J'\\", "é ✓"])(
  "quotes %j so that a shell reads the same",
  (text) => {
    expect(
      execFileSync("bash", ["--norc", "-c", `printf %s ${quoteShellWord(text)}`], {
        env: { LC_ALL: "C.UTF-8" },
      }).toString(),
    ).toBe(text);
  },
);
