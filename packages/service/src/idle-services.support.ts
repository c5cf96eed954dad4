import { onTestFinished } from "vitest";
import type { Service } from "./service.js";
import * as controls from "./testing/index.js";

/** Services without valuable content, which no test uses at the moment. */
const idle: Service[] = [];

/**
 * Lends a test a service in its initial state until the test ends: one that an earlier test of the file used, after a reset, or a new one. A reset
 * takes a tenth of the processor time of a start. A failed test's service is closed, so that it cannot affect later tests.
 */
export async function borrowService(create: () => Promise<Service>): Promise<Service> {
  const used = idle.pop();
  const service = used ?? (await create());
  let isOpen = true;
  const close = async (): Promise<void> => {
    isOpen = false;
    await service.close();
  };
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await close();
    else if (isOpen) idle.push(service);
  });
  if (used !== undefined) await controls.reset(controls.createClient({ baseUrl: used.controls ?? "" }));
  return { ...service, close };
}

export async function closeIdleServices(): Promise<void> {
  for (const service of idle.splice(0)) await service.close();
}
