import { once } from "../model/once.js";
import type { Located } from "../problem.js";
import type { Context } from "./context.js";
import type { Subject } from "./settings.js";

/** Requirements that the security schemes carry themselves: of these the settings say which cases they are about. */
export function schemeRequirements({ api, settings }: Context, subject: Subject): readonly string[] {
  return settings.callers?.[subject] ?? ofSchemes(api);
}

const ofSchemes = once((api): readonly string[] => {
  const places = new Set(api.schemes.map(({ origin }) => placeOf(origin)));
  return api.requirements.flatMap(({ id, statedAt }) =>
    statedAt.some((each) => places.has(placeOf(each))) ? [id] : [],
  );
});

/** Where a source is stated: beside what it is the source of. */
function placeOf({ file, pointer }: Pick<Located, "file" | "pointer">): string {
  return `${file} ${pointer.replace(/\/x-source.*$/, "")}`;
}
