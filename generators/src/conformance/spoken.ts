import type { Operation, Requirement } from "../model/api.js";
import { once } from "../model/once.js";
import type { Located } from "../problem.js";
import type { Context } from "./context.js";

/** Texts of requirements by their ids. */
const texts = once((api) => new Map(api.requirements.map(({ id, says }) => [id, says] as const)));

/** Those of requirements whose text fits; all of them where none does. */
export function speakingOf({ api }: Context, ids: readonly string[], pattern: RegExp): readonly string[] {
  const fitting = ids.filter((id) => pattern.test(texts(api).get(id) ?? ""));
  return fitting.length === 0 ? ids : fitting;
}

/** Requirements that the security schemes carry themselves, by what they speak of. */
export function schemeRequirements(context: Context, about: Subject): readonly string[] {
  return ofSchemes(context.api)[about];
}

export type Subject = "grants" | "anonymous" | "scopes" | "token";

/** The first that fits a text is what it speaks of. */
const subjects: Readonly<Record<Subject, RegExp>> = {
  grants: /grant|restricted/i,
  anonymous: /without a token/i,
  scopes: /scope|read_only|read_write/i,
  token: /./,
};

const ofSchemes = once((api): Readonly<Record<Subject, readonly string[]>> => {
  const found: Record<Subject, string[]> = { grants: [], anonymous: [], scopes: [], token: [] };
  const places = new Set(api.schemes.map(({ origin }) => placeOf(origin)));
  for (const { id, says, statedAt } of api.requirements) {
    if (!statedAt.some((each) => places.has(placeOf(each)))) continue;
    // What speaks of one operation is that operation's.
    if (operationNamed.test(says)) continue;
    const names = Object.keys(subjects) as Subject[];
    const subject = names.find((name) => subjects[name].test(says));
    if (subject !== undefined) found[subject].push(id);
  }
  return found;
});

/** Requirements that are stated of the whole API and name an operation by its method and path. */
export function namedRequirements({ api }: Context, { method, path }: Operation): readonly string[] {
  const name = `${method} ${path}`;
  return general(api).flatMap(({ id, says }) => (namesIn(says).includes(name) ? [id] : []));
}

/** Requirements that are stated of the whole API, by what they say. */
export function generalRequirements({ api }: Context, pattern: RegExp): readonly string[] {
  return general(api).flatMap(({ id, says }) => (pattern.test(says) ? [id] : []));
}

const general = once((api): readonly Requirement[] => {
  const { file } = api.origin;
  const places = new Set([
    placeOf({ file, pointer: "/info" }),
    ...api.servers.map((_, at) => placeOf({ file, pointer: `/servers/${at}` })),
    ...api.schemes.map(({ origin }) => placeOf(origin)),
  ]);
  return api.requirements.filter(({ statedAt }) => statedAt.some((each) => places.has(placeOf(each))));
});

const operationNamed = /\b(?:GET|PUT|POST|DELETE|PATCH) \/[\w/{}-]*/;

function namesIn(says: string): readonly string[] {
  return [...says.matchAll(new RegExp(operationNamed, "g"))].map(([name]) => name);
}

/** Where a source is stated: beside what it is the source of. */
function placeOf({ file, pointer }: Pick<Located, "file" | "pointer">): string {
  return `${file} ${pointer.replace(/\/x-source.*$/, "")}`;
}
