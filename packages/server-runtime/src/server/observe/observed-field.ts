import type { ParameterDefinition, ValidationIssue } from "../../http/index.js";
import type { ObservedIssue } from "./observe.js";

/** The names that a description has: the only parts of a field that clients cannot choose. */
export interface DescribedNames {
  /** The properties of all bodies and parameters. */
  readonly properties: ReadonlySet<string>;
  readonly parameters: readonly Pick<ParameterDefinition, "name">[];
}

/** An issue without its value, and with `*` in place of what is not a name of the description. */
export function observedIssue({ in: location, field, code }: ValidationIssue, names: DescribedNames): ObservedIssue {
  return { in: location, field: field === undefined ? "" : pointerOf(field, location, names), code };
}

function pointerOf(field: string, location: ObservedIssue["in"], { properties, parameters }: DescribedNames): string {
  const isParameter = location !== "body" && location !== "request" && location !== "response";
  // The name of a parameter may have periods, and what follows it is a path within its value.
  const parameter = isParameter
    ? parameters.find(({ name }) => field === name || field.startsWith(`${name}.`))?.name
    : undefined;
  const rest = parameter === undefined ? field : field.slice(parameter.length + 1);
  const segments = rest === "" ? [] : rest.split(".").slice(0, maxSegments);
  const known = segments.map((each) =>
    properties.has(each) && !(isParameter && parameter === undefined) ? each : "*",
  );
  return [...(parameter === undefined ? [] : [parameter]), ...known].map((each) => `/${escapeToken(each)}`).join("");
}

function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A recursive schema has fields of any depth. */
const maxSegments = 8;
