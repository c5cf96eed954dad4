import { type Issues, reasonOf } from "@plumbline/server-runtime/http";
import type { MockOptions } from "@plumbline/server-runtime/mock";
import type { GeneratedMock } from "./generate-mock.js";

/** Objects that exist from the start, by resource. */
export type SeedData = NonNullable<MockOptions["data"]>;

/** What is wrong with a part of the data. */
export interface SeedDataIssue {
  /** The unescaped tokens of a JSON pointer, such as `Pet`, `0`, `name`. */
  readonly pointer: readonly string[];
  readonly message: string;
}

/** Objects of the data do not match the description. */
export class SeedDataError extends Error {
  override readonly name = "SeedDataError";
  readonly issues: readonly SeedDataIssue[];

  constructor(issues: readonly SeedDataIssue[]) {
    super(issues.map(({ pointer, message }) => `${pointer.join(".")}: ${message}`).join("\n"));
    this.issues = issues;
  }
}

/**
 * Checks the names of the resources.
 *
 * @throws SeedDataError for resources that the description does not have
 */
export function checkResources(data: SeedData, resources: readonly string[]): void {
  const hint = resources.length === 0 ? "It has none." : `It has: ${resources.join(", ")}.`;
  const unknown = Object.keys(data).filter((resource) => !resources.includes(resource));
  const issues = unknown.map((resource) => ({
    pointer: [resource],
    message: `The description has no resource "${resource}". ${hint}`,
  }));
  if (issues.length > 0) throw new SeedDataError(issues);
}

/**
 * Checks objects by the schemas of their resources, completed as the mock does.
 *
 * @throws SeedDataError for values that a schema rejects
 */
export function checkSeedData({ createMock, checks }: GeneratedMock, data: SeedData): void {
  const { objects } = createMock();
  const issues = Object.entries(data).flatMap(([resource, all]) =>
    all.flatMap((values, index): readonly SeedDataIssue[] => {
      const objectIssues: Issues = [];
      checks[resource]?.(objects.create(resource, values, {}), objectIssues);
      return objectIssues.map((issue) => {
        const path = issue.path.map(String);
        return {
          pointer: [resource, String(index), ...path],
          message: `${[resource, index, ...path].join(".")} ${reasonOf(issue)}.`,
        };
      });
    }),
  );
  if (issues.length > 0) throw new SeedDataError(issues);
}
