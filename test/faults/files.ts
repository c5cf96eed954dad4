import type { Edit } from "./fault.js";

/** An edit within a declaration of the file; a file of one concern has one of these. */
type Editor = (within: string, find: string, replace: string) => Edit;

/** Checks of request bodies. */
export const checks: Editor = editorOf("packages/server/dist/gen/checks.js");
export const scopes: Editor = editorOf("packages/server/dist/gen/scopes.js");
export const grants: Editor = editorOf("packages/server/dist/gen/grants.js");
/** Which operation wants which state. */
export const states: Editor = editorOf("packages/server/dist/gen/states.js");
export const limits: Editor = editorOf("packages/server/dist/gen/limits.js");
export const errors: Editor = editorOf("packages/server/dist/gen/errors.js");
export const values: Editor = editorOf("packages/server/dist/gen/values.js");
export const changes: Editor = editorOf("packages/server/dist/gen/changes.js");
export const resources: Editor = editorOf("packages/server/dist/gen/resources.js");
export const shown: Editor = editorOf("packages/server/dist/gen/shown.js");

/** Parameters and bodies of the operations of an area. */
export function operations(area: string): Editor {
  return editorOf(`packages/server/dist/gen/operations/${area}.js`);
}

/** What handlers of the service do, by the file that they are in. */
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
