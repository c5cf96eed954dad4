/** One turn at a time: whoever asks during a turn gets another after it, however often. */
export interface Turns {
  readonly ask: () => void;
  /** Resolves when nobody waits for a turn any more. */
  readonly idle: () => Promise<void>;
}

/** `take` is to deal with its errors itself. */
export function takeTurns(take: () => Promise<void>): Turns {
  let running: Promise<void> | undefined;
  let isAsked = false;

  async function run(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await take();
    }
    running = undefined;
  }

  return {
    ask: () => {
      isAsked = true;
      running ??= run();
    },
    idle: async () => {
      while (running !== undefined) await running;
    },
  };
}
