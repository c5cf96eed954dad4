import type { CredentialInfo } from "@plumbline/conformance-runtime";
import { type Api, type Operation, type SecurityRequirement, memoize, type SourceLocation } from "@plumbline/kit/model";
import type { ConformanceContext } from "./context.js";
import type { CallerSubject } from "./settings.js";

/** The requirements of the security schemes. The settings assign them to subjects. */
export function schemeRequirements({ api, settings }: ConformanceContext, subject: CallerSubject): readonly string[] {
  return settings.callers?.[subject] ?? ofSchemes(api);
}

const ofSchemes = memoize((api): readonly string[] => {
  const places = new Set(api.securitySchemes.map(({ origin }) => placeOf(origin)));
  return api.requirements.flatMap(({ id, statedAt }) =>
    statedAt.some((each) => places.has(placeOf(each))) ? [id] : [],
  );
});

/**
 * Where to send the caller's token. Undefined: as `Bearer`, if that is the only scheme; with several schemes a token may differ between
 * them.
 */
export function credentialInfos(api: Api, operation: Operation): readonly CredentialInfo[] | undefined {
  const credentials = isSendable(api, operation);
  const isOnly = api.securitySchemes.length === 1 && credentials?.every(({ as }) => as === "bearer") === true;
  return isOnly ? undefined : credentials;
}

/** True when an operation requires a credential. */
export function requiresToken(api: Api, operation: Operation): boolean {
  return isSendable(api, operation) !== undefined;
}

/** True when an operation requires HTTP Basic. */
export function requiresBasic(api: Api): boolean {
  return api.operations.some((operation) => isSendable(api, operation)?.some(({ as }) => as === "basic") === true);
}

/** True when this credential is a `Bearer` token. */
export function requiresBearerToken(api: Api, operation: Operation): boolean {
  return isSendable(api, operation)?.some(({ as }) => as === "bearer") === true;
}

/** The schemes of the first security requirement that a plain request can meet and that is not anonymous. */
function isSendable(api: Api, { security }: Operation): readonly CredentialInfo[] | undefined {
  const all = security.map((alternative) => credentialsOf(api, alternative));
  return all.find((credentials) => credentials !== undefined && credentials.length > 0);
}

function credentialsOf(api: Api, alternative: SecurityRequirement): readonly CredentialInfo[] | undefined {
  const credentials: CredentialInfo[] = [];
  for (const { scheme } of alternative) {
    const match = api.securitySchemes.find(({ name }) => name === scheme);
    if (match === undefined || match.kind === "mutualTLS" || match.kind === "http") return undefined;
    if (match.kind === "apiKey") credentials.push({ scheme, as: "apiKey", in: match.in, name: match.key });
    else credentials.push({ scheme, as: match.kind === "basic" ? "basic" : "bearer" });
  }
  return credentials;
}

/** Identifies a statement by the location of its source. */
function placeOf({ file, pointer }: Pick<SourceLocation, "file" | "pointer">): string {
  return `${file} ${pointer.replace(/\/x-source[^]*$/, "")}`;
}
