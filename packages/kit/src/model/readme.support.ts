import { allowsAnonymous, type Api, preferredContent, schemaParts } from "./index.js";

/** The fields that everybody can read, by operation. */
export function publicFields(api: Api): Readonly<Record<string, readonly string[]>> {
  const open = api.operations.filter(allowsAnonymous);
  return Object.fromEntries(
    open.map(({ name, responses }) => {
      const bodies = responses.flatMap(({ contents }) => preferredContent(contents) ?? []);
      const parts = bodies.flatMap(({ schema }) => schemaParts(api, schema));
      return [name, parts.flatMap(({ properties = [] }) => properties.map((property) => property.name))] as const;
    }),
  );
}
