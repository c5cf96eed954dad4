import type { components, operations, paths } from "./api.js";

type Method = "get" | "post" | "put" | "delete";
type Of<P extends keyof paths, M extends Method> = paths[P][M];
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;

type Success<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[Extract<keyof Responses, 200 | 201>]>
  : never;
type Input<Operation> = Operation extends { requestBody: infer Body } ? Json<Body> : undefined;

export type Channel = components["schemas"]["Channel"];
export type Push = components["schemas"]["MessageInput"];
export type Attempts = components["schemas"]["Attempt"][]; // concerns: schema-renamed
export type Found = Json<operations["searchMessages"]["responses"][200]>["hits"][number];
export type Latest = Json<operations["listMessages"]["responses"][200]>; // concerns: operation-renamed
export type Sent = Json<operations["sendMessage"]["responses"][201]>; // concerns: response-success-removed

export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly failure: components["schemas"]["Failure"],
  ) {
    super(failure.error.detail);
  }

  get hint(): string {
    return this.failure.error.hint ?? "no hint"; // concerns: response-property-removed
  }
}

/** Our own typed fetch: a method and a path of the description, and a body. */
export async function request<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  options: { path?: Record<string, string>; query?: Record<string, unknown>; body?: Input<Of<P, M>> } = {},
): Promise<Success<Of<P, M>>> {
  const url = new URL(path.replace(/\{(\w+)\}/g, (_, name: string) => options.path?.[name] ?? ""), "https://notify.example");
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
  const init: RequestInit = { method, headers: { "content-type": "application/json" } };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  const response = await fetch(url, init);
  if (!response.ok) throw new HttpFailure(response.status, await response.json());
  return response.json();
}
