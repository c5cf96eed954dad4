import type { Difference } from "@plumbline/kit/diff";

/**
 * The differences without additions that are the other half of a renaming: of a field, a parameter, a value of an `enum` or a state. Code that
 * has the new name lacks nothing.
 */
export function withoutPairedAdditions(differences: readonly Difference[]): readonly Difference[] {
  const paired = new Set(
    differences.flatMap((each) => (each.renamedTo === undefined ? [] : additionsOf(each, each.renamedTo, differences))),
  );
  return differences.filter((each) => !paired.has(each));
}

function additionsOf(removal: Difference, name: string, differences: readonly Difference[]): readonly Difference[] {
  const { code, message, where } = removal;
  const beside = differences.filter(
    ({ where: other }) => other.location === where.location && other.operations.join() === where.operations.join(),
  );
  if (code === "parameter-removed") {
    const [, location = ""] = /(path|query|header|cookie) parameter "/.exec(message) ?? [];
    return beside.filter(
      (each) =>
        /^parameter-(required-)?added$/.test(each.code) && each.message.includes(`${location} parameter "${name}"`),
    );
  }
  if (code === "state-removed") return beside.filter((each) => each.code === "state-added" && each.new === name);
  const [direction] = code.split("-");
  if (code.endsWith("-enum-value-removed"))
    return beside.filter(
      (each) =>
        each.code === `${direction}-enum-value-added` &&
        each.where.pointer === where.pointer &&
        each.new === JSON.stringify(name),
    );
  const parent = where.pointer.slice(0, where.pointer.lastIndexOf("/"));
  const pointer = `${parent}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return beside.filter(
    (each) =>
      each.where.pointer === pointer &&
      (each.code === `${direction}-property-added` || each.code === `${direction}-property-required-added`),
  );
}
