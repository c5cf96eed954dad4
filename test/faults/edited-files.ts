import type { SourceEdit } from "./fault.js";

/** Creates an edit within a declaration of a file. */
type SourceEditor = (within: string, find: string, replace: string) => SourceEdit;

/** Checks of request bodies. */
export const editChecks: SourceEditor = editorOf("packages/validator/dist/gen/checks.js");
export const editScopes: SourceEditor = editorOf("packages/server/dist/gen/scopes.js");
export const editGrants: SourceEditor = editorOf("packages/server/dist/gen/grants.js");
/** The states that operations require. */
export const editStates: SourceEditor = editorOf("packages/server/dist/gen/states.js");
export const editLimits: SourceEditor = editorOf("packages/server/dist/gen/limits.js");
export const editErrors: SourceEditor = editorOf("packages/server/dist/gen/errors.js");
export const editValues: SourceEditor = editorOf("packages/server/dist/gen/values.js");
export const editMutability: SourceEditor = editorOf("packages/server/dist/gen/mutability.js");
export const editResources: SourceEditor = editorOf("packages/server/dist/gen/resources.js");
export const editSerializers: SourceEditor = editorOf("packages/server/dist/gen/serializers.js");

/** The parameters and bodies of an area's operations. */
export function editOperations(area: string): SourceEditor {
  return editorOf(`packages/validator/dist/gen/operations/${area}.js`);
}

/** The features of the service, by file: `instances/handlers`. */
export function editFeature(file: string): SourceEditor {
  return editorOf(`packages/service/dist/features/${file}.js`);
}

export function editService(file: string): SourceEditor {
  return editorOf(`packages/service/dist/${file}.js`);
}

export function editRuntime(file: string): SourceEditor {
  return editorOf(`packages/server-runtime/dist/${file}.js`);
}

/** What validators and servers share. */
export const editHttpRuntime: SourceEditor = editorOf("packages/http-runtime/dist/index.js");

function editorOf(file: string): SourceEditor {
  return (within, find, replace) => ({ file, within, find, replace });
}
