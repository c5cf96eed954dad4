import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readModel, type Api } from "../support/model.js";
import { repository } from "../support/places.js";
import { trackedFiles } from "../support/tracked.js";

/** What the service has to do itself, by the ids of the description. */
interface Ids {
  readonly effects: readonly string[];
  /** Errors that the description does not derive from a condition, reference, limit, state or change. */
  readonly unverified: readonly string[];
  /** Every id that the description has. */
  readonly all: ReadonlySet<string>;
}

const ids = idsOf(await readModel());
const code = serviceCode();

describe("the service", () => {
  test("has every effect of the description, and every error that it has to check itself, by name", () => {
    expect(ids.effects.length).toBeGreaterThan(100);
    expect(ids.unverified.length).toBeGreaterThan(5);
    expect(unnamed([...ids.effects, ...ids.unverified], code)).toEqual([]);
  });

  test("names only ids of the description", () => {
    expect(unknown(code, ids.all)).toEqual([]);
  });
});

describe("the check finds", () => {
  test.each(["// boot-event", "export function bootEvent(work: Work) {}", "throw errors.bootEvent();"])(
    "an id in %s",
    (line) => {
      expect(unnamed(["boot-event"], line)).toEqual([]);
    },
  );

  test.each(["// reboot-event", "// boot-events", "const bootEvents = 1;", "// boot event"])("none in %s", (line) => {
    expect(unnamed(["boot-event"], line)).toEqual(["boot-event"]);
  });

  test("ids that are no longer described, alone or in a row", () => {
    const lines = ["// boot-event", "  // old-event: gone.", "// boot-event, older-event", "// A well-known reason."];
    expect(unknown(lines.join("\n"), new Set(["boot-event"]))).toEqual(["old-event", "older-event"]);
  });

  test("how an error is expressed", () => {
    expect(ids.unverified).toContain("insufficient-space");
    // By a condition, a reference, a limit, a change and a state.
    for (const reported of ["clone-onto-itself", "no-such-region", "too-many-clones", "version-not-next", "not-found"])
      expect(ids.unverified).not.toContain(reported);
  });
});

function unnamed(wanted: readonly string[], text: string): string[] {
  const words = new Set(text.match(/[\w-]+/g));
  return wanted.filter((id) => !words.has(id) && !words.has(camelOf(id)));
}

/** Ids at the beginning of comments, which name the code below. */
function unknown(text: string, known: ReadonlySet<string>): string[] {
  const found = [...text.matchAll(/\/\/ ([a-z]+(?:-[a-z0-9]+)+(?:(?:, | and )[a-z]+(?:-[a-z0-9]+)+)*)(?=[\s:,.]|$)/g)];
  return found.flatMap(([, row = ""]) => row.split(/, | and /)).filter((id) => !known.has(id));
}

function camelOf(id: string): string {
  return id.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function idsOf(api: Api): Ids {
  const operations = [...api.operations, ...api.operationsWithoutPath];
  const effects = operations.flatMap((each) => each.effects.map(({ id }) => id));
  const errors = operations.flatMap((each) => each.errors);
  const reported = derivedErrorsOf(api);
  const validated = errors.filter(
    ({ id, when, verifiedBy }) => verifiedBy !== undefined || (when === undefined && !reported.has(id)),
  );
  return {
    effects: [...new Set(effects)],
    unverified: [...new Set(validated.map(({ id }) => id))],
    all: new Set([...effects, ...[...errors, ...api.errors].map(({ id }) => id)]),
  };
}

/** The errors that references, limits, changes, grants and states name. */
function derivedErrorsOf(part: unknown): ReadonlySet<string> {
  if (typeof part !== "object" || part === null) return new Set();
  const own = Object.entries(part).flatMap(([key, value]) =>
    typeof value === "string" && ["error", "onNotFound", "onConstraintViolation"].includes(key)
      ? [value]
      : [...derivedErrorsOf(value)],
  );
  return new Set(own);
}

/** The service's own code, without its tests. */
function serviceCode(): string {
  const files = trackedFiles().filter(
    (file) => /^packages\/service\/src\/.*\.ts$/.test(file) && !/\.(test|support)\.ts$/.test(file),
  );
  expect(files.length).toBeGreaterThan(60);
  return files.map((file) => readFileSync(path.join(repository, file), "utf8")).join("\n");
}
