import { describe, expect, it } from "vitest";
import { passedResult, failedResult } from "../report/example-report.support.js";
import { createProgressReporter } from "./progress-reporter.js";

function telling(isTTY: boolean, columns = 80) {
  let text = "";
  let moment = 0;
  const output = { isTTY, columns, write: (more: string) => (text += more) };
  const teller = createProgressReporter({ output, now: () => moment });
  const cases = (many: number, from = 1): void => {
    for (let done = from; done < from + many; done++) {
      teller.report({ kind: "case", result: passedResult("notes/getNote/own"), done });
    }
  };
  return {
    teller,
    cases,
    at: (milliseconds: number) => (moment = milliseconds),
    taken: () => {
      const taken = text;
      text = "";
      return taken;
    },
  };
}

describe("progress", () => {
  it("is a line every five seconds without a terminal", () => {
    const { teller, cases, at, taken } = telling(false);
    teller.report({ kind: "start", cases: 400, workers: 8, estimateSeconds: 40 });
    expect(taken()).toBe("400 cases in 8 workers, about 40.0 s to stay below the rates\n");
    at(4999);
    cases(99);
    expect(taken()).toBe("");
    at(5000);
    teller.report({ kind: "case", result: failedResult, done: 100 });
    cases(1, 101);
    expect(taken()).toBe("100/400, 1 failed, 40 requests/s, about 15.0 s left\n");
    teller.end();
    expect(taken()).toBe("");
  });

  it("prints long estimates in hours", () => {
    const { teller, taken } = telling(false);
    teller.report({ kind: "start", cases: 5000, workers: 1, estimateSeconds: 11_459 });
    expect(taken()).toBe("5,000 cases in 1 worker, about 3 h 10 min to stay below the rates\n");
    teller.end();
  });

  it("is one changing line on a terminal, removed at the end", () => {
    const { teller, cases, at, taken } = telling(true);
    teller.report({ kind: "start", cases: 4, workers: 1, estimateSeconds: 3 });
    taken();
    at(1000);
    cases(1);
    expect(taken()).toBe("\r\u001b[K1/4, 0 failed, 2 requests/s, about 2.0 s left");
    teller.report({ kind: "note", text: "Waits 30 s for a limit" });
    expect(taken()).toBe("\r\u001b[KWaits 30 s for a limit\n");
    at(1100);
    cases(1, 2);
    taken();
    teller.end();
    expect(taken()).toBe("\r\u001b[K");
  });

  it("fits the width of the terminal", () => {
    const { teller, cases, at, taken } = telling(true, 24);
    teller.report({ kind: "start", cases: 4, workers: 1 });
    taken();
    at(200);
    cases(1);
    expect(taken()).toBe("\r\u001b[K1/4, 0 failed, 10 reque");
    teller.end();
  });

  it("prints the same note once, with control characters escaped", () => {
    const { teller, taken } = telling(false);
    for (let times = 0; times < 2; times++) teller.report({ kind: "note", text: "a\u001b[2J\nb" });
    expect(taken()).toBe("a\\u001b[2J\\nb\n");
    teller.end();
  });
});
