/** The open sessions, by id. */
export interface Sessions<S> {
  readonly add: (id: string, session: S) => void;
  /** Returns a session, which then counts as used. Undefined if there is none. */
  readonly use: (id: string) => S | undefined;
  readonly remove: (id: string) => void;
  readonly closeAll: () => Promise<void>;
}

/** Sessions that were idle longer than this are closed when another one opens. */
const maxIdleMs = 60 * 60_000;

/** Creates a bounded set of sessions. A session above the bound closes the one that was idle longest. */
export function createSessions<S>({
  max,
  close,
  now = Date.now,
}: {
  readonly max: number;
  readonly close: (session: S) => Promise<void>;
  readonly now?: () => number;
}): Sessions<S> {
  // In the order of their last use.
  const sessions = new Map<string, { readonly session: S; readonly usedAt: number }>();
  const end = async (id: string): Promise<void> => {
    const entry = sessions.get(id);
    sessions.delete(id);
    if (entry !== undefined) await close(entry.session);
  };
  return {
    add: (id, session) => {
      sessions.set(id, { session, usedAt: now() });
      for (const [each, { usedAt }] of sessions)
        if (sessions.size > max || now() - usedAt > maxIdleMs) void end(each).catch(() => {});
    },
    use: (id) => {
      const entry = sessions.get(id);
      if (entry === undefined) return undefined;
      sessions.delete(id);
      sessions.set(id, { ...entry, usedAt: now() });
      return entry.session;
    },
    remove: (id) => void sessions.delete(id),
    closeAll: async () => {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}
