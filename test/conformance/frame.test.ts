import { scenarios, suite } from "@cloud-compute/conformance";
import type { Case, RunReport, Suite } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { besidesFaults } from "../faults/besides.js";
import type { Fault } from "../faults/fault.js";
import { editsOf } from "../faults/faulty-service.js";
import { frameFaults } from "../faults/frame-faults.js";
import { missedFrameFaults } from "../faults/frame-missed.js";
import { runCases } from "../faults/matrix.js";
import { rejectionFaults } from "../faults/rejection-faults.js";
import { startServiceProcess, type ServiceProcess } from "../faults/services.js";

const isFull = process.env["MODE"] === "full";

let services: ServiceProcess;
beforeAll(() => {
  services = startServiceProcess();
});
afterAll(() => services.close());

/** The cases on a service with a fault, or without one. */
async function run(operations: readonly string[], fault?: Fault): Promise<RunReport> {
  return runOn(fault, ({ id, operation }) =>
    operations.length === 0 ? true : !isOfRejections(id) && operations.includes(operation),
  );
}

async function runOn(fault: Fault | undefined, isMeant: (each: Case) => boolean): Promise<RunReport> {
  return runFrames(
    fault,
    suite.cases.filter((each) => each.kind === "frame" && isMeant(each)),
  );
}

async function runFrames(fault: Fault | undefined, cases: readonly Case[]): Promise<RunReport> {
  const service = await services.start(fault === undefined ? [] : editsOf(fault));
  onTestFinished(() => service.close());
  return runCases(service, { suite, scenarios, cases, seed: 1, workers: 1 });
}

/** The case of all rejected requests, with those of one operation only. */
function rejectionsOf(operation: string): readonly Case[] {
  return suite.cases
    .filter(({ id }) => isOfRejections(id))
    .map((each) => ({
      ...each,
      steps: each.steps.map((step) =>
        "rejections" in step
          ? { ...step, rejections: step.rejections.filter(({ of }) => of.includes(`/${operation}/`)) }
          : step,
      ),
    }));
}

/** True for the one case of all rejected requests. */
function isOfRejections(id: string): boolean {
  return id.endsWith("/frame/rejected");
}

/** The messages of a report, with other ids in place of those that a run creates. */
function messagesOf({ results }: RunReport): readonly string[] {
  return results.flatMap(({ failures }) => failures.map(({ message }) => message.replaceAll(/ \d+(?= |,)/g, " N")));
}

describe("what an operation changes besides", () => {
  test("is nothing, where the service does as described", async () => {
    // An operation for each mechanism: fields of a body, cascades, other objects, entries of the log.
    const report = await run(isFull ? [] : ["updateToken", "deleteDomain", "deleteTag"]);
    expect(messagesOf(report)).toEqual([]);
    expect(new Set(report.results.map(({ status }) => status))).toEqual(new Set(["pass"]));
    // Seven tenths of what all other cases need: each operation is called about a second object, too.
    expect(report.requests).toBeLessThan(13_600);
  });

  const ofAnother = "besides/updateInstance/other-account";

  test.each(besidesFaults.filter(({ id }) => isFull || id === ofAnother))(
    "is reported: $description",
    async (fault) => {
      const report = isFull
        ? await run([fault.operation], fault)
        : await runOn(fault, ({ id }) => id === "instances/updateInstance/frame/group");
      const messages = messagesOf(report);
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.every((each) => each.startsWith(`${fault.operation} also `))).toBe(true);
      // With the field, the object, its owner and both values.
      if (fault.id === ofAnother)
        expect(messages).toContain(
          'updateInstance also changes /group of Instance N of another account from "" to "text", as GET /compute/instances shows. The description does not state that it does.',
        );
    },
  );

  const written = frameFaults.filter(({ id }) => isFull || id === "also-changed/bootInstance/config");

  test.each(written)("is reported where strangers wrote it, or listed as missed: $id", async (fault) => {
    const isReported = messagesOf(await run([fault.operation], fault)).length > 0;
    expect(isReported).toBe(!Object.hasOwn(missedFrameFaults, fault.id));
  });

  test("is missed only for faults that exist", () => {
    expect(Object.keys(missedFrameFaults).filter((id) => !frameFaults.some((fault) => fault.id === id))).toEqual([]);
  });

  test("is not what the platform did meanwhile, which the suite knows by the time", async () => {
    const cases = suite.cases.filter(({ id }) => id === "domains/updateDomain/frame/group");
    const changedIn = async ({ clock, frame }: Suite): Promise<RunReport> => {
      const service = await services.start([]);
      onTestFinished(() => service.close());
      const options = { suite: { ...suite, clock, frame }, scenarios, cases, seed: 1, workers: 1 };
      return runCases(service, options);
    };
    const { clock, frame } = suite;
    if (clock === undefined || frame === undefined) throw new Error("The suite has a clock and frames.");
    // The second between the two readings takes eight days, in which there are weekly backups.
    const [step] = clock.advance.steps;
    const steps = step !== undefined && "call" in step ? [{ ...step, body: { advance: "P8D" } }] : [];
    const slow = { ...suite, clock: { ...clock, advance: { ...clock.advance, steps } } };
    const report = await changedIn(slow);
    expect(messagesOf(report)).toEqual([]);
    expect(report.results.map(({ status }) => status)).toEqual(["pass"]);
    const without = { ...frame, always: frame.always.filter(({ timed }) => timed === undefined) };
    expect((await changedIn({ ...slow, frame: without })).results.map(({ status }) => status)).toEqual(["fail"]);
  });
});

describe("what a rejected request changes", () => {
  test("is nothing, of each kind of rejection of each operation", async () => {
    const report = await runOn(undefined, ({ id }) => isOfRejections(id));
    expect({ messages: messagesOf(report), status: report.results.map(({ status }) => status) }).toEqual({
      messages: [],
      status: ["pass"],
    });
  });

  test.each(isFull ? rejectionFaults : rejectionFaults.slice(0, 1))(
    "is reported with the request that changes it: $description",
    async (fault) => {
      const messages = messagesOf(
        isFull
          ? await runOn(fault, ({ id }) => isOfRejections(id))
          : await runFrames(fault, rejectionsOf(fault.operation)),
      );
      expect(messages.length).toBeGreaterThan(0);
      expect(messages[0]).toMatch(new RegExp(`^${fault.operation} rejects the request of \\S+/${fault.operation}/`));
    },
  );
});
