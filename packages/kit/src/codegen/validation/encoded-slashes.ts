import { valueKinds, type Api, type Diagnostic, type Operation, type Parameter } from "../../model/index.js";
import type { ArtifactOptions } from "../generator.js";

/** Finds the path parameters whose texts may have slashes, which clients send as `%2F` and servers reject. Ids of resources are texts without. */
export function findSlashWarnings(api: Api, { locate }: Pick<ArtifactOptions, "locate">): readonly Diagnostic[] {
  const { mayContain } = valueKinds(api);
  const rejecting = new Map<string, readonly [Parameter, Operation]>();
  for (const operation of api.operations)
    for (const parameter of operation.parameters)
      if (isOneSegment(parameter) && parameter.reference === undefined && mayContain(parameter.schema, "/"))
        rejecting.set(JSON.stringify(parameter.origin), [parameter, operation]);
  return [...rejecting.values()].map(([parameter, { path }]) => ({
    code: "unsupported/slash",
    severity: "warning",
    origin: locate(parameter.origin),
    message: `A server responds with 404 to a slash in "${parameter.name}", which clients send as %2F.`,
    fix:
      parameter.style === "simple" && path.split("/").includes(`{${parameter.name}}`)
        ? 'Write "x-input: {encodedSlash: true}" to accept it, or a "pattern" that excludes it, in an overlay where you cannot edit the description.'
        : 'Write a "pattern" that excludes it, in an overlay where you cannot edit the description.',
  }));
}

function isOneSegment({ in: place, segments, encodedSlash }: Parameter): boolean {
  return place === "path" && segments === 1 && !encodedSlash;
}
