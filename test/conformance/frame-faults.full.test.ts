import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { editsOf } from "../faults/faulty-service.js";
import { frameFaults } from "../faults/frame-faults.js";
import { frameWitnesses } from "../faults/frame-witnesses.js";
import { startServiceProcess, type RunningService, type ServiceProcess } from "../faults/services.js";
import { witnessApi } from "../faults/witness-api.js";

let services: ServiceProcess;
let sound: RunningService;
beforeAll(async () => {
  services = startServiceProcess();
  sound = await services.start([]);
});
afterAll(() => services.close());

describe("requests without the suite", () => {
  test("exist for each fault that changes something else", () => {
    expect(frameFaults.map(({ id }) => id.replace("also-changed/", ""))).toEqual(Object.keys(frameWitnesses));
  });

  test.each(frameFaults)("show that $description: $id", async (fault) => {
    await witnessApi(sound).control("/reset");
    expect(await isUnchanged(sound, fault.id)).toBe(true);
    const faulty = await services.start(editsOf(fault));
    onTestFinished(() => faulty.close());
    expect(await isUnchanged(faulty, fault.id)).toBe(false);
  });
});

/** Whether what a witness reads stays the same, a minute after it was prepared. */
async function isUnchanged(service: RunningService, id: string): Promise<boolean> {
  const api = witnessApi(service);
  const { read, act } = (await frameWitnesses[id.replace("also-changed/", "")]?.(api)) ?? {};
  if (read === undefined || act === undefined)
    throw new Error(`No requests show ${id}. Add them to frame-witnesses.ts.`);
  await api.control("/clock", { advance: "PT1M" });
  const before = JSON.stringify(await read());
  await act();
  await api.settle();
  return JSON.stringify(await read()) === before;
}
