import { rm } from "node:fs/promises";
import type { Suite } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missedSideEffects } from "../faults/frame-missed.js";
import { unremovedFolder } from "../support/places.js";
import { annotatedApis, type AnnotatedName } from "./annotated/annotated-apis.js";
import { casesWith, generateAnnotated, runAnnotated } from "./annotated/annotated.js";

const names = Object.keys(annotatedApis) as readonly AnnotatedName[];

const isFull = process.env["MODE"] === "full";

let folder: string;
beforeAll(async () => {
  folder = await unremovedFolder();
});
afterAll(() => rm(folder, { recursive: true }));

// The short form has the server whose suite needs the least time.
describe.each(isFull ? names : (["clinic"] as const))("the suite of the annotated description of a %s", (name) => {
  const { faults, skipped } = annotatedApis[name];
  let suite: Suite;
  beforeAll(async () => {
    suite = await generateAnnotated(name, folder);
  });

  it("passes a server that does as described, with fixed tokens", async () => {
    const report = await runAnnotated(name, suite);
    expect(casesWith(report, "fail", "error")).toEqual([]);
    expect(report).toMatchObject({ passed: true, errors: [] });
    expect(casesWith(report, "skipped").toSorted()).toEqual(skipped.toSorted());
  });

  it("has twenty faults or more, each once", () => {
    expect(new Set<string>(faults).size).toBe(faults.length);
    expect(faults.length).toBeGreaterThanOrEqual(20);
  });

  it.each(isFull ? faults : faults.slice(0, 1))(
    "reports the error, if it is not listed as missed: %s",
    async (fault) => {
      const report = await runAnnotated(name, suite, fault);
      const isReported = casesWith(report, "fail").length > 0;
      expect(isReported, report.errors.join("\n")).toBe(!Object.hasOwn(missedSideEffects[name], fault));
    },
  );
});
