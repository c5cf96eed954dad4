import type { CredentialFacts } from "@plumbline/conformance-runtime";
import type { Api, Operation, SecurityAlternative } from "../model/api.js";
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

/**
 * Where the token of a caller of an operation goes; undefined: after `Bearer`, which needs no saying where there is no other scheme, whose
 * token might be another.
 */
export function credentialFacts(api: Api, operation: Operation): readonly CredentialFacts[] | undefined {
  const credentials = sendable(api, operation);
  const isOnly = api.schemes.length === 1 && credentials?.every(({ as }) => as === "bearer") === true;
  return isOnly ? undefined : credentials;
}

/** Whether a caller shows a token of any kind. */
export function asksForToken(api: Api, operation: Operation): boolean {
  return sendable(api, operation) !== undefined;
}

/** Whether that is one after `Bearer`. */
export function asksForBearer(api: Api, operation: Operation): boolean {
  return sendable(api, operation)?.some(({ as }) => as === "bearer") === true;
}

/** The schemes of the first alternative that a request alone can serve, and that is not nobody's. */
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

/** Where a source is stated: beside what it is the source of. */
function placeOf({ file, pointer }: Pick<Located, "file" | "pointer">): string {
  return `${file} ${pointer.replace(/\/x-source.*$/, "")}`;
}
