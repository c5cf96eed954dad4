/** What was asked for, and what of it was acknowledged: `null` for what is gone. */
export interface Ledger {
  /** Runs a request that makes something so, and notes whether it was acknowledged. */
  write(name: string, value: string | null, request: () => Promise<unknown>): Promise<void>;
  /** Resolves when so many more requests have been acknowledged. */
  acknowledges(count: number): Promise<void>;
  /** Names of what is there for sure. */
  names(): readonly string[];
  /** Compares with what is there. From then on that is what is sure. Gives what should be otherwise. */
  compare(found: ReadonlyMap<string, string>): string[];
}

export function newLedger(): Ledger {
  const sure = new Map<string, string>();
  // What was asked for and not answered, so that both may be.
  const asked = new Map<string, string | null>();
  let missing = 0;
  let onEnough = (): void => {};
  const settle = (name: string, value: string | null): void => {
    asked.delete(name);
    if (value === null) sure.delete(name);
    else sure.set(name, value);
  };
  return {
    write: async (name, value, request) => {
      asked.set(name, value);
      await request();
      settle(name, value);
      missing -= 1;
      if (missing === 0) onEnough();
    },
    acknowledges: (count) =>
      new Promise((resolve) => {
        missing = count;
        onEnough = resolve;
      }),
    names: () => [...sure.keys()].filter((name) => !asked.has(name)),
    compare: (found) => {
      const wrong: string[] = [];
      for (const name of new Set([...sure.keys(), ...asked.keys(), ...found.keys()])) {
        const is = found.get(name) ?? null;
        const fits = is === (sure.get(name) ?? null) || (asked.has(name) && is === asked.get(name));
        if (!fits) wrong.push(`${name} is ${is}, and was acknowledged as ${sure.get(name) ?? null}`);
        settle(name, is);
      }
      return wrong;
    },
  };
}
