import type { SourceLocation } from "@plumbline/kit/model";
import type { SpecNode } from "@plumbline/kit/openapi/files";

/** The operations of an artifact: those that one of the lists names. */
export type IncludeConfig = Readonly<Record<IncludeKey, readonly IncludedName[]>>;

export type IncludeKey = keyof typeof includeKeys;

/** A name in one of the lists. */
export interface IncludedName {
  readonly name: string;
  readonly location: SourceLocation;
}

/** What each list names. */
export const includeKeys = {
  tags: "Tags of operations.",
  operations: "Names of operations.",
  paths: "Paths of operations, such as /pets. `*` is any segment, `/**` at the end any rest.",
} as const;

/** Reads `include` of an artifact. Undefined: the artifact has all operations. */
export function readInclude(artifact: SpecNode): IncludeConfig | undefined {
  const place = artifact.child("include");
  if (place === undefined) return undefined;
  const known = Object.keys(includeKeys);
  for (const [key, child] of place.entries())
    if (!known.includes(key))
      child.report("config/unknown", `Unknown key "${key}".`, `Known keys: ${known.join(", ")}.`);
  const include = {
    tags: readNames(place, "tags"),
    operations: readNames(place, "operations"),
    paths: readNames(place, "paths"),
  };
  if (place.entries().length === 0)
    place.report("config/value", "`include` has no list.", `Write one of: ${known.join(", ")}.`);
  return include;
}

/** The artifacts that use the validator, whose operations have to be the same. */
const validated: ReadonlySet<string> = new Set(["server", "mock"]);

/** Reports artifacts that include other operations than the validator that they use. */
export function reportDifferentIncludes(
  place: SpecNode,
  artifacts: readonly { readonly kind: string; readonly include: IncludeConfig | undefined }[],
): void {
  const validator = artifacts.find(({ kind }) => kind === "validator");
  if (validator === undefined) return;
  for (const { kind, include } of artifacts)
    if (validated.has(kind) && namesIn(include) !== namesIn(validator.include))
      place
        .child(kind)
        ?.report(
          "config/value",
          `\`${kind}\` and \`validator\` include different operations.`,
          "Write the same `include` at both.",
        );
}

function namesIn(include: IncludeConfig | undefined): string {
  return JSON.stringify(Object.values(include ?? {}).map((names) => names.map(({ name }) => name)));
}

function readNames(place: SpecNode, key: IncludeKey): readonly IncludedName[] {
  const list = place.child(key);
  if (list === undefined) return [];
  const items = list.items();
  if (items.length === 0) list.report("config/value", `\`${key}\` is not a list of names.`, `Write ${key}: [NAME].`);
  return items.flatMap((item) => {
    if (typeof item.raw === "string") return [{ name: item.raw, location: item.located }];
    item.report("config/value", `An item of \`${key}\` is not a text.`, "Write it in quotes.");
    return [];
  });
}
