import { beforeAll, describe, expect, it } from "vitest";
import { controls, further, operations } from "../operations.js";
import { repository } from "../support/places.js";
import { plumbline, type Ended } from "../support/run.js";

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly security: readonly (readonly { readonly scheme: string; readonly scopes: readonly string[] }[])[];
  readonly responses: readonly { readonly status: number | string }[];
}

interface Trace {
  readonly requirement: {
    readonly id: string;
    readonly document: string;
    readonly section: string;
    readonly line: number;
    readonly text: string;
    readonly open: boolean;
    readonly statedAt: readonly object[];
    readonly isProseOnly: boolean;
  };
  readonly settledBy: readonly string[];
}

describe("the description of the API", () => {
  let described: readonly Operation[];
  beforeAll(async () => {
    described = await modelled();
  });

  it("has the operations of the documents, with their scopes, and two more", () => {
    const documented = described.filter((each) => !further.includes(callOf(each)));
    expect(sorted(documented.map((each) => `${callOf(each)}: ${needsOf(each)}`))).toEqual(
      sorted(operations.map(({ call, needs }) => `${call}: ${needs}`)),
    );
    const others = described.filter((each) => further.includes(callOf(each)));
    expect(others.map(callOf)).toEqual(further);
    expect(others.map((each) => each.tag)).toEqual(["events", "events"]);
  });

  it("names each operation once, in camel case", () => {
    const names = described.map((each) => each.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z]+([A-Z]+[a-z]*)*$/.test(name))).toEqual([]);
  });

  it("differs from one that lacks an operation or requires another scope", () => {
    const [first, ...others] = described;
    const table = (rows: readonly Operation[]) => sorted(rows.map((each) => `${callOf(each)}: ${needsOf(each)}`));
    expect(table(others)).not.toEqual(table(described));
    const other: Operation = { name: "", method: "GET", path: "", tag: "", ...first, security: [[]], responses: [] };
    expect(needsOf(other)).toBe("anonymous");
    expect(table([other, ...others])).not.toEqual(table(described));
  });
});

describe("the requirements", () => {
  let ended: Ended;
  let traces: readonly Trace[];
  beforeAll(async () => {
    ended = await plumbline(["trace", "--json"], { in: repository });
    traces = (JSON.parse(ended.out) as { readonly requirements: readonly Trace[] }).requirements;
  });

  it("are 600 at least, each stated, each open point settled", () => {
    expect(traces.length).toBeGreaterThanOrEqual(600);
    const holes = traces.filter(({ requirement, settledBy }) =>
      requirement.open ? settledBy.length === 0 : requirement.statedAt.length === 0,
    );
    expect(holes.map(({ requirement }) => requirement.id)).toEqual([]);
    expect(traces.some(({ requirement }) => requirement.open)).toBe(true);
    expect(ended.code).toBe(0);
  });

  it("are carried by keywords or extension fields, at most 20 by prose only", () => {
    const proseOnly = traces.filter(({ requirement }) => requirement.isProseOnly).map(idOf);
    expect(proseOnly.length, proseOnly.join()).toBeLessThanOrEqual(20);
  });

  it("have an id, a sentence, and lines that grow within a section", () => {
    const ids = traces.map(({ requirement }) => requirement.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(id))).toEqual([]);
    expect(traces.filter(({ requirement }) => !/\S \S.*\.$/.test(requirement.text)).map(idOf)).toEqual([]);
    expect(fallsBack(traces)).toEqual([]);
  });

  it("fails when a line is out of order", () => {
    const [first, second] = traces;
    const at = (trace: Trace | undefined, line: number) =>
      trace && { ...trace, requirement: { ...trace.requirement, line } };
    const swapped = [at(first, 9), at(second, 8)].filter((each) => each !== undefined);
    expect(fallsBack(swapped)).toEqual([second && idOf(second)]);
  });
});

describe("the description of the test controls", () => {
  it("has the operations of their table, with their status", async () => {
    const described = await modelled("spec/test-controls.yaml");
    const rows = described.map((each) => {
      const success = each.responses.map(({ status }) => status).filter((status) => String(status).startsWith("2"));
      return `${callOf(each)} ${success.join(" ")}`;
    });
    expect(sorted(rows)).toEqual(sorted(controls));
    expect(described.map(needsOf)).toEqual(described.map(() => "public"));
  });
});

/** The first description of `spec/plumbline.yaml`, which `trace` reads too, or another one. */
async function modelled(...description: readonly string[]): Promise<readonly Operation[]> {
  const { out, error } = await plumbline(["model", ...description], { in: repository });
  expect(error).toBe("");
  return (JSON.parse(out) as { readonly operations: readonly Operation[] }).operations;
}

function callOf({ method, path }: Operation): string {
  return `${method} ${path}`;
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
function fallsBack(traces: readonly Trace[]): readonly string[] {
  return traces.flatMap((trace, index) => {
    const before = traces[index - 1]?.requirement;
    const here = trace.requirement;
    const together = before?.document === here.document && before.section === here.section;
    return together && before.line > here.line ? [here.id] : [];
  });
}

function idOf({ requirement }: Trace): string {
  return requirement.id;
}

function sorted(rows: readonly string[]): readonly string[] {
  return [...rows].sort();
}
