import { existsSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readSuite, runSuite, type RunReport, type Suite, type Timer } from "@plumbline/conformance-runtime";
import { serveSample } from "../../support/foreign/serving.js";
import { repository } from "../../support/places.js";
import { plumbline } from "../../support/run.js";
import { annotatedApis, annotatedCredentials, type AnnotatedApi, type AnnotatedName } from "./annotated-apis.js";

/** Generates the suite of a description. Its settings have the items of filters, and nothing else. */
export async function generateAnnotated(name: AnnotatedName, folder: string): Promise<Suite> {
  const file = `${name}.yaml`;
  const source = path.join(repository, "test", "descriptions", "annotated");
  const settings = `${name}.settings.yaml`;
  const isSettled = existsSync(path.join(source, settings));
  for (const each of isSettled ? [file, settings] : [file])
    await copyFile(path.join(source, each), path.join(folder, each));
  const artifact = `conformance: {package: '@${name}/conformance', out: ${name}${isSettled ? `, settings: ${settings}` : ""}}`;
  const config = `ruleset: minimal\ndescriptions: [{description: ${file}, artifacts: {${artifact}}}]\n`;
  await writeFile(path.join(folder, "plumbline.yaml"), config);
  const { code, error } = await plumbline(["generate"], { in: folder });
  if (code !== 0) throw new Error(error);
  return readSuite(pathToFileURL(path.join(folder, name, "data", path.sep)));
}

/** Runs a suite on the server as described, or with one of its faults. Their common clock moves where the suite waits, and nowhere else. */
export async function runAnnotated(name: AnnotatedName, suite: Suite, fault?: string): Promise<RunReport> {
  const { serve }: AnnotatedApi = annotatedApis[name];
  let time = 0;
  const timer: Timer = {
    now: () => time,
    wait: async (milliseconds) => void (time += milliseconds),
  };
  const server = await serveSample(serve(fault, timer.now));
  try {
    return await runAnnotatedAt(name, suite, server.url, timer);
  } finally {
    await server.close();
  }
}

/** Runs a suite with fixed tokens, and without test controls. */
export async function runAnnotatedAt(
  name: AnnotatedName,
  suite: Suite,
  url: string,
  timer?: Timer,
): Promise<RunReport> {
  return runSuite(suite, { url, credentials: annotatedCredentials(name), cases: suite.cases, seed: 1, timer });
}

/** The cases with one of these statuses, without rates that a slow machine cannot test. */
export function casesWith({ results }: RunReport, ...statuses: readonly string[]): readonly string[] {
  return results.flatMap(({ case: { id, windowSeconds }, missing, status }) =>
    statuses.includes(status) && !(windowSeconds !== undefined && missing.includes("clock")) ? [id] : [],
  );
}
