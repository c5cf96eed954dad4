import { createClient } from "@cloud-compute/client";
import { createMock } from "@cloud-compute/mock";
import { mswHandlers } from "@plumbline/server-runtime/mock/msw";
import { setupWorker } from "msw/browser";
import { cloudComputeData } from "../cloud-compute-data.js";
import { createDeployments } from "./deployments.js";

// The application in a page: requests leave it, and a service worker answers them from the mock.

const url = "https://api.cloud-compute.example/v4";

async function run(): Promise<readonly string[]> {
  const mock = createMock({ data: cloudComputeData, pace: 0 });
  const worker = setupWorker(...mswHandlers(mock, url));
  await worker.start({ onUnhandledRequest: "bypass", quiet: true });
  const deployments = createDeployments(createClient({ baseUrl: url, token: "any" }));
  await deployments.deploy("web-1");
  await deployments.deploy("web-2");
  await deployments.removeAll("web-1");
  mock.settle();
  return deployments.describe();
}

const report = await run().catch((error: unknown) => [String(error)]);
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
