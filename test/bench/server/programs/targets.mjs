// The table of the described operations that have a path, and a target for each of them, with ids as they are.
import * as exported from "@cloud-compute/validator/operations";

export const bases = ["/v4", "/v4beta"];

/** Hono's router does not support text where the same method has a parameter, so all routers skip these two. */
const withoutPlace = new Set(["importDomain", "restoreInstanceBackup"]);

export const operations = Object.values(exported).filter(
  ({ definition: { name, path } }) => path !== "" && !withoutPlace.has(name),
);

const ids = {
  computeId: "36297845",
  backupId: "71829301",
  clusterId: "12345",
  poolId: "4567",
  nodeId: "12345-6aa78910bc",
  domainId: "1029384",
  recordId: "5647382",
  // Other routers know no parameter of two segments; one segment is an id as well.
  imageId: "private-67848373",
  regionId: "us-east",
  tagLabel: "production",
  version: "1.31",
};

export const targets = operations.map(({ definition: { name, method, path } }) => ({
  name,
  method,
  target: bases[0] + path.replaceAll(/\{[+;]?(\w+)\}/g, (_, parameter) => ids[parameter] ?? "918273"),
}));

/** `/v4/instances/:computeId` and the same below the other base, as other routers write it. */
export const patterns = operations.flatMap(({ definition: { name, method, path } }) =>
  bases.map((base) => ({ name, method, pattern: base + path.replaceAll(/\{[+;]?(\w+)\}/g, ":$1") })),
);
