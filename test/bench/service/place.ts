import { cp } from "node:fs/promises";
import path from "node:path";
import { makeFolder, ownPackage } from "../folder.js";
import { run, type Node } from "../peers.js";
import { repository } from "../places.js";

/** The folder and the stores of a measurement. */
export interface Sizes {
  /** The number of instances in the large store; the small one has a hundred. */
  readonly instances: number;
  /** The number of users who create instances. */
  readonly users: number;
}

/** The stores, by the names of their folders. */
export const stores = { large: "large", small: "small", peer: "peer", making: "making", writing: "writing" } as const;

/** The number of instances of a page. */
export const few = 100;

/** Creates a folder with the measured programs, their imports, and filled stores; peers come from a folder of packages. */
export async function placeService(node: Node, installed: string, { instances, users }: Sizes): Promise<string> {
  const packages = new Map([
    ["@cloud-compute/service", ownPackage("service")],
    ["fastify", path.join(installed, "fastify")],
    // The library of the service, so that both use the same database.
    ["libsql", path.join(repository, "node_modules", "libsql")],
  ]);
  const folder = await makeFolder({ programs: ["service/programs"], packages });
  const at = (name: string): string => path.join(folder, name);
  const fill = (name: string, ...counts: readonly number[]) =>
    run(node.program, ["fill.mjs", at(name), ...counts.map(String)], folder);
  await fill(stores.large, instances, 0);
  await fill(stores.small, few, 0);
  await fill(stores.making, few, users);
  await cp(at(stores.large), at(stores.peer), { recursive: true });
  await cp(at(stores.small), at(stores.writing), { recursive: true });
  return folder;
}
