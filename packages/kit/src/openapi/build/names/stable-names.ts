import { createHash } from "node:crypto";
import { pascalCase } from "../../../model/index.js";
import {
  describeReserved,
  describeUnusable,
  isUsableName,
  shortenName,
  type NameKind,
  type NameRequest,
  type NameResolver,
} from "./name-table.js";

/**
 * Resolves names that are never errors. A name may depend on the names of places that are read later: read again with the same
 * instance until `settle` returns true.
 */
export class StableNames implements NameResolver {
  readonly #kind: NameKind;
  readonly #configured: Readonly<Record<string, string>>;
  #requests = new Map<string, NameRequest>();
  #chosen: ReadonlyMap<string, StableName> = new Map();

  /** `configured` has the names of plumbline.yaml: by key, or by `file#pointer` if keys are ambiguous. */
  constructor(kind: NameKind, configured: Readonly<Record<string, string>>) {
    this.#kind = kind;
    this.#configured = configured;
  }

  resolve(request: NameRequest): string {
    const id = idOf(request);
    this.#requests.set(id, request);
    return this.#chosen.get(id)?.name ?? toCandidate(request, this.#kind, this.#configured).alone;
  }

  settle(): boolean {
    const requests = [...this.#requests.values()];
    const returned = requests.map((each) => this.resolve(each));
    const names = chooseStableNames(requests, this.#kind, this.#configured);
    this.#chosen = names;
    return requests.every((each, index) => names.get(idOf(each))?.name === returned[index]);
  }

  report(): void {
    for (const [id, { name, reason, entry }] of this.#chosen) {
      const message = `This ${this.#kind.noun} is called "${shortenName(name)}": ${reason ?? ""}.`;
      const fix = `To choose another name, add ${JSON.stringify(shortenName(entry))} under "names" in plumbline.yaml.`;
      if (reason !== undefined) this.#requests.get(id)?.place.warn("names/renamed", message, fix);
    }
  }
}

/** The name of one place, and why it differs from the derived one. */
interface StableName {
  readonly name: string;
  /** The end of a sentence. Absent where the name is the derived or the configured one. */
  readonly reason: string | undefined;
  /** The key under `names` in plumbline.yaml. */
  readonly entry: string;
}

/** A request with the name that it would have if it were alone. */
interface Candidate extends NameRequest {
  readonly id: string;
  readonly alone: string;
  readonly reason: string | undefined;
  /** The lowest of those that want one name keeps it, if it is alone. */
  readonly rank: number;
}

/** From here on, a rank gives no right to a name. */
const unranked = 5;

/**
 * Chooses names for the operations or schemas of a description that its user cannot edit. No name depends on the order of the
 * description: where several places want one name, the place whose key equals the name keeps it, and each other one gets a suffix that
 * is made of its own key.
 * @returns The names by the ids of the requests.
 */
export function chooseStableNames(
  requests: readonly NameRequest[],
  kind: NameKind,
  configured: Readonly<Record<string, string>>,
): ReadonlyMap<string, StableName> {
  const candidates = requests.map((request): Candidate => toCandidate(request, kind, configured));
  const groups = groupBy(candidates, ({ alone }) => identity(alone));
  const keys = groupBy(candidates, ({ key }) => key);
  const entryOf = ({ key, ownKey }: Candidate): string => (keys.get(key)?.length === 1 ? key : ownKey);
  const usedNames = new Set(groups.keys());
  const names = new Map<string, StableName>();
  const losers: { readonly loser: Candidate; readonly other: Candidate | undefined; readonly byOwnKey: string }[] = [];
  for (const group of groups.values()) {
    const keeper = findKeeper(group);
    for (const each of group) {
      const { id, alone: name, reason } = each;
      if (each === keeper) names.set(id, { name, reason, entry: entryOf(each) });
      else {
        const other = keeper ?? group.find((one) => one !== each);
        losers.push({ loser: each, other, byOwnKey: keys.get(each.key)?.length === 1 ? "" : kind.byOwnKey(each) });
      }
    }
  }
  const rivals = groupBy(losers, ({ byOwnKey }) => identity(byOwnKey));
  for (const { loser, other, byOwnKey } of losers.toSorted((a, b) => compareText(a.loser.id, b.loser.id))) {
    if (loser.rank === 0) {
      loser.place.report(
        "names/collision",
        `Two of the configured names are "${shortenName(loser.alone)}".`,
        chooseAnother,
      );
    }
    const isFree = byOwnKey !== "" && !groups.has(identity(byOwnKey)) && rivals.get(identity(byOwnKey))?.length === 1;
    const entry = entryOf(loser);
    const name = isFree ? byOwnKey : withHash(loser.alone, entry, usedNames);
    usedNames.add(identity(name));
    names.set(loser.id, { name, reason: describeOther(other), entry });
  }
  return names;
}

const chooseAnother = "Choose another name.";

function toCandidate(request: NameRequest, kind: NameKind, configured: Readonly<Record<string, string>>): Candidate {
  const { place, key, ownKey } = request;
  const id = idOf(request);
  const configuredKey = [place.key, key, ownKey].find((each) => Object.hasOwn(configured, each));
  if (configuredKey !== undefined) {
    const name = configured[configuredKey] ?? "";
    if (!isUsableName(name)) place.report("names/unusable", describeUnusable(kind, name), chooseAnother);
    else if (kind.isReserved(name)) place.report("names/reserved", describeReserved(kind, name), chooseAnother);
    return { ...request, id, alone: name, reason: undefined, rank: 0 };
  }
  const written = place.text("x-name");
  if (written !== undefined && isUsableName(written) && !kind.isReserved(written))
    return { ...request, id, alone: written, reason: undefined, rank: 1 };
  const derived = kind.derive(key.replaceAll("$", " ")); // generated code uses names with a dollar sign
  const rank = derived === key ? (request.isMain ? 2 : 3) : unranked;
  if (derived === undefined) {
    const word = kind.derive(kind.noun) ?? kind.noun;
    const spelled = kind.derive(`${kind.noun} ${key}`) ?? word;
    const alone = spelled === word ? `${word}_${hash(key)}` : spelled;
    return { ...request, id, alone, reason: `no name can be made of "${shortenName(key)}" alone`, rank: unranked };
  }
  if (kind.isReserved(derived)) {
    const reason = `the language or generated code takes "${shortenName(derived)}"`;
    return { ...request, id, alone: `${derived}${pascalCase(kind.noun) ?? ""}`, reason, rank: unranked };
  }
  // The linter reports an x-name that is not a name.
  const isReserved = written !== undefined && kind.isReserved(written);
  const reason = isReserved ? `the language or generated code takes "${shortenName(written)}"` : request.reason;
  return { ...request, id, alone: derived, reason, rank };
}

/** Returns the place that keeps a name: the only one, or the only one of the lowest rank. */
function findKeeper(group: readonly Candidate[]): Candidate | undefined {
  if (group.length === 1) return group[0];
  const lowest = Math.min(...group.map(({ rank }) => rank));
  const [keeper, ...others] = group.filter(({ rank }) => rank === lowest);
  return lowest === unranked || others.length > 0 ? undefined : keeper;
}

/** Appends a hash of the key, which is longer only where another name ends in it already. */
function withHash(name: string, key: string, usedNames: ReadonlySet<string>): string {
  for (let length = 6; ; length += 2) {
    const unique = `${name}_${hash(key, length)}`;
    if (!usedNames.has(identity(unique))) return unique;
  }
}

function describeOther(other: Candidate | undefined): string {
  if (other === undefined) return "another one has its name";
  const { file, line } = other.place.located;
  return `"${shortenName(other.key)}" at ${file}:${line} would have the same name`;
}

function idOf({ place, ownKey }: NameRequest): string {
  return `${place.key} ${ownKey}`;
}

function groupBy<T>(list: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of list) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

/** Types and functions are called after names in Pascal case: two names that are the same there collide. */
function identity(name: string): string {
  return pascalCase(name) ?? name;
}

function hash(text: string, length = 6): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
