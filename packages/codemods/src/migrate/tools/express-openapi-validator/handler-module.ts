import path from "node:path";
import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";

/** What code of the new files offers. */
export type HandlerModuleName = "isHttpError" | "reportHttpError" | "securityHandler" | "throwHttpError" | "uploads";

/** Imports a function that the migration adds in a file of the application, and returns its name. */
export type ImportFromHandlers = (file: ts.SourceFile, name: HandlerModuleName) => string;

/** New files beside a set-up: they pass to the handlers of the application what the tool passed to them. */
export function createHandlerModule(setUp: ts.SourceFile, recorder: CodeRecorder): ImportFromHandlers {
  const extension = /\.[cm]?js$/.exec(setUp.fileName)?.[0] ?? (setUp.fileName.endsWith(".jsx") ? ".js" : ".ts");
  return (file, name) => {
    const [base, text] = name === "uploads" ? ["validator-uploads", uploads] : ["validator-handlers", handlers];
    const module = path.posix.join(path.posix.dirname(setUp.fileName), `${base}${extension}`);
    recorder.addFile(module, extension === ".ts" ? text : withoutTypes(text));
    return recorder.importName(file, { imported: name, isType: false, module });
  };
}

function withoutTypes(text: string): string {
  return ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  }).outputText;
}

const handlers = `import type { Request } from "express";

/** An error as express-openapi-validator passes it to error handlers. */
export interface HttpError extends Error {
  status: number;
  path: string;
  headers: Record<string, string>;
  errors: { path: string; message: string; errorCode: string }[];
}

interface Issue {
  readonly in: string;
  readonly field?: string;
  readonly code: string;
  readonly reason: string;
}

interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[];
}

const locations = new Map([
  ["path", "params"],
  ["header", "headers"],
  ["cookie", "cookies"],
]);

function toHttpError({ status, headers, issues }: Rejection, path: string): HttpError {
  const errors = issues.map(({ in: location, field, code, reason }) => ({
    path:
      location === "request"
        ? path
        : ["", locations.get(location) ?? location, ...(field === undefined ? [] : field.split("."))].join("/"),
    message: reason,
    errorCode: \`\${code}.openapi.validation\`,
  }));
  const message = errors.map((each) => (each.path === path ? each.message : \`\${each.path.slice(1)} \${each.message}\`));
  const { "content-type": _, ...others } = headers;
  return Object.assign(new Error(message.join(", ")), { status, path, headers: others, errors });
}

/** Whether an error is one of the validator, with this status. */
export function isHttpError(error: unknown, status: number): error is HttpError {
  if (!(error instanceof Error) || !("status" in error) || !("errors" in error)) return false;
  return error.status === status && Array.isArray(error.errors);
}

/** For \`onError\`: the error handlers of Express receive what the validator rejects. A response that is not valid becomes the validator's 500. */
export function throwHttpError(rejection: Rejection, { originalUrl }: { readonly originalUrl: string }): undefined {
  if (rejection.status !== 500) throw toHttpError(rejection, originalUrl.replace(/\\?.*/, ""));
}

/** For \`onInvalidResponse\`: a function that receives an error for a response that is not valid. */
export function reportHttpError(report: (error: HttpError) => void) {
  return ({ issues }: Pick<Rejection, "issues">): void => report(toHttpError({ status: 500, headers: {}, issues }, ""));
}

/** For \`security\`: a function that returns whether a request has the scopes, or throws. An error without a status is a 401. */
export function securityHandler(check: (request: Request, scopes: string[]) => boolean | Promise<boolean>) {
  return async (request: Request, { scopes }: { readonly scopes: readonly string[] }): Promise<boolean | "forbidden"> => {
    try {
      return (await check(request, [...scopes])) === true;
    } catch (error) {
      const { status = 401 } = error as { readonly status?: number };
      if (status === 401) return false;
      if (status === 403) return "forbidden";
      throw error;
    }
  };
}
`;

const uploads = `import type { RequestHandler } from "express";
import multer from "multer";

/** Reads the files and fields of forms into \`request.files\` and \`request.body\`. A limit that is exceeded is a 413, another mistake in a form a 400. */
export function uploads(options?: multer.Options): RequestHandler {
  const read = multer(options).any();
  return (request, response, next) =>
    read(request, response, (error: unknown) => {
      if (!(error instanceof multer.MulterError)) return next(error);
      const status = /LIMIT_(FILE|PART)_(SIZE|COUNT)/.test(error.code) ? 413 : 400;
      next(Object.assign(error, { status, errors: [{ path: request.path, message: error.message }] }));
    });
}
`;
