import { createInterface } from "node:readline/promises";
import { UsageError } from "../command.js";

/** Where questions are asked. */
export interface Asking {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks one thing after the other of whoever sits at a terminal. */
export interface Questions {
  /**
   * Asks until `judge` has an answer: it gives what was meant, or says in an Objection what is wrong. An empty line is the answer `usual`,
   * where there is one. Throws a UsageError when whoever was asked leaves.
   */
  readonly ask: <T>(text: string, usual: string | undefined, judge: (answer: string) => T | Objection) => Promise<T>;
  readonly say: (text: string) => void;
  readonly close: () => void;
}

/** Why an answer will not do. */
export class Objection {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function questionsOn({ input, output }: Asking): Questions {
  const lines = createInterface({ input, output });
  const answers = lines[Symbol.asyncIterator](); // keeps what is written before it is asked for
  return {
    say: (text) => void output.write(`${text}\n`),
    close: () => lines.close(),
    ask: async (text, usual, judge) => {
      for (;;) {
        lines.setPrompt(usual === undefined ? `${text} ` : `${text} (${usual}) `);
        lines.prompt();
        const { value: line = "", done } = await answers.next();
        if (done === true) throw new UsageError("Without an answer nothing is written.");
        const answer = line.trim();
        const judged = judge(answer === "" ? (usual ?? "") : answer);
        if (!(judged instanceof Objection)) return judged;
        output.write(`${judged.text}\n`);
      }
    },
  };
}
