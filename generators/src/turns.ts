/** One turn at a time: whoever asks during a turn gets another after it, however often. */
export interface Turns {
  readonly ask: () => void;
  /** Resolves when all turns that were asked for so far are over. */
  readonly idle: () => Promise<void>;
}

/** `take` is to deal with its errors itself. */
export function takeTurns(take: () => Promise<void>): Turns {
  let last: Promise<void> = Promise.resolve();
  let isWanted = false;
  return {
    ask: () => {
      if (isWanted) return;
      isWanted = true;
      last = last.then(() => {
        isWanted = false;
        return take();
      });
    },
    idle: () => last,
  };
}
