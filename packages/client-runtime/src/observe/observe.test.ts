import { describe, expect, onTestFinished, test, vi } from "vitest";
import { callOperation, createBaseClient, withObservation, withRetry, type CallOptions } from "../index.js";
import { createDeferred, errorOf, sendJson, serve } from "../loopback.support.js";
import type { CallOutcome, ObserveCall, ObservedCall } from "./observe.js";

interface Seen {
  readonly calls: Omit<ObservedCall, "setHeader">[];
  readonly outcomes: Omit<CallOutcome, "durationMs">[];
}

function observer(): Seen & { readonly observe: ObserveCall } {
  const seen: Seen = { calls: [], outcomes: [] };
  return {
    ...seen,
    observe: ({ setHeader, ...call }) => {
      seen.calls.push(call);
      setHeader("x-attempt", String(call.attempt));
      return {
        end: ({ durationMs, ...outcome }) => {
          expect(durationMs).toBeGreaterThanOrEqual(0);
          seen.outcomes.push(outcome);
        },
      };
    },
  };
}

const operation = { method: "GET", path: "/things/{id}" };
const given = { path: { id: "secret" } };

describe("an observer", () => {
  test("sees each attempt, without the arguments of the call", async () => {
    const { observe, calls, outcomes } = observer();
    let count = 0;
    const { url, seen } = await serve((response) => sendJson({}, (count += 1) === 1 ? 503 : 200)(response));
    const fetch = withRetry({ baseDelayMs: 1, fetch: withObservation({ observe }) });
    await callOperation(
      createBaseClient({ baseUrl: `${url}/v1?key=secret`, token: "secret", fetch }),
      operation,
      given,
    );
    const call = { method: "GET", route: "/things/{id}", origin: url };
    expect(calls).toEqual([
      { ...call, attempt: 1 },
      { ...call, attempt: 2 },
    ]);
    expect(outcomes).toEqual([
      { status: 503, error: undefined },
      { status: 200, error: undefined },
    ]);
    expect(seen.map(({ headers }) => [headers["x-attempt"], headers.authorization])).toEqual([
      ["1", "Bearer secret"],
      ["2", "Bearer secret"],
    ]);
  });

  test("sees why there is no response", async () => {
    const { observe, outcomes } = observer();
    const arrived = createDeferred();
    const { url } = await serve((response, { headers }) => {
      if (headers["x-lost"] !== undefined) response.destroy();
      else arrived.resolve();
    });
    const client = createBaseClient({ baseUrl: url, fetch: withObservation({ observe }) });
    const fail = (options: CallOptions) => errorOf(callOperation(client, operation, given, options));
    await fail({ headers: { "x-lost": "1" } });
    await fail({ timeout: 1 });
    const leaving = new AbortController();
    void arrived.promise.then(() => leaving.abort());
    await fail({ signal: leaving.signal });
    await vi.waitFor(() => expect(outcomes).toHaveLength(3));
    expect(outcomes.map(({ error }) => error)).toEqual(["network", "timeout", "aborted"]);
  });

  const fail = (): never => {
    throw new Error("observer");
  };
  test.each<[string, ObserveCall]>([
    ["throws before the request", fail],
    ["throws in each call", () => ({ run: fail, end: fail })],
    [
      "sends the request twice",
      () => ({
        run: (send) => {
          void send();
          return send();
        },
        end: fail,
      }),
    ],
  ])("that %s changes no call", async (_, observe) => {
    const written = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => written.mockRestore());
    const { url, seen } = await serve();
    const client = createBaseClient({ baseUrl: url, fetch: withObservation({ observe }) });
    expect(await callOperation(client, operation, given)).toEqual({});
    expect(seen).toHaveLength(1);
    expect(written).toHaveBeenCalledWith("An observer failed", expect.objectContaining({ message: "observer" }));
  });
});
