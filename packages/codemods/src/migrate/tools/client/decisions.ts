/** What a person decides about options that generated clients do not have, by option. */
const decisions: Readonly<Record<string, string>> = {
  querySerializer:
    "The description defines how parameters are written. Remove `querySerializer`, or correct the description.",
  bodySerializer:
    "The description defines how bodies are written. Remove `bodySerializer`, or correct the description.",
  parseAs: "The description defines how a response is read. Remove `parseAs`, or correct the description.",
  credentials: "The hook `onRequest` can set `credentials` of a request. Decide whether it is needed.",
  throwOnError:
    "Calls throw, and `toResult` returns errors instead. Remove `throwOnError`, and check what reads results.",
  auth: "The option `token` is a text, or a function without parameters. Decide what becomes of `auth`.",
};

/** What a person decides about an option without a counterpart. */
export function describeDecision(option: string): string {
  return Object.hasOwn(decisions, option)
    ? (decisions[option] ?? "")
    : `There is no option \`${option}\`. Decide how to do without it.`;
}

/** Why something stays as it is, and the list that says so. */
export interface Obstacle {
  readonly list: "toDecide" | "notUnderstood";
  readonly message: string;
}

export function notUnderstood(message: string): Obstacle {
  return { list: "notUnderstood", message };
}
