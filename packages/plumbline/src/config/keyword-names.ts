import { isExtensionFieldName, type SpecNode } from "@plumbline/kit/openapi/files";

/** A name that JSON Schema and OpenAPI leave to their users. */
export const keywordNamePattern = "^x-[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$";

/** Reads the names of custom keywords. Reports those that the vocabulary has, and those that are not extensions. */
export function readKeywordNames(place: SpecNode | undefined): readonly string[] {
  if (place === undefined) return [];
  if (!Array.isArray(place.raw)) place.report("config/value", "`keywords` is not a list.", "Write keywords: [x-luhn].");
  const names = place.items().flatMap((item) => {
    const name = item.raw;
    if (typeof name !== "string" || !new RegExp(keywordNamePattern).test(name)) {
      item.report("config/value", `${JSON.stringify(name)} is not a valid keyword.`, "Write a name such as x-luhn.");
      return [];
    }
    if (isExtensionFieldName(name)) {
      item.report("config/value", `"${name}" is an extension field of the vocabulary.`, "Choose another name.");
      return [];
    }
    return [name];
  });
  return [...new Set(names)];
}
