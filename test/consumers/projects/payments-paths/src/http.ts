import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./api.js";

export type Model = components["schemas"];
export type Fields<Name extends keyof Model> = Readonly<Partial<Model[Name]>>;

const tracing: Middleware = {
  onRequest: ({ request }) => void request.headers.set("Trace", crypto.randomUUID()),
};

export const client = createClient<paths>({ baseUrl: "https://pay.example" });
client.use(tracing);

export class CallFailed extends Error {
  constructor(readonly problem: Model["Problem"], readonly status: number) {
    super(problem.errors.map(({ reason, docs }) => `${reason} ${docs}`).join("; ")); // concerns: response-property-removed
  }
}

/** Unwraps the response of a call. */
export async function must<Data>(call: Promise<{ data?: Data; error?: Model["Problem"]; response: Response }>): Promise<Data> {
  const { data, error, response } = await call;
  if (error !== undefined || data === undefined) throw new CallFailed(error ?? { errors: [] }, response.status);
  return data;
}
