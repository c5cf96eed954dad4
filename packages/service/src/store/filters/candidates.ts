import { isOperators, textOfContains, type SentFilter } from "./filter.js";

/** Ids of the rows among which all matches are. Undefined: every row may match. */
export type Candidates = readonly number[] | undefined;

/**
 * Finds the rows that can match a filter, by its `+contains` of indexed texts.
 *
 * @param find finds the rows that may contain a text in lower case
 */
export async function candidatesOf(
  filter: SentFilter,
  texts: readonly string[],
  find: (text: string) => Promise<Candidates>,
): Promise<Candidates> {
  const within = async (filters: readonly SentFilter[]): Promise<readonly Candidates[]> => {
    const inner: Candidates[] = [];
    for (const each of filters) inner.push(await candidatesOf(each, texts, find));
    return inner;
  };
  const candidates: Candidates[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (name === "+and") candidates.push(...(await within(value as readonly SentFilter[])));
    else if (name === "+or") candidates.push(union(await within(value as readonly SentFilter[])));
    else if (texts.includes(name) && isOperators(value) && value["+contains"] !== undefined)
      candidates.push(await find(textOfContains(value["+contains"])));
  }
  return candidates.reduce(
    (best, each) => (best === undefined || (each?.length ?? best.length) < best.length ? each : best),
    undefined,
  );
}

function union(all: readonly Candidates[]): Candidates {
  const ids = new Set<number>();
  for (const each of all) {
    if (each === undefined) return undefined;
    for (const id of each) ids.add(id);
  }
  return [...ids];
}
