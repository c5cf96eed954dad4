import { type TextFile, code, docComment, jsonLiteral, type Code, type ArtifactOptions } from "@plumbline/kit/codegen";
import { CheckFile, emitOperationTable, listLiteral, objectLiteral } from "@plumbline/kit/codegen/conditions";
import { checkFunction, type CompileContext } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  collectReferences,
  type Operation,
  type PathReference,
  resourceKey,
  type ResourceReference,
} from "@plumbline/kit/model";
import { enclosingParameter } from "./references.js";
import { serverType } from "./runtime.js";

/** Emits `resources.ts`: the owners of resources, and the references of each operation. */
export function emitResources(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const file = new CheckFile(api, options, ["resources", "operationResources"]);
  const resources = api.resources.map(({ name, owner, parent, grants, public: open }) => {
    const key = resourceKey(api, name);
    const data = objectLiteral({
      owner: jsonLiteral(owner),
      key: key === "id" ? undefined : jsonLiteral(key),
      parent: parent === undefined ? undefined : jsonLiteral(parent),
      grants: grants === undefined ? undefined : jsonLiteral(grants),
      public: open === undefined ? undefined : checkFunction(file.context, open, `public ${name}`),
    });
    return [name, data] as const;
  });
  const operations = [...api.operations, ...api.operationsWithoutPath].flatMap((operation) => {
    const data = operationData(api, operation, { context: file.context, options });
    return data === undefined ? [] : [[operation.name, data] as const];
  });
  return [
    file.print("src/gen/resources.ts", [
      code`${docComment(["The owners and the parent of each resource."])}
export const resources: Readonly<Record<string, ${serverType("Resource")}>> = ${objectLiteral(Object.fromEntries(resources))};`,
      emitOperationTable(
        "operationResources",
        {
          about: "The objects that each operation refers to, and its target.",
          type: serverType("OperationResources"),
        },
        operations,
      ),
    ]),
  ];
}

interface ResourceContext {
  readonly context: CompileContext;
  readonly options: ArtifactOptions;
}

function operationData(api: Api, operation: Operation, context: ResourceContext): Code | undefined {
  const { path, body, target, list: listed } = collectReferences(api, operation);
  if (path.length === 0 && body.length === 0 && target === undefined && listed === undefined) return undefined;
  const hint = operation.name;
  return objectLiteral({
    path: listLiteral(
      path.map(({ parameter, reference }, index) =>
        objectLiteral({
          parameter: jsonLiteral(parameter.name),
          ...referenceData(reference, operation, context, parameter.name),
          ...(reference.of === undefined ? { of: outerParameter(api, reference, path.slice(0, index)) } : {}),
        }),
      ),
    ),
    body: listLiteral(
      body.map(({ pointer, name, reference }) =>
        objectLiteral({
          pointer: jsonLiteral(pointer),
          name: jsonLiteral(name),
          ...referenceData(reference, operation, context, `${hint} ${name}`),
        }),
      ),
    ),
    target: target === undefined ? undefined : jsonLiteral({ ...target }),
    list: listed === undefined ? undefined : jsonLiteral(listed),
  });
}

/** A path names an object below the object that contains it: the last earlier parameter that refers to an ancestor. */
function outerParameter(api: Api, { to }: ResourceReference, earlier: readonly PathReference[]): Code | undefined {
  const ancestors = ancestorsOf(api, to);
  const outer = earlier.findLast(({ reference }) => ancestors.has(reference.to));
  return outer && jsonLiteral(outer.parameter.name);
}

function ancestorsOf(api: Api, resource: string): ReadonlySet<string> {
  const parents = new Map(api.resources.map(({ name, parent }) => [name, parent] as const));
  const ancestors = new Set<string>();
  for (let above = parents.get(resource); above !== undefined && !ancestors.has(above); above = parents.get(above))
    ancestors.add(above);
  return ancestors;
}

function referenceData(
  reference: ResourceReference,
  operation: Operation,
  { context, options }: ResourceContext,
  hint: string,
): Readonly<Record<string, Code | undefined>> {
  const { to, by = "id", onNotFound, where, onConstraintViolation } = reference;
  const parameter = enclosingParameter(reference, operation, options);
  return {
    to: jsonLiteral(to),
    by: jsonLiteral(by),
    of: parameter === undefined ? undefined : jsonLiteral(parameter),
    onNotFound: onNotFound === undefined ? undefined : jsonLiteral(onNotFound),
    where: where === undefined ? undefined : checkFunction(context, where, `${hint} where`),
    onConstraintViolation: onConstraintViolation === undefined ? undefined : jsonLiteral(onConstraintViolation),
  };
}
