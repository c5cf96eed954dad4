import { describe, expect, it } from "vitest";
import { passed, tooLong } from "../report/example.support.js";
import { progressTeller } from "./progress.js";

function telling(isTTY: boolean, columns = 80) {
  let text = "";
  let moment = 0;
  const output = { isTTY, columns, write: (more: string) => (text += more) };
  const teller = progressTeller({ output, now: () => moment });
  const cases = (many: number, from = 1): void => {
    for (let done = from; done < from + many; done++) {
      teller.tell({ kind: "case", result: passed("notes/getNote/own"), done });
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
    teller.tell({ kind: "start", cases: 400, lanes: 8, estimate: 40 });
    expect(taken()).toBe("400 cases in 8 lanes, about 40.0 s to stay below the rates\n");
    at(4999);
    cases(99);
    expect(taken()).toBe("");
    at(5000);
    teller.tell({ kind: "case", result: tooLong, done: 100 });
    cases(1, 101);
    expect(taken()).toBe("100/400, 1 failed, 40 requests/s, about 15.0 s left\n");
    teller.end();
    expect(taken()).toBe("");
  });

  it("prints long estimates in hours", () => {
    const { teller, taken } = telling(false);
    teller.tell({ kind: "start", cases: 5000, lanes: 1, estimate: 11_459 });
    expect(taken()).toBe("5,000 cases in 1 lane, about 3 h 10 min to stay below the rates\n");
    teller.end();
  });

  it("is one changing line on a terminal, removed at the end", () => {
    const { teller, cases, at, taken } = telling(true);
    teller.tell({ kind: "start", cases: 4, lanes: 1, estimate: 3 });
    taken();
    at(1000);
    cases(1);
    expect(taken()).toBe("\r\u001b[K1/4, 0 failed, 2 requests/s, about 2.0 s left");
    teller.tell({ kind: "note", text: "Waits 30 s for a limit" });
    expect(taken()).toBe("\r\u001b[KWaits 30 s for a limit\n");
    at(1100);
    cases(1, 2);
    taken();
    teller.end();
    expect(taken()).toBe("\r\u001b[K");
  });

  it("fits the width of the terminal", () => {
    const { teller, cases, at, taken } = telling(true, 24);
    teller.tell({ kind: "start", cases: 4, lanes: 1 });
    taken();
    at(200);
    cases(1);
    expect(taken()).toBe("\r\u001b[K1/4, 0 failed, 10 reque");
    teller.end();
  });

  it("prints the same note once, with control characters escaped", () => {
    const { teller, taken } = telling(false);
    for (let times = 0; times < 2; times++) teller.tell({ kind: "note", text: "a\u001b[2J\nb" });
    expect(taken()).toBe("a\\u001b[2J\\nb\n");
    teller.end();
  });
});
