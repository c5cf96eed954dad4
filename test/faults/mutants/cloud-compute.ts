import path from "node:path";
import { scenarios, suite } from "@cloud-compute/conformance";
import { buildApi, loadDescription, loadRequirements } from "@plumbline/kit/openapi";
import { repositoryRoot } from "../repository.js";
import { startServiceProcess } from "../services.js";
import type { MutantTarget } from "./targets.js";

/** The reference service. The caller closes the processes that it starts. */
export async function cloudCompute(): Promise<MutantTarget> {
  const folder = path.join(repositoryRoot, "spec");
  const description = await loadDescription(path.join(folder, "openapi.yaml"));
  const requirements = await loadRequirements(path.join(folder, "requirements.yaml"), description.folder);
  return {
    name: "Cloud Compute",
    api: buildApi(description, { names: {}, requirements, ruleset: "strict" }),
    suite,
    scenarios,
    isDisposable: false,
    start: async () => {
      const services = startServiceProcess();
      const { url, controls, token } = await services.start([]);
      return { url, controls, credentials: { main: token }, close: () => services.close() };
    },
  };
}
