import {
  createInstance,
  deleteInstance,
  listInstances,
  paginateList,
  waitForInstance,
  type Client,
} from "@cloud-compute/client";

/** A small application: it deploys servers, describes them, and deletes them. */
export interface Deployments {
  /** Creates a server, and waits until it runs. Returns its id. */
  deploy(label: string): Promise<number>;
  /** A line for each server. */
  describe(): Promise<readonly string[]>;
  /** Deletes every server with a label, and returns how many these were. */
  removeAll(label: string): Promise<number>;
}

export function createDeployments(api: Client): Deployments {
  return {
    deploy: async (label) => {
      const image = { image: "compute/debian12", root_pass: "aComplex-P4ssword" };
      const { id } = await createInstance(api, { body: { region: "us-east", type: "g6-nanode-1", label, ...image } });
      await waitForInstance(api, id, "running", { intervalMs: 5 });
      return id;
    },
    describe: async () => {
      const lines: string[] = [];
      for await (const { id, label, status } of paginateList(listInstances, api))
        lines.push(`${id} ${label}: ${status}`);
      return lines;
    },
    removeAll: async (label) => {
      const ids: number[] = [];
      for await (const each of paginateList(listInstances, api)) if (each.label === label) ids.push(each.id);
      for (const computeId of ids) await deleteInstance(api, { path: { computeId } });
      return ids.length;
    },
  };
}
