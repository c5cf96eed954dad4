import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { runSuite, type Case, type CaseResult, type Suite } from "@plumbline/conformance-runtime";
import type { RunningService } from "./services.js";

/** Runs cases against a server that responds to every request with 200 and an empty object. The test controls are those of a service. */
export async function runAgainstEmptyResponses(
  suite: Suite,
  { cases, service }: { readonly cases: readonly Case[]; readonly service: RunningService },
): Promise<readonly CaseResult[]> {
  const canned = await startEmptyResponseServer();
  try {
    const { controls, token } = service;
    const { results } = await runSuite(suite, {
      url: canned.url,
      controls,
      credentials: { main: token },
      cases,
      seed: 1,
    });
    return results;
  } finally {
    canned.close();
  }
}

/** The operations for which an empty object is a valid response. */
export const operationsWithEmptyResponse: readonly string[] = ["getPreferences", "sendPhoneCode", "updatePreferences"];

async function startEmptyResponseServer(): Promise<{ readonly url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
