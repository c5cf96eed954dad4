export type {
  HandlerFile,
  HandlerOperation,
  HandlerRequest,
  HandlerStub,
  HandlerUpdate,
  PreviousHandler,
} from "./handler-request.js";
export { type HandlerFileRequest, readHandlerFiles } from "./related-files.js";
export { relativeModule } from "./syntax/module-paths.js";
export { HandlerSyntaxError, type SourceIssue } from "./syntax/parse.js";
export { updateHandlers } from "./update-handlers.js";
