import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readSuite, runSuite } from "@plumbline/conformance-runtime";
import { startMockHere } from "../support/mock-process.js";
import { repository } from "../support/places.js";
import { plumbline } from "../support/run.js";

const examples = path.join(repository, "node_modules", "@readme", "oas-examples");

/** Every description but ours, by its name: version and file of third-party examples, those with odd corners, and those that users have annotated. */
export function foreignDescriptions(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const version of ["2.0", "3.0", "3.1"]) {
    const folder = path.join(examples, version, "json");
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted())
      if (file.endsWith(".json")) found.set(`${version}/${file.slice(0, -".json".length)}`, path.join(folder, file));
  }
  const own = {
    corners: ["exchanges", "names", "parameters", "schemas", "serving", "wire"],
    annotated: ["clinic", "garage", "library", "notes"],
  };
  for (const [folder, names] of Object.entries(own))
    for (const name of names)
      found.set(`${folder}/${name}`, path.join(repository, "test", "descriptions", folder, `${name}.yaml`));
  return found;
}

/** What became of the suite of one description. */
export interface ForeignOutcome {
  readonly passed: number;
  readonly total: number;
  /** The cases that did not pass: `NAME ID`, with the first difference. */
  readonly others: readonly (readonly [key: string, message: string])[];
  /** Operations to which the mock has responded with an internal error. */
  readonly broken: readonly string[];
}

/** Generates the suite of a description, and runs it against `plumbline mock --controls`. Undefined if the description is rejected. */
export async function runForeignSuite(name: string, file: string, folder: string): Promise<ForeignOutcome | undefined> {
  const settings = file.replace(/\.\w+$/, ".settings.yaml");
  const config = {
    ruleset: "minimal",
    descriptions: [
      {
        description: path.relative(folder, file),
        artifacts: {
          conformance: {
            package: "@foreign/conformance",
            out: "suite",
            mockControls: true,
            ...(existsSync(settings) ? { settings: path.relative(folder, settings) } : {}),
          },
        },
      },
    ],
  };
  await writeFile(path.join(folder, "plumbline.yaml"), JSON.stringify(config));
  const generated = await plumbline(["generate", "--allow-outside"], { in: folder });
  if (generated.code !== 0) return undefined;
  const suite = readSuite(pathToFileURL(path.join(folder, "suite", "data", path.sep)));
  if (suite.cases.length === 0) return { passed: 0, total: 0, others: [], broken: [] };
  const options = ["--allow-outside", "--controls", "--pace", "0", "--json"];
  const mock = await startMockHere(folder, [file, ...options]);
  try {
    const controls = new URL("/_mock", mock.url).href;
    const { results } = await runSuite(suite, {
      url: mock.url,
      controls,
      credentials: {},
      cases: suite.cases,
      seed: 1,
      workers: 1,
    });
    return {
      passed: results.filter(({ status }) => status === "pass").length,
      total: results.length,
      // The clock of a mock runs: a machine may be too slow for a rate.
      others: results.flatMap(({ status, case: { id, windowSeconds }, failures }) =>
        status === "pass" || (status === "skipped" && windowSeconds !== undefined)
          ? []
          : [[`${name} ${id}`, `${status}: ${failures[0]?.message ?? ""}`] as const],
      ),
      broken: brokenIn(mock.lines),
    };
  } finally {
    await mock.end();
  }
}

interface MockEvent {
  readonly event: string;
  readonly status?: number;
  readonly operation?: string;
  readonly isExample?: boolean;
}

/** The operations to which a mock has responded with an internal error that is no example, with the lines that say so. */
function brokenIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const { event, status = 0, operation = "", isExample } = JSON.parse(line) as MockEvent;
    return event === "error" || (status >= 500 && isExample !== true) ? [`${operation} ${line}`] : [];
  });
}
