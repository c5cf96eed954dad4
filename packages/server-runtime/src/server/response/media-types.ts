import { isJson, mediaTypeEssence } from "../../http/index.js";

/** A media type to send, and the documented one, perhaps a range, that it matches. */
export interface ChosenType {
  readonly type: string;
  readonly described: string;
}

/**
 * Chooses the media type of a response: the one that the handler sets, else JSON, else the only one. Returns a text with the reason if there is none.
 */
export function mediaTypeOf(type: string | undefined, described: readonly string[]): ChosenType | string {
  if (type !== undefined) {
    const essence = mediaTypeEssence(type);
    const [kind = ""] = essence.split("/", 1);
    const match = [essence, `${kind}/*`, "*/*"].find((each) => described.includes(each));
    return match === undefined ? `must be ${formatAlternatives(described)}, not ${type}` : { type, described: match };
  }
  const [first = ""] = described;
  if (described.length === 1 && first === jsonType.described) return jsonType;
  const chosen = described.find(isJson) ?? (described.length === 1 && !first.endsWith("/*") ? first : undefined);
  if (chosen === undefined) return `must have a \`type\`: ${formatAlternatives(described)}`;
  return { type: chosen.endsWith("/*") ? "application/json" : chosen, described: chosen };
}

const jsonType: ChosenType = { type: "application/json", described: "application/json" };

function formatAlternatives(types: readonly string[]): string {
  return types.length < 2 ? (types[0] ?? "") : `${types.slice(0, -1).join(", ")} or ${types.at(-1)}`;
}
