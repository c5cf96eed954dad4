import { optionsOf, startService } from "@cloud-compute/service";
import { onTestFinished } from "vitest";
import type { Ready } from "./service.js";

/** Starts the service with these options in this process, until the test ends; on ports of its own, with test controls, and with nothing kept. */
export async function startServiceInProcess(options: readonly string[]): Promise<Ready> {
  const own = ["--port", "0", "--controls-port", "0", "--data", ":memory:", "--log", "error"];
  const { url, controls, token, close } = await startService(optionsOf([...own, ...options], {}));
  onTestFinished(close);
  if (token === null) throw new Error("the store has a user already, and its token is unknown");
  return { url, controls, token };
}
