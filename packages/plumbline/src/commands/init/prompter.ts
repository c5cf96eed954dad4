import { createInterface } from "node:readline/promises";
import { UsageError } from "@plumbline/command-line";

/** The streams of a terminal. */
export interface PromptStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks the user of a terminal. */
export interface Prompter {
  /**
   * Asks until the answer is valid.
   *
   * @param text - The question.
   * @param usual - The default, which an empty line selects.
   * @param parse - Parses an answer, or returns an Objection that says what is wrong.
   * @throws UsageError at the end of the input.
   */
  readonly ask: <T>(
    text: string,
    usual: string | undefined,
    parse: (answer: string) => T | InvalidAnswer,
  ) => Promise<T>;
  readonly say: (text: string) => void;
  readonly close: () => void;
}

/** An answer is invalid. The text says why. */
export class InvalidAnswer {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function createPrompter({ input, output }: PromptStreams): Prompter {
  const lines = createInterface({ input, output });
  const answers = lines[Symbol.asyncIterator](); // buffers lines that arrive before the question
  return {
    say: (text) => void output.write(`${text}\n`),
    close: () => lines.close(),
    ask: async (text, usual, parse) => {
      for (;;) {
        lines.setPrompt(usual === undefined ? `${text} ` : `${text} (${usual}) `);
        lines.prompt();
        const { value: line = "", done } = await answers.next();
        if (done === true) throw new UsageError("No answer, so nothing was written.");
        const answer = line.trim();
        const parsed = parse(answer === "" ? (usual ?? "") : answer);
        if (!(parsed instanceof InvalidAnswer)) return parsed;
        output.write(`${parsed.text}\n`);
      }
    },
  };
}
