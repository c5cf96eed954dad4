import path from "node:path";
import { makeFolder, ownPackage } from "../folder.js";
import { run, type Node } from "../peers.js";

const peers = ["fastify", "find-my-way", "hono"];

const own = {
  "@cloud-compute/server": "server",
  "@cloud-compute/validator": "validator",
  "@plumbline/server-runtime": "server-runtime",
} as const;

/** Creates a folder with the measured programs, the description, and their imports; peers come from a folder of packages. */
export async function placeServers(node: Node, installed: string): Promise<string> {
  const packages = new Map(peers.map((name) => [name, path.join(installed, name)]));
  for (const [name, folder] of Object.entries(own)) packages.set(name, ownPackage(folder));
  const folder = await makeFolder({
    programs: ["validator/programs/describe-routes.mjs", "server/programs"],
    packages,
  });
  for (const program of ["describe-routes.mjs", "describe-calls.mjs"]) await run(node.program, [program], folder);
  return folder;
}
