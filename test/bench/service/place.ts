import { cp } from "node:fs/promises";
import path from "node:path";
import { makeFolder, ownPackage } from "../folder.js";
import { run, type Node } from "../peers.js";
import { repository } from "../places.js";

/** What is measured on. */
export interface Sizes {
  /** Instances of the store that is large; of the small one there are a hundred. */
  readonly instances: number;
  /** Users who make instances. */
  readonly users: number;
}

/** The stores, by the names of their folders. */
export const stores = { large: "large", small: "small", peer: "peer", making: "making", writing: "writing" } as const;

/** As many instances as a page has. */
export const few = 100;

/** Makes a folder with the programs that are measured, what they import, and stores that are filled; peers from below a folder of packages. */
export async function placeService(node: Node, installed: string, { instances, users }: Sizes): Promise<string> {
  const packages = new Map([
    ["@cloud-compute/service", ownPackage("service")],
    ["fastify", path.join(installed, "fastify")],
    // The one of the service, so that both have the same database.
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
