import path from "node:path";
import type { Api, Operation, Requirement } from "@plumbline/kit/model";
import { buildApi, loadDescription, loadRequirements } from "@plumbline/kit/openapi";
import { beforeAll, describe, expect, it } from "vitest";
import { controls, further, operations } from "../operations.js";
import { repository } from "../support/places.js";

let api: Api;
beforeAll(async () => {
  api = await read("openapi.yaml", "requirements.yaml");
});

describe("the description of the API", () => {
  it("has the operations of the documents, with their scopes, and two more", () => {
    const documented = api.operations.filter((each) => !further.includes(callOf(each)));
    expect(sorted(documented.map((each) => `${callOf(each)}: ${needsOf(each)}`))).toEqual(
      sorted(operations.map(({ call, needs }) => `${call}: ${needs}`)),
    );
    const others = api.operations.filter((each) => further.includes(callOf(each)));
    expect(others.map(callOf)).toEqual(further);
    expect(others.map((each) => each.tag)).toEqual(["events", "events"]);
  });

  it("names each operation once, in camel case", () => {
    const names = api.operations.map((each) => each.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z]+([A-Z]+[a-z]*)*$/.test(name))).toEqual([]);
  });

  it("differs from one that lacks an operation or requires another scope", () => {
    const [first, ...others] = api.operations;
    const table = (rows: readonly Operation[]) => sorted(rows.map((each) => `${callOf(each)}: ${needsOf(each)}`));
    expect(table(others)).not.toEqual(table(api.operations));
    if (first === undefined) throw new Error("the description has no operations");
    const other: Operation = { ...first, security: [[]] };
    expect(needsOf(other)).toBe("anonymous");
    expect(table([other, ...others])).not.toEqual(table(api.operations));
  });
});

describe("the requirements", () => {
  it("are 600 at least, each stated, each open point settled", () => {
    const { requirements, assumptions } = api;
    expect(requirements.length).toBeGreaterThanOrEqual(600);
    const settled = new Set(assumptions.map(({ settles }) => settles));
    const holes = requirements.filter(({ id, open, statedAt }) => (open ? !settled.has(id) : statedAt.length === 0));
    expect(holes.map(({ id }) => id)).toEqual([]);
    expect(requirements.some(({ open }) => open)).toBe(true);
  });

  it("are carried by keywords or extension fields, at most 20 by prose only", () => {
    const proseOnly = api.requirements.filter(({ isProseOnly }) => isProseOnly).map(({ id }) => id);
    expect(proseOnly.length, proseOnly.join()).toBeLessThanOrEqual(20);
  });

  it("have an id, a sentence, and lines that grow within a section", () => {
    const ids = api.requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(id))).toEqual([]);
    expect(api.requirements.filter(({ text }) => !/\S \S.*\.$/.test(text)).map(({ id }) => id)).toEqual([]);
    expect(fallsBack(api.requirements)).toEqual([]);
  });

  it("fails when a line is out of order", () => {
    const [first, second] = api.requirements;
    if (first === undefined || second === undefined) throw new Error("the description has no requirements");
    const swapped = [
      { ...first, line: 9 },
      { ...second, line: 8 },
    ];
    expect(fallsBack(swapped)).toEqual([second.id]);
  });
});

describe("the description of the test controls", () => {
  it("has the operations of their table, with their status", async () => {
    const described = (await read("test-controls.yaml")).operations;
    const rows = described.map((each) => {
      const success = each.responses.map(({ status }) => status).filter((status) => String(status).startsWith("2"));
      return `${callOf(each)} ${success.join(" ")}`;
    });
    expect(sorted(rows)).toEqual(sorted(controls));
    expect(described.map(needsOf)).toEqual(described.map(() => "public"));
  });
});

/** A description of `spec/`, without the linter, which `npm run check` runs. */
async function read(file: string, requirementsFile?: string): Promise<Api> {
  const description = await loadDescription(path.join(repository, "spec", file));
  const requirements =
    requirementsFile === undefined
      ? undefined
      : await loadRequirements(path.join(repository, "spec", requirementsFile), description.folder);
  return buildApi(description, { names: {}, requirements });
}

function callOf(operation: Operation): string {
  return `${operation.method} ${operation.path}`;
}

/** The model's values in the words of the table. */
function needsOf({ security }: Operation): string {
  if (security.length === 0) return "public";
  const alternatives = security.map((schemes) => {
    if (schemes.length === 0) return "anonymous";
    const scopes = schemes.flatMap((each) => each.scopes);
    return scopes.length === 0 ? "any token" : scopes.join(" and ");
  });
  return alternatives.join(" or ");
}

/** Requirements that precede the one listed before them in their section. */
function fallsBack(requirements: readonly Requirement[]): readonly string[] {
  return requirements.flatMap((here, index) => {
    const before = requirements[index - 1];
    const together = before?.document === here.document && before.section === here.section;
    return together && before.line > here.line ? [here.id] : [];
  });
}

function sorted(rows: readonly string[]): readonly string[] {
  return [...rows].sort();
}
