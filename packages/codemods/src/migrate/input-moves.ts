import type { Difference } from "@plumbline/kit/diff";
import type { Api, Operation, Schema } from "@plumbline/kit/model";
import { fieldsOfBody, typesOf } from "../impact/schema-places.js";
import { groupNames, withoutNames } from "../impact/targets.js";

/** The groups of a request in the generated client. */
export type RequestGroup = "path" | "query" | "headers" | "cookies" | "body";

/** A value that requests have in another group than before, such as a query parameter that is a field of the body now. */
export interface InputMove {
  /** The operation in the old description. */
  readonly operation: Operation;
  readonly from: InputPlace;
  readonly to: InputPlace;
  /** Whether requests have a body in the new version. */
  readonly hasBody: boolean;
  /** The required fields of the body, if the operation had none. */
  readonly newFields: readonly string[];
  /** The differences that it explains: what was removed, and what was added. */
  readonly removal: Difference;
  readonly additions: readonly Difference[];
}

/** The place of a value in requests. */
export interface InputPlace {
  readonly group: RequestGroup;
  readonly name: string;
}

interface Input extends InputPlace {
  readonly schema: Schema;
  /** What messages call it. Undefined for a field of the body. */
  readonly label?: string;
}

/**
 * Finds the values that have moved between path, query, headers, cookies and body: one was removed, and just one of the same type was added
 * elsewhere with the same name, whatever its case and separators. `X-` at the beginning of a header counts as a separator.
 */
export function findInputMoves(old: Api, next: Api, differences: readonly Difference[]): readonly InputMove[] {
  return old.operations.flatMap((operation) => {
    const current = currentOperation(operation, next);
    return current === undefined ? [] : movesBetween({ operation, old }, { operation: current, next }, differences);
  });
}

function currentOperation({ name, method, path }: Operation, next: Api): Operation | undefined {
  const signature = withoutNames(`${method} ${path}`);
  return (
    next.operations.find((each) => withoutNames(`${each.method} ${each.path}`) === signature) ??
    next.operations.find((each) => each.name === name)
  );
}

function movesBetween(
  { operation, old }: { readonly operation: Operation; readonly old: Api },
  { operation: current, next }: { readonly operation: Operation; readonly next: Api },
  differences: readonly Difference[],
): readonly InputMove[] {
  const [before, after] = [inputsOf(operation, old), inputsOf(current, next)];
  const removed = before.filter((each) => !after.some((other) => isSamePlace(each, other)));
  const added = after.filter((each) => !before.some((other) => isSamePlace(each, other)));
  const isMove = (from: Input, to: Input): boolean =>
    from.group !== to.group &&
    normalizeName(from.name) === normalizeName(to.name) &&
    typesOf(from.schema, old).join() === typesOf(to.schema, next).join();
  const newFields =
    operation.requestBody === undefined ? fieldsOfBody(current, next).filter((each) => each.required) : [];
  const changes = differences.filter(({ where }) => where.operations.includes(`${current.method} ${current.path}`));
  return removed.flatMap((from): readonly InputMove[] => {
    const [to, ...others] = added.filter((each) => isMove(from, each));
    if (to === undefined || others.length > 0 || removed.filter((each) => isMove(each, to)).length > 1) return [];
    const removal = changes.find(({ code, message, where }) =>
      from.label === undefined
        ? code === "request-property-removed" && where.pointer === pointerTo(from.name)
        : code === "parameter-removed" && message.includes(from.label),
    );
    if (removal === undefined) return [];
    const additions = changes.filter(({ code, message, where }) =>
      to.label === undefined
        ? (/^request-property-(required-)?added$/.test(code) && where.pointer === pointerTo(to.name)) ||
          code === "body-required-added"
        : /^parameter-(required-)?added$/.test(code) && message.includes(to.label),
    );
    return [
      {
        operation,
        from,
        to,
        hasBody: current.requestBody !== undefined,
        newFields: newFields.map(({ name }) => name),
        removal,
        additions,
      },
    ];
  });
}

function inputsOf(operation: Operation, api: Api): readonly Input[] {
  return [
    ...operation.parameters.map(({ in: location, name, schema }): Input => ({
      group: groupNames[location],
      name,
      schema,
      label: `${location} parameter "${name}"`,
    })),
    ...fieldsOfBody(operation, api)
      .filter(({ readOnly }) => !readOnly)
      .map(({ name, schema }): Input => ({ group: "body", name, schema })),
  ];
}

function isSamePlace(one: InputPlace, other: InputPlace): boolean {
  if (one.group !== other.group) return false;
  return one.group === "headers" ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name;
}

function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x-/, "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function pointerTo(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
