/** A record of requested and of acknowledged writes. The value of a deleted object is `null`. */
export interface Ledger {
  /** Runs a request that writes a value, and records whether it was acknowledged. */
  write(name: string, value: string | null, request: () => Promise<unknown>): Promise<void>;
  /** Resolves after so many more acknowledged requests. */
  acknowledges(count: number): Promise<void>;
  /** Names that certainly exist. */
  names(): readonly string[];
  /** Compares the ledger with the actual values, which it adopts. Returns the differences. */
  compare(found: ReadonlyMap<string, string>): string[];
}

export function newLedger(): Ledger {
  const sure = new Map<string, string>();
  // Requests without a response, which may have had an effect or not.
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
