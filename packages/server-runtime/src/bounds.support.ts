/** A served description on each adapter, for tests of limits. */
import { onTestFinished } from "vitest";
import type { Call } from "./call.js";
import { hosts, type Host, type HostName } from "./hosts.support.js";
import type { LogEntry, ServeOptions } from "./options.js";
import { serve, type AnyHandlers } from "./serve.js";
import { callers, described, type Described } from "./served.support.js";
import type { Server } from "./server.js";
import { wireTo, type Wire } from "./wire.support.js";

export interface Bounded {
  readonly server: Server;
  readonly log: readonly LogEntry[];
  listen(name: HostName): Promise<Host & { wire(): Wire }>;
}

type BoundedHandler = (input: Readonly<Record<string, unknown>>, call: Call) => unknown;

/** A server of a description whose bearer tokens are the names of callers. */
export function bounded(
  given: Described,
  handlers: Readonly<Record<string, BoundedHandler>>,
  options: ServeOptions = {},
): Bounded {
  const log: LogEntry[] = [];
  const server = serve(described(given), handlers as AnyHandlers, {
    authenticate: {
      bearer: (token: string) => (callers[token] === undefined ? undefined : { caller: callers[token] }),
    },
    requestId: () => "r",
    log: (entry) => log.push(entry),
    ...options,
  });
  return {
    server,
    log,
    listen: async (name) => {
      const host = await hosts[name](server);
      onTestFinished(host.close);
      const wires: Wire[] = [];
      onTestFinished(() => {
        for (const { socket } of wires) socket.destroy();
      });
      const wire = (): Wire => {
        const opened = wireTo(host.port);
        wires.push(opened);
        return opened;
      };
      return { ...host, wire };
    },
  };
}

export const ann = "Authorization: Bearer ann";
export const json = "Content-Type: application/json";

/** Waits, one iteration of the event loop at a time, until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
