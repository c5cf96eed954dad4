import type { Store } from "../store/store.js";
import { steadyTime } from "./steady-time.js";

/** The time of the service: that of the machine, which never goes back here, plus the offset of the test controls. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The same without the offset of the test controls. */
  readonly real: () => number;
  /** Whether jobs of the platform are on hold. */
  readonly isHeld: boolean;
  /** Moves the clock forward by milliseconds, for all replicas. */
  advance(by: number): Promise<void>;
  hold(isHeld: boolean): Promise<void>;
  /** Reads the state that the replicas share. */
  refresh(): Promise<void>;
}

export async function clockOf(store: Store): Promise<Clock> {
  let offset = 0;
  let isHeld = false;
  const real = steadyTime();
  const now = (): number => real() + offset;
  const refresh = async (): Promise<void> => {
    const setting = await store.read({ account: null, now: real() }, (tx) => tx.settings.get(id));
    offset = setting?.offset ?? 0;
    isHeld = setting?.hold ?? false;
  };
  const change = async (by: { readonly offset?: number; readonly hold?: boolean }): Promise<void> => {
    await store.write({ account: null, now: now() }, async (tx) => {
      const setting = await tx.settings.get(id);
      const next = {
        id,
        offset: (setting?.offset ?? 0) + (by.offset ?? 0),
        hold: by.hold ?? setting?.hold ?? false,
      };
      await (setting === undefined ? tx.settings.add(next) : tx.settings.update(next));
    });
    await refresh();
    await store.notice();
  };
  await refresh();
  return {
    now,
    real,
    get isHeld() {
      return isHeld;
    },
    advance: (by) => change({ offset: by }),
    hold: (hold) => change({ hold }),
    refresh,
  };
}

const id = "clock";
