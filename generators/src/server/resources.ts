import type { TextFile } from "../emit/files.js";
import { code, comment, literal, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import { checkFunction } from "../judging/checks/functions.js";
import type { Around } from "../judging/checks/scope.js";
import type { Api, Operation, Reference } from "../model/api.js";
import { CheckFile } from "./check-file.js";
import { namedBy, outerOf } from "./references.js";
import { $serverType } from "./runtime.js";
import { list, record, table } from "./table.js";

/** Emits `resources.ts`: the owners of resources, and the references of each operation. */
export function emitResources(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["resources", "operationResources"]);
  const resources = api.resources.map(({ name, owner, parent, grants, public: open }) => {
    const data = record({
      owner: literal(owner),
      parent: parent === undefined ? undefined : literal(parent),
      grants: grants === undefined ? undefined : literal(grants),
      public: open === undefined ? undefined : checkFunction(file.around, open, `public ${name}`),
    });
    return [name, data] as const;
  });
  const operations = [...api.operations, ...api.linked].flatMap((operation) => {
    const data = operationData(api, operation, { around: file.around, options });
    return data === undefined ? [] : [[operation.name, data] as const];
  });
  return [
    file.print("src/gen/resources.ts", [
      code`${comment(["The owners and the parent of each resource."])}
export const resources: Readonly<Record<string, ${$serverType("Resource")}>> = ${record(Object.fromEntries(resources))};`,
      table(
        "operationResources",
        {
          about: "The objects that each operation refers to, and its target.",
          type: $serverType("OperationResources"),
        },
        operations,
      ),
    ]),
  ];
}

interface Given {
  readonly around: Around;
  readonly options: ArtifactOptions;
}

function operationData(api: Api, operation: Operation, given: Given): Code | undefined {
  const { path, body, target, list: listed } = namedBy(api, operation);
  if (path.length === 0 && body.length === 0 && target === undefined && listed === undefined) return undefined;
  const hint = operation.name;
  return record({
    path: list(
      path.map(({ parameter, reference }) =>
        record({ parameter: literal(parameter.name), ...referenceData(reference, operation, given, parameter.name) }),
      ),
    ),
    body: list(
      body.map(({ pointer, name, reference }) =>
        record({
          pointer: literal(pointer),
          name: literal(name),
          ...referenceData(reference, operation, given, `${hint} ${name}`),
        }),
      ),
    ),
    target: target === undefined ? undefined : literal({ ...target }),
    list: listed === undefined ? undefined : literal(listed),
  });
}

function referenceData(
  reference: Reference,
  operation: Operation,
  { around, options }: Given,
  hint: string,
): Readonly<Record<string, Code | undefined>> {
  const { to, by = "id", missing, where, unfit } = reference;
  const of = outerOf(reference, operation, options);
  return {
    to: literal(to),
    by: literal(by),
    of: of === undefined ? undefined : literal(of),
    missing: missing === undefined ? undefined : literal(missing),
    where: where === undefined ? undefined : checkFunction(around, where, `${hint} where`),
    unfit: unfit === undefined ? undefined : literal(unfit),
  };
}
