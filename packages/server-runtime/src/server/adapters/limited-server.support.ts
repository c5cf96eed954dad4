/** A served description on each adapter, for tests of limits. */
import { onTestFinished } from "vitest";
import type { AdapterServer } from "../../listen.support.js";
import { createBaseServer } from "../create-server.js";
import type { AnyHandlers } from "../handlers.js";
import type { Server } from "../http/server.js";
import type { LogEntry, BaseServerOptions } from "../options.js";
import type { RequestContext } from "../request/request-context.js";
import { callers, describeApi, type TestDescription } from "../test-server.support.js";
import { adapters, type AdapterName } from "./adapters.support.js";
import { connectRaw, type RawConnection } from "./raw-http.support.js";

export interface LimitedServer {
  readonly server: Server;
  readonly log: readonly LogEntry[];
  listen(name: AdapterName): Promise<AdapterServer & { wire(): RawConnection }>;
}

type LimitedServerHandler = (input: Readonly<Record<string, unknown>>, call: RequestContext) => unknown;

/** A server of a description whose bearer tokens are the names of callers. */
export function startLimitedServer(
  given: TestDescription,
  handlers: Readonly<Record<string, LimitedServerHandler>>,
  options: BaseServerOptions = {},
): LimitedServer {
  const log: LogEntry[] = [];
  const server = createBaseServer(describeApi(given), handlers as AnyHandlers, {
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
      const host = await adapters[name](server);
      onTestFinished(host.close);
      const wires: RawConnection[] = [];
      onTestFinished(() => {
        for (const { socket } of wires) socket.destroy();
      });
      const wire = (): RawConnection => {
        const opened = connectRaw(host.port);
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
