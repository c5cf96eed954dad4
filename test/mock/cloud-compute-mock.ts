import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createMock, type Mock } from "@cloud-compute/mock";
import { createAdaptorServer } from "@hono/node-server";
import { cloudComputeControls } from "./cloud-compute-controls.js";
import { cloudComputeData } from "./cloud-compute-data.js";

/** A mock of Cloud Compute that listens, with the test controls that its suite uses. */
export interface ListeningMock {
  readonly mock: Mock;
  readonly url: string;
  readonly controls: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Starts a mock on ports of its own. */
export async function startCloudComputeMock(pace: number): Promise<ListeningMock> {
  const token = randomBytes(32).toString("hex");
  const mock = createMock({
    pace,
    data: cloudComputeData,
    users: [{ username: "admin", account: "bootstrap", tokens: [token] }],
  });
  const servers = [createAdaptorServer({ fetch: mock.fetch }) as Server, createServer()];
  const [api, controls] = servers as [Server, Server];
  const respond = createAdaptorServer({ fetch: cloudComputeControls(mock) }) as Server;
  for (const listener of respond.listeners("request")) controls.on("request", listener as never);
  const [url, controlsUrl] = await Promise.all([api, controls].map(listen));
  return {
    mock,
    url: `${url}/v4`,
    controls: controlsUrl ?? "",
    token,
    close: async () => void (await Promise.all(servers.map(close))),
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}
