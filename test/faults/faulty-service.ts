import type { Fault, SourceEdit } from "./fault.js";
import { startProxy } from "./proxy.js";
import type { Route } from "./routes.js";
import { startServiceProcess, type RunningService, type ServiceProcess } from "./services.js";

export type { RunningService } from "./services.js";

/** Starts the service with or without a fault, in its own process. */
export async function startFaultyService(
  fault: Fault | undefined,
  routes: ReadonlyMap<string, Route>,
): Promise<RunningService> {
  const services = startServiceProcess();
  try {
    const running = await startFaultyServiceIn(services, { fault, routes });
    return {
      ...running,
      close: async () => {
        await running.close();
        await services.close();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

export interface FaultyServiceOptions {
  readonly fault: Fault | undefined;
  readonly routes: ReadonlyMap<string, Route>;
}

/** Starts it in a process with other services. */
export async function startFaultyServiceIn(
  services: ServiceProcess,
  { fault, routes }: FaultyServiceOptions,
): Promise<RunningService> {
  const service = await services.start(fault === undefined ? [] : editsOf(fault));
  if (fault === undefined) return service;
  const running = await withWireFault(service, { fault, routes });
  return {
    ...running,
    close: async () => {
      await running.close();
      await service.close();
    },
  };
}

export function editsOf(fault: Fault): readonly SourceEdit[] {
  return "edits" in fault ? fault.edits : [];
}

/** A running service as a client sees it with a fault: through a proxy, if the fault is on the wire. Its `close` ends the proxy alone. */
export async function withWireFault(
  service: RunningService,
  { fault, routes }: { readonly fault: Fault; readonly routes: ReadonlyMap<string, Route> },
): Promise<RunningService> {
  if ("edits" in fault) return { ...service, close: async () => undefined };
  const route = routes.get(fault.operation);
  if (route === undefined) throw new Error(`${fault.id}: unknown operation ${fault.operation}`);
  const { url, close } = await startProxy(service.url, { route, wire: fault.wire });
  return { ...service, url, close };
}
