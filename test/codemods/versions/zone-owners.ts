import type { NextVersion } from "./next-version.js";

/** A domain needs an owner, deletion a reason, and the type of records is renamed. */
export const zoneOwners: NextVersion = {
  changes: [
    { file: "**", from: /\bDomainRecord\b/g, to: "ZoneRecord" },
    {
      file: "domains/schemas.yaml",
      from: /(\nDomainCreate:\n[^]*?\n  required: \[)([^\]]*\]\n[^]*?  properties:\n)/,
      to: "$1owner, $2    owner: {type: string, minLength: 1, description: Who answers for the zone.}\n",
    },
    {
      file: "domains/paths.yaml",
      from: "    operationId: deleteDomain\n",
      to: `    operationId: deleteDomain
    parameters:
      - {name: reason, in: query, required: true, description: Why., schema: {type: string, minLength: 1}}
`,
    },
  ],
  decisions: [
    { marker: /owner: TODO/, decided: 'owner: "ops@example.com"' },
    { marker: /reason: TODO/, decided: 'reason: "expired"' },
  ],
  toOld: ({ url, body, ...request }) => {
    const { owner, ...rest } = (body ?? {}) as { readonly owner?: string };
    const query = new URLSearchParams(url.searchParams);
    query.delete("reason");
    const old = new URL(`${url.pathname}?${query.toString()}`, url);
    return { ...request, url: old, body: owner === undefined ? body : rest };
  },
  toNew: (body) => body,
};
