import path from "node:path";
import { pathToFileURL } from "node:url";
import { copyFile, writeFile } from "node:fs/promises";
import { readSuite, runSuite, type RunReport, type Suite } from "@plumbline/conformance-runtime";
import { serveSample, type Sample } from "../../support/foreign/serving.js";
import { repository } from "../../support/places.js";
import { plumbline } from "../../support/run.js";
import { clinic, clinicCallers, clinicFaults } from "./clinic.js";
import { garage, garageCallers, garageFaults } from "./garage.js";
import { library, libraryCallers, libraryFaults } from "./library.js";
import type { SampleCaller } from "./sample-api.js";

/** A description of `test/descriptions/annotated`, with its server. */
export interface AnnotatedApi {
  readonly callers: Readonly<Record<string, SampleCaller>>;
  readonly faults: readonly string[];
  /** A server as described, or with one of the faults. */
  readonly serve: (fault?: string) => Sample;
  /** The cases of the suite that nothing of a profile can provide for. */
  readonly skipped: readonly string[];
}

export const annotatedApis = {
  library: api(library, libraryFaults, libraryCallers, ["books/listBooks/limits/requests/per-user"]),
  garage: api(garage, garageFaults, garageCallers, [
    "tickets/payTicket/limits/payments/per-user",
    "tickets/getTicket/states/paid/after/900",
  ]),
  clinic: api(clinic, clinicFaults, clinicCallers, ["patients/createPatient/grants/exact"]),
} satisfies Readonly<Record<string, AnnotatedApi>>;

export type AnnotatedName = keyof typeof annotatedApis;

function api<Fault extends string>(
  serve: (fault?: Fault) => Sample,
  faults: readonly Fault[],
  callers: Readonly<Record<string, SampleCaller>>,
  skipped: readonly string[],
): AnnotatedApi {
  return { callers, faults, skipped, serve: (name) => serve(faults.find((each) => each === name)) };
}

/** Generates the suite of a description, without any settings. */
export async function generateAnnotated(name: AnnotatedName, folder: string): Promise<Suite> {
  const file = `${name}.yaml`;
  await copyFile(path.join(repository, "test", "descriptions", "annotated", file), path.join(folder, file));
  const artifact = `conformance: {package: '@${name}/conformance', out: ${name}}`;
  const config = `ruleset: minimal\ndescriptions: [{description: ${file}, artifacts: {${artifact}}}]\n`;
  await writeFile(path.join(folder, "plumbline.yaml"), config);
  const { code, error } = await plumbline(["generate"], { in: folder });
  if (code !== 0) throw new Error(error);
  return readSuite(pathToFileURL(path.join(folder, name, "data", path.sep)));
}

/** Runs a suite on the server as described, or with one of its faults. */
export async function runAnnotated(name: AnnotatedName, suite: Suite, fault?: string): Promise<RunReport> {
  const { serve }: AnnotatedApi = annotatedApis[name];
  const server = await serveSample(serve(fault));
  try {
    return await runAnnotatedAt(name, suite, server.url);
  } finally {
    await server.close();
  }
}

/** Runs a suite with fixed tokens, and without test controls. */
export async function runAnnotatedAt(name: AnnotatedName, suite: Suite, url: string): Promise<RunReport> {
  const { callers }: AnnotatedApi = annotatedApis[name];
  const tokens = Object.entries(callers)
    .slice(2)
    .filter(([, { grants }]) => grants === undefined)
    .map(([token, { scopes }]) => ({ token, scopes: scopes.join(" ") }));
  const restricted = Object.entries(callers).find(([, { grants }]) => grants !== undefined)?.[0];
  return runSuite(suite, {
    url,
    credentials: {
      main: `${name}-main`,
      otherAccount: `${name}-other`,
      tokens,
      ...(restricted === undefined ? {} : { restricted }),
    },
    cases: suite.cases,
    seed: 1,
  });
}

/** The cases with one of these statuses, without rates that a slow machine cannot test. */
export function casesWith({ results }: RunReport, ...statuses: readonly string[]): readonly string[] {
  return results.flatMap(({ case: { id, windowSeconds }, missing, status }) =>
    statuses.includes(status) && !(windowSeconds !== undefined && missing.includes("clock")) ? [id] : [],
  );
}
