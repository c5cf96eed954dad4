import path from "node:path";
import { rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { readSuite, runSuite, type RunReport, type Suite } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { petSample } from "./support/foreign/pets.js";
import { answering, asking, serveSample, withFields, type Fault, type Sample } from "./support/foreign/serving.js";
import { trainSample, trainToken } from "./support/foreign/trains.js";
import { repository, unremovedFolder } from "./support/places.js";
import { plumbline } from "./support/run.js";

let folder: string;
let pets: Suite;
let trains: Suite;

beforeAll(async () => {
  folder = await unremovedFolder();
  [pets, trains] = await Promise.all([suiteOf("3.0", "petstore-expanded"), suiteOf("3.1", "train-travel")]);
});
afterAll(() => rm(folder, { recursive: true }));

describe("the suite of a list of pets", () => {
  it("passes a server that does as described", async () => {
    expect(outcome(await run(pets, petSample()))).toEqual({ wrong: [], problems: [], passed: true, run: 1 });
  });
});

describe("the suite of train travel", () => {
  it("passes a server that does as described", async () => {
    const report = await run(trains, trainSample());
    expect(outcome(report)).toMatchObject({ wrong: [], problems: [], passed: true });
    expect(outcome(report).run).toBeGreaterThanOrEqual(0.9);
  });
});

async function suiteOf(version: string, name: string): Promise<Suite> {
  const spec = path.join(repository, "node_modules", "@readme", "oas-examples", version, "json", `${name}.json`);
  const out = path.join(folder, name);
  const { code, error } = await plumbline(["generate", "--spec", spec, "--out", out], { in: folder });
  if (code !== 0) throw new Error(error);
  return readSuite(pathToFileURL(path.join(out, "conformance", "data", path.sep)));
}

async function run(suite: Suite, sample: Sample): Promise<RunReport> {
  const server = await serveSample(sample);
  try {
    return await runSuite(suite, {
      url: server.url,
      credentials: { main: trainToken },
      cases: suite.cases,
      seed: 1,
    });
  } finally {
    await server.close();
  }
}

/** What did not pass and why, and which part of the cases was judged. */
function outcome({ results, problems, passed }: RunReport) {
  const judged = results.filter(({ status }) => status === "pass" || status === "fail");
  const wrong = results
    .filter(({ status }) => status === "fail" || status === "could-not-run")
    .map(({ case: { id }, status, differences }) => `${status} ${id}: ${differences[0]?.message ?? ""}`);
  return { wrong, problems, passed, run: judged.length / results.length };
}
