import type { Fault } from "./fault.js";
import { startProxy } from "./proxy.js";
import type { Route } from "./routes.js";
import { startProcess, type Running, type ServiceProcess } from "./services.js";

export type { Running } from "./services.js";

/** Starts the service with or without a fault, in its own process. */
export async function startFaulty(fault: Fault | undefined, routes: ReadonlyMap<string, Route>): Promise<Running> {
  const services = startProcess();
  try {
    const running = await startFaultyIn(services, { fault, routes });
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

export interface FaultyOptions {
  readonly fault: Fault | undefined;
  readonly routes: ReadonlyMap<string, Route>;
}

/** Starts it in a process with other services. */
export async function startFaultyIn(services: ServiceProcess, { fault, routes }: FaultyOptions): Promise<Running> {
  const service = await services.start(fault !== undefined && "edits" in fault ? fault.edits : []);
  if (fault === undefined || "edits" in fault) return service;
  const route = routes.get(fault.operation);
  if (route === undefined) throw new Error(`${fault.id}: unknown operation ${fault.operation}`);
  const proxy = await startProxy(service.url, { route, wire: fault.wire });
  return {
    ...service,
    url: proxy.url,
    close: async () => {
      await proxy.close();
      await service.close();
    },
  };
}
