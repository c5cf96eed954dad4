import { describe, expect, it } from "vitest";
import { handlerEdits } from "../support/handlers/edits.js";
import { generateHandlers, proveHandlers } from "../support/handlers/prove-handlers.js";

const histories = 500;
const seed = Number(process.env["SEED"] ?? 0);

describe(`${histories} random histories of handlers (SEED=${seed})`, () => {
  it("compile, lose nothing, and are stable", async () => {
    const failed: string[] = [];
    const edits = new Set<string>();
    let changes = 0;
    for (let index = seed; index < seed + histories; index++) {
      const proof = await proveHandlers(index);
      for (const edit of proof.edits) edits.add(edit);
      changes += proof.changes;
      if (proof.errors.length > 0) failed.push(`${index} (${proof.edits.join(", ")}): ${proof.errors.join("\n")}`);
    }
    expect(failed).toEqual([]);
    expect([...edits].toSorted()).toEqual(Object.keys(handlerEdits).toSorted());
    expect(changes).toBeGreaterThan(histories);
  });

  it.each<readonly [string, (text: string) => string]>([
    ["Lost: ", (text) => text.replace(/^ {2}\/[/*] .*$/m, "")],
    ["Lost: ", (text) => text.replace(/=> label !== /, "=> label === ")],
    ["Lost: ", (text) => text.replace(/async \(/, "async  (")],
    ["A second run changes files.", (text) => `${text}\n`],
    [
      "not assignable|does not exist|has no exported|Property '\\w+' is missing",
      (text) => text.replace(/(Pick<\s*Handlers,\s*\|?\s*")/, "$1no"),
    ],
  ])("a fault is found as %j", async (expected, damage) => {
    const found: string[] = [];
    for (let index = 0; index < 12; index++) {
      const { errors } = await proveHandlers(index, {
        generate: async (operations, project) => {
          const { texts, state } = await generateHandlers(operations, project);
          if (project.state === "") return { texts, state };
          return {
            texts: Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, damage(text)])),
            state,
          };
        },
      });
      found.push(...errors);
    }
    expect(found.join("\n")).toMatch(new RegExp(expected));
  });
});
