import { isJsonArray, isJsonObject, type Api, type Json } from "@plumbline/kit/model";

/** What a text of a description would have to contain to run a script or to load something, if a page did not escape it. */
export const payload = [
  `"'></script></title></style><script>globalThis.attacked=1</script>`,
  `<img src=https://attacker.example/a onerror=globalThis.attacked=2><svg onload=globalThis.attacked=3>`,
  `[a](javascript:globalThis.attacked=4) ![b](https://attacker.example/b) {{{c}}} \${d} \\N`,
].join("");

/** Keys whose values the model itself knows: other values would be invalid. */
const known: ReadonlySet<string> = new Set(
  `kind method in style types rule operator root part does status mediaType variant within absent nulls readOnly unknown unchanged round escape file
  pointer contentEncoding`.split(/\s+/),
);

/** Keys of objects whose own keys are texts of the description. */
const named: ReadonlySet<string> = new Set(["hidden", "values", "sets", "refs", "levels", "dependentRequired"]);

/** Returns a model in which every text of the description ends with the payload; names that refer to each other still do. */
export function makeHostile(api: Api): Api {
  return hostileValue(api as unknown as Json, "") as unknown as Api;
}

function hostileValue(value: Json, key: string): Json {
  if (typeof value === "string") return known.has(key) ? value : value + payload;
  if (isJsonArray(value)) return value.map((each) => hostileValue(each, key));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries<Json>(value).map(([name, each]) => [
      named.has(key) ? name + payload : name,
      hostileValue(each, name),
    ]),
  );
}
