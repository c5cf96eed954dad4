import path from "node:path";
import { pathToFileURL } from "node:url";
import { readSuite, runSuite, type KnownFailure, type RunReport } from "@plumbline/conformance-runtime";
import { describe, expect, it } from "vitest";
import { readFields, serveSample, type Sample } from "../support/foreign/serving.js";
import { place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

const page = readTracked("packages/plumbline/docs/conformance.md");
const files = Object.fromEntries(
  [...page.matchAll(/^```yaml\n# (\S+)\n([^]*?)^```$/gm)].map(([, name = "", text = ""]) => [name, text] as const),
);

describe("the page about conformance.yaml", () => {
  it("has an example whose suite passes a server that knows no other towns", async () => {
    expect(Object.keys(files)).toEqual(["plumbline.yaml", "openapi.yaml", "conformance.yaml"]);
    const report = await ran(files);
    expect(report.results.filter(({ status }) => status !== "pass").map(({ case: { id } }) => id)).toEqual([]);
    expect(report).toMatchObject({ passed: true, errors: [] });
  });

  it("fails without the towns of the example", async () => {
    const { passed, results } = await ran({ ...files, "conformance.yaml": "operations: {}\n" });
    const failing = results.filter(({ status }) => status === "fail").map(({ case: { id } }) => id);
    expect(passed).toBe(false);
    expect(failing).toContain("default/createParcel/accepts");
  });

  it("has steps that run", async () => {
    const [, steps = ""] = /^## Steps$[^]*?^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
    const report = await ran({ ...files, "conformance.yaml": steps });
    expect(report.results.filter(({ status }) => status !== "pass").map(({ case: { id } }) => id)).toEqual([]);
    expect(report).toMatchObject({ passed: true, errors: [] });
    expect(report.responses?.["getParcel"]?.[200]).toBeGreaterThan(1);
  });

  it("lists what a server that converts types accepts", async () => {
    const [, list = ""] = /^```json\n([^]*?)^```$/m.exec(page) ?? [];
    const knownFailures = JSON.parse(list) as readonly KnownFailure[];
    const known = await ran(files, { knownFailures, server: converting(parcels()) });
    expect(known).toMatchObject({ passed: true, errors: [] });
    expect(known.results.filter(({ status }) => status === "known-fail")).toHaveLength(knownFailures.length);
    expect((await ran(files, { knownFailures })).passed).toBe(false);
  });

  it.each([
    ["operations: {createParcels: {}}", '14 Unknown operation "createParcels". Did you mean createParcel?'],
    ["fixture: {}", '1 Unknown key of the settings of a suite "fixture". Did you mean fixtures?'],
    ["actors: {users: {}}", '10 Unknown fixture for a caller "users". Did you mean user?'],
    ["operations: {createParcel: {boddy: {}}}", '29 Unknown key of an accepted request "boddy". Did you mean body?'],
    ["errors: {createParcels: {}}", '10 Unknown operation "createParcels". Did you mean createParcel?'],
    ["errors: {createParcel: {full: {}}}", '25 Unknown error of createParcel "full". None is defined.'],
    ["filters: {listTown: {}}", '11 Unknown operation "listTown". Did you mean listTowns?'],
    ["filters: {listTowns: {less: {}}}", '23 Unknown key of filter items "less". Did you mean lesser?'],
    ["fixtures: {Town: {step: []}}", '19 Unknown key of a fixture "step". Did you mean steps?'],
    ["fixtures: {Town: {steps: [{cal: listTowns}]}}", "27 A step has no action. Did you mean call?"],
    ["fixtures: {Town: {steps: [{call: listTown}]}}", '28 Unknown operation "listTown". Did you mean listTowns?'],
    [
      "operations: {createParcel: {before: [{make: Village}]}}",
      '39 Unknown fixture "Village". Known: /parcels/{parcelId}.',
    ],
    ["untested: {parcel.lost: it is unknown}", '12 Unknown requirement "parcel.lost". None is defined.'],
  ])("rejects unknown names: %s", async (text, said) => {
    const folder = await temporaryFolder();
    await place(folder, { ...files, "conformance.yaml": `${text}\n` });
    const { code, error } = await plumbline(["generate"], { in: folder });
    expect(code).toBe(1);
    const [column = "", ...message] = said.split(" ");
    expect(error).toContain(`conformance.yaml:1:${column}  error  conformance/unknown  ${message.join(" ")}\n`);
  });
});

interface RunSettings {
  readonly knownFailures?: readonly KnownFailure[];
  readonly server?: Sample;
}

async function ran(
  given: Readonly<Record<string, string>>,
  { knownFailures = [], server: sample = parcels() }: RunSettings = {},
): Promise<RunReport> {
  const folder = await temporaryFolder();
  await place(folder, given);
  const { code, error } = await plumbline(["generate"], { in: folder });
  if (code !== 0) throw new Error(error);
  const data = path.join(folder, "packages", "conformance", "data", path.sep);
  const suite = readSuite(pathToFileURL(data));
  const server = await serveSample(sample);
  try {
    return await runSuite(suite, { url: server.url, credentials: {}, cases: suite.cases, seed: 1, knownFailures });
  } finally {
    await server.close();
  }
}

/** The same with numbers and truth values taken for towns. */
function converting(sample: Sample): Sample {
  return (asked) => sample({ ...asked, body: asked.body.replace(/"to":(?:\d+|true|false)/, '"to":"ulm"') });
}

/** Parcels that go to Ulm, as the page describes them. */
function parcels(): Sample {
  const sent: { readonly id: number; readonly to: unknown }[] = [];
  return (asked) => {
    const [, id] = /^\/parcels\/([^/]+)$/.exec(asked.path) ?? [];
    const found = sent.find((each) => String(each.id) === id);
    const route = `${asked.method} ${asked.path}`;
    if (route === "GET /towns") return { status: 200, body: [{ code: "ulm" }] };
    if (asked.method === "GET" && found !== undefined) return { status: 200, body: found };
    if (route !== "POST /parcels") return { status: 404 };
    const fields = readFields(asked);
    if (typeof fields === "number" || fields["to"] !== "ulm") return { status: 400 };
    const parcel = { id: sent.length + 1, to: "ulm" };
    sent.push(parcel);
    return { status: 201, body: parcel };
  };
}
