import { readFileSync } from "node:fs";
import type { ApiPromise, CallOptions, Client, RateLimit } from "@plumbline/client-runtime";

/** The tools of an API: generated data, and the functions of its client. */
export interface Toolset extends ToolsetData {
  readonly functions: ToolFunctions;
}

/** The function of the generated client for each tool. */
export type ToolFunctions = Readonly<Record<string, ToolFunction>>;

export type ToolFunction = (
  client: Client,
  request: never,
  options?: CallOptions,
) => ApiPromise<unknown, unknown, unknown>;

/** What `data/toolset.json` of a generated package contains. */
export interface ToolsetData {
  readonly title: string;
  /** The version of the API. */
  readonly version: string;
  /** The name of the command, such as `cloud-compute-mcp`. */
  readonly command: string;
  /** The prefix of environment variables, such as `CLOUD_COMPUTE`. */
  readonly environment: string;
  /** The URL of the API. Absent if the description has none. */
  readonly url?: string;
  /** How requests carry the token. Absent if operations require none. */
  readonly credential?: CredentialLocation;
  readonly scopes: ScopeRules;
  /** The tool whose responses name the scopes of the token, and the header with them. */
  readonly scopeSource?: { readonly tool: string; readonly header: string };
  readonly rates: readonly RateLimit[];
  /** Errors that all operations share. */
  readonly errors: readonly DocumentedError[];
  readonly tools: readonly ToolData[];
}

export type CredentialLocation =
  | { readonly kind: "bearer" | "basic" }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string };

/** How scopes imply each other. */
export interface ScopeRules {
  /** Each level of a scope such as `images:read_only`, with the levels that it implies. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  /** The scope that implies every other. */
  readonly all?: string;
  readonly separator: string;
}

/** What a tool does: it only reads, it creates or changes, or it deletes something. */
export type ToolAccess = "read" | "write" | "delete";

export interface ToolData {
  /** The name of the operation: at most 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly tag: string;
  readonly title: string;
  readonly description: string;
  readonly access: ToolAccess;
  /** Whether repeated calls have the effect of one. */
  readonly idempotent: boolean;
  /** Whether a call may overwrite or delete something. */
  readonly destructive: boolean;
  /** Sets of scopes, one of which a token needs. Absent: any token, or none. */
  readonly scopes?: readonly (readonly string[])[];
  /** Whether the operation allows callers without a token. */
  readonly anonymous: boolean;
  /** Where each argument but `body` belongs in the request, and its name there. */
  readonly arguments: Readonly<Record<string, ArgumentLocation>>;
  /** The media type of the body, where the description has several. */
  readonly contentType?: string;
  readonly inputSchema: ObjectSchema;
  /** Absent if the success is not a JSON object. */
  readonly outputSchema?: ObjectSchema;
  readonly pages?: PageFields;
  readonly errors: readonly DocumentedError[];
}

export interface ArgumentLocation {
  readonly in: "path" | "query" | "headers" | "cookies";
  readonly name: string;
}

/** The argument that selects a page, and the fields of the result that describe it, or the path of the next cursor. */
export type PageFields =
  | { readonly argument: string; readonly page: string; readonly pages: string; readonly total: string }
  | { readonly argument: string; readonly next: readonly string[] };

/** A JSON Schema of an object, without references. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties?: Record<string, object>;
  readonly required?: string[];
  readonly [keyword: string]: unknown;
}

export interface DocumentedError {
  readonly id: string;
  readonly status: number;
  readonly field?: string | null;
  readonly reasonContains: readonly string[];
  readonly meaning?: string;
}

/** Reads the generated data, and joins it with the functions of the client. */
export function readToolset(file: URL, functions: ToolFunctions): Toolset {
  const data = JSON.parse(readFileSync(file, "utf8")) as ToolsetData;
  return { ...data, functions };
}
