import type { Edit } from "./fault.js";

/** Creates an edit within a declaration of a file. */
type Editor = (within: string, find: string, replace: string) => Edit;

/** Checks of request bodies. */
export const checks: Editor = editorOf("packages/server/dist/gen/checks.js");
export const scopes: Editor = editorOf("packages/server/dist/gen/scopes.js");
export const grants: Editor = editorOf("packages/server/dist/gen/grants.js");
/** The states that operations require. */
export const states: Editor = editorOf("packages/server/dist/gen/states.js");
export const limits: Editor = editorOf("packages/server/dist/gen/limits.js");
export const errors: Editor = editorOf("packages/server/dist/gen/errors.js");
export const values: Editor = editorOf("packages/server/dist/gen/values.js");
export const changes: Editor = editorOf("packages/server/dist/gen/changes.js");
export const resources: Editor = editorOf("packages/server/dist/gen/resources.js");
export const shown: Editor = editorOf("packages/server/dist/gen/shown.js");

/** The parameters and bodies of an area's operations. */
export function operations(area: string): Editor {
  return editorOf(`packages/server/dist/gen/operations/${area}.js`);
}

/** The handlers of the service, by file. */
export function handlers(file: string): Editor {
  return editorOf(`packages/service/dist/areas/${file}.js`);
}

export function service(file: string): Editor {
  return editorOf(`packages/service/dist/${file}.js`);
}

export function runtime(file: string): Editor {
  return editorOf(`packages/server-runtime/dist/${file}.js`);
}

function editorOf(file: string): Editor {
  return (within, find, replace) => ({ file, within, find, replace });
}
