import * as controls from "@cloud-compute/controls-client";
import { onTestFinished } from "vitest";
import type { Service } from "./service.js";

/** Services with nothing of value in them, which no test uses at the moment. */
const idle: Service[] = [];

/**
 * Gives a test a service as it is after a start, for as long as the test runs: one that an earlier test of the file used, which is reset, or a new one. A reset
 * takes a tenth of the processor time of a start. The service of a test that fails is closed, so that it has no part in what comes after.
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
