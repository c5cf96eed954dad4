import { runSuite, type Case, type Scenarios, type Step, type Suite } from "@plumbline/conformance-runtime";
import type { RunningService } from "../faulty-service.js";
import { startProxy, type ProxyRequest } from "../proxy.js";
import type { Route } from "../routes.js";

/** Valid requests with their objects, kept until `close`. */
export interface PreparedRequests {
  /** One for each copy. Undefined when the setup failed. */
  readonly requests: readonly (ProxyRequest | undefined)[];
  close(): Promise<void>;
}

export interface PrepareOptions {
  readonly suite: Suite;
  readonly scenarios?: Scenarios;
  readonly routes: ReadonlyMap<string, Route>;
  readonly operation: string;
  /** Each copy has an account of its own. */
  readonly copies: number;
  /** Eight lowercase letters and digits, with which unique values begin. */
  readonly runId: string;
}

/**
 * Prepares an operation like the suite: with its case of an accepted request. A proxy holds the last request of the case, so that its
 * cleanup waits until the tools are done.
 */
export async function prepareRequests(running: RunningService, options: PrepareOptions): Promise<PreparedRequests> {
  const { suite, scenarios, routes, operation, copies, runId } = options;
  const [accepts, route] = [acceptingCase(suite, operation), routes.get(operation)];
  if (route === undefined) throw new Error(`The suite has no operation ${operation}.`);
  const requests: (ProxyRequest | undefined)[] = Array.from({ length: copies }, () => undefined);
  const end = new AbortController();
  const ended = new Promise<void>((resolve) => end.signal.addEventListener("abort", () => resolve(), { once: true }));
  let settled = 0;
  let ready = (): void => undefined;
  const all = new Promise<void>((resolve) => (ready = resolve));
  const onSettled = (): void => {
    settled += 1;
    if (settled === copies) ready();
  };
  const proxy = await startProxy(running.url, {
    route,
    wire: {
      onRequest: (asked) => {
        const index = asked.headers[requestMark];
        if (index === undefined) return asked;
        requests[Number(index)] = asked;
        onSettled();
        return { status: 418, headers: { [requestMark]: index }, body: "" };
      },
      onResponse: async (answer) => {
        if (requestMark in answer.headers) await ended;
        return answer;
      },
    },
  });
  const run = runSuite(suite, {
    url: proxy.url,
    controls: running.controls,
    credentials: { main: running.token },
    cases: Array.from({ length: copies }, (_, index) => marked(accepts, index)),
    seed: 1,
    runId,
    workers: copies,
    // A case that could not run never sends its last request.
    onProgress: ({ kind }) => {
      if (kind === "case" && !end.signal.aborted) onSettled();
    },
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(timeoutSeconds * 1000)]),
    ...(scenarios === undefined ? {} : { scenarios }),
  }).catch(() => undefined);
  await Promise.race([all, run]);
  return {
    requests,
    close: async () => {
      end.abort();
      await proxy.close();
      await run;
    },
  };
}

/** The case of an accepted request of an operation. */
export function acceptingCase({ cases }: Pick<Suite, "cases">, operation: string): Case {
  const found = cases.find((each) => each.kind === "accepts" && each.operation === operation);
  if (found === undefined) throw new Error(`The suite has no case of an accepted request of ${operation}.`);
  return found;
}

const requestMark = "x-prepared";
const timeoutSeconds = 25;

/** Exclusive cases can run concurrently here: their copies only wait, and no other case runs. */
function marked({ exclusive: _alone, ...accepts }: Case, index: number): Case {
  const last = accepts.steps.at(-1);
  if (last === undefined || !("call" in last)) throw new Error(`${accepts.id} does not end with a request.`);
  const step: Step = { ...last, headers: { ...last.headers, [requestMark]: String(index) } };
  return { ...accepts, id: `${accepts.id}/${index}`, steps: [...accepts.steps.slice(0, -1), step] };
}
