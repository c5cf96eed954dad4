import type { NextVersion } from "./next-version.js";

/** An operation is renamed, and a field of a domain. */
export const contactAddresses: NextVersion = {
  changes: [
    { file: "**", from: /\bcreateDomainRecord\b/g, to: "addDomainRecord" },
    { file: "**", from: /\bsoa_email\b/g, to: "contact_email" },
  ],
  toOld: ({ body, ...request }) => ({ ...request, body: renameField(body, "contact_email", "soa_email") }),
  toNew: (body) => renameField(body, "soa_email", "contact_email"),
};

/** Renames a field of an object, or of each item of a page. */
function renameField(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((each) => renameField(each, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name === from ? to : name,
      name === "data" ? renameField(each, from, to) : each,
    ]),
  );
}
