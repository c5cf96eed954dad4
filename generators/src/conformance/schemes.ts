import type { CredentialFacts } from "@plumbline/conformance-runtime";
import type { Api, Operation, SecurityAlternative } from "../model/api.js";
import { once } from "../model/once.js";
import type { Located } from "../problem.js";
import type { Context } from "./context.js";
import type { Subject } from "./settings.js";

/** The requirements of the security schemes. The settings assign them to subjects. */
export function schemeRequirements({ api, settings }: Context, subject: Subject): readonly string[] {
  return settings.callers?.[subject] ?? ofSchemes(api);
}

const ofSchemes = once((api): readonly string[] => {
  const places = new Set(api.schemes.map(({ origin }) => placeOf(origin)));
  return api.requirements.flatMap(({ id, statedAt }) =>
    statedAt.some((each) => places.has(placeOf(each))) ? [id] : [],
  );
});

/**
 * Where to send the caller's token. Undefined: as `Bearer`, if that is the only scheme; with several schemes a token may differ between
 * them.
 */
export function credentialFacts(api: Api, operation: Operation): readonly CredentialFacts[] | undefined {
  const credentials = sendable(api, operation);
  const isOnly = api.schemes.length === 1 && credentials?.every(({ as }) => as === "bearer") === true;
  return isOnly ? undefined : credentials;
}

/** True when an operation requires a credential. */
export function asksForToken(api: Api, operation: Operation): boolean {
  return sendable(api, operation) !== undefined;
}

/** True when this credential is a `Bearer` token. */
export function asksForBearer(api: Api, operation: Operation): boolean {
  return sendable(api, operation)?.some(({ as }) => as === "bearer") === true;
}

/** The schemes of the first security requirement that a plain request can meet and that is not anonymous. */
function sendable(api: Api, { security }: Operation): readonly CredentialFacts[] | undefined {
  const all = security.map((alternative) => credentialsOf(api, alternative));
  return all.find((credentials) => credentials !== undefined && credentials.length > 0);
}

function credentialsOf(api: Api, alternative: SecurityAlternative): readonly CredentialFacts[] | undefined {
  const credentials: CredentialFacts[] = [];
  for (const { scheme } of alternative) {
    const found = api.schemes.find(({ name }) => name === scheme);
    if (found === undefined || found.kind === "mutualTLS" || found.kind === "http") return undefined;
    if (found.kind === "apiKey") credentials.push({ scheme, as: "apiKey", in: found.in, name: found.key });
    else credentials.push({ scheme, as: found.kind === "basic" ? "basic" : "bearer" });
  }
  return credentials;
}

/** Identifies a statement by the location of its source. */
function placeOf({ file, pointer }: Pick<Located, "file" | "pointer">): string {
  return `${file} ${pointer.replace(/\/x-source.*$/, "")}`;
}
