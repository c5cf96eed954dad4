import { allowsAnonymous, findTarget, type Api, type Operation } from "@plumbline/kit/model";
import type { ProxyResponse } from "../../proxy.js";
import { targetKey } from "../expressions.js";
import { credentialOf, pathOf, withCredential } from "../memory.js";
import { isSuccess, successOf } from "../messages.js";
import type { Call, Mutant, ProxyContext, Violation } from "../mutant.js";
import { keyOf } from "../overrides.js";
import { placeOf, requirementsOf } from "../statements.js";
import { mutantOf } from "./operations.js";

/** A server that does not ask who calls, with which scopes, with which grants, or whose object it is. */
export function accessMutants(api: Api): readonly Mutant[] {
  return [
    ...api.operations.flatMap((operation) => operationAccess(api, operation)),
    ...grammarMutants(api),
    ...isolationMutants(api),
  ];
}

function operationAccess(api: Api, operation: Operation): readonly Mutant[] {
  const { security, grants, name } = operation;
  const statement = {
    place: placeOf(operation.origin),
    requirements: requirementsOf(operation.sources),
    operations: [operation],
  };
  if (security.length === 0) return [];
  const isPublic = allowsAnonymous(operation);
  const hasScopes = security.some((each) => each.some(({ scopes }) => scopes.length > 0));
  return [
    ...(isPublic
      ? []
      : [
          mutantOf(
            withError(api, statement, api.scopeGrammar?.errors.missing),
            { kind: "security", detail: `${name}/no credential needed` },
            () => asAnother((answer, call) => answer.status === 401 && !hasCredential(api, call)),
          ),
        ]),
    ...(hasScopes
      ? [
          mutantOf(
            withError(api, statement, api.scopeGrammar?.errors.scope),
            { kind: "scope", detail: `${name}/no scope needed` },
            () => asAnother((answer, call) => isDenied(answer) && hasCredential(api, call)),
          ),
        ]
      : []),
    ...grants.map((grant) =>
      mutantOf(
        { place: placeOf(grant.origin), requirements: requirementsOf(grant.sources), operations: [operation] },
        { kind: "grant", detail: `${name}/no grant needed` },
        () =>
          asAnother(
            (answer, call) => isDenied(answer, grant.error === undefined ? [] : [400, 404]) && hasCredential(api, call),
          ),
      ),
    ),
  ];
}

/** A statement together with the error that rejects its violation. */
function withError<T extends { readonly requirements: readonly string[] }>(
  api: Api,
  statement: T,
  id: string | undefined,
): T {
  const error = api.errors.find((each) => each.id === id);
  return { ...statement, requirements: [...new Set([...statement.requirements, ...requirementsOf(error?.sources)])] };
}

/** Scopes that nothing checks, in any operation. */
function grammarMutants(api: Api): readonly Mutant[] {
  const { scopeGrammar } = api;
  if (scopeGrammar === undefined) return [];
  const operations = api.operations.filter(({ security }) =>
    security.some((each) => each.some(({ scopes }) => scopes.length > 0)),
  );
  const statement = {
    place: placeOf(scopeGrammar.origin),
    requirements: requirementsOf(scopeGrammar.sources),
    operations,
  };
  return [
    mutantOf(statement, { kind: "scope", detail: "scopes are not checked" }, () =>
      asAnother((answer, call) => isDenied(answer) && hasCredential(api, call)),
    ),
  ];
}

function isolationMutants(api: Api): readonly Mutant[] {
  return api.resources.flatMap((resource) => {
    const { owner } = resource;
    if (owner.includes("platform")) return [];
    const operations = api.operations.filter(
      (each) => each.path.includes("{") && findTarget(api, each)?.resource === resource.name,
    );
    if (operations.length === 0) return [];
    const statement = { place: placeOf(resource.origin), requirements: requirementsOf(resource.sources), operations };
    return [
      mutantOf(statement, { kind: "isolation", detail: "objects of others" }, () =>
        asAnother((answer, call, proxy) => {
          const authorization = credentialOf(proxy.api, call.request.headers);
          const owning = ownerOf(call, proxy);
          return (
            answer.status === 404 && owning !== undefined && authorization !== undefined && owning !== authorization
          );
        }),
      ),
    ];
  });
}

/** The caller that the object of a path belongs to. */
function ownerOf(call: Call, { api, memory }: ProxyContext): string | undefined {
  const target = targetKey({ api, call });
  return (
    memory.authorizationOf.get(pathOf(call.request.target)) ??
    (target === undefined ? undefined : memory.owners.get(keyOf(target)))
  );
}

function isDenied({ status }: ProxyResponse, more: readonly number[] = []): boolean {
  return status === 401 || status === 403 || more.includes(status);
}

/** True when a request has any credential. */
function hasCredential(api: Api, { request }: Call): boolean {
  return credentialOf(api, request.headers) !== undefined;
}

/** The last accepted callers that are tried in place of one that the server rejects. */
const maxCallers = 4;

/** Responds to a rejected caller as to one that the server accepts. */
function asAnother(isMeant: (answer: ProxyResponse, call: Call, proxy: ProxyContext) => boolean): Violation {
  return {
    onResponse: async (answer, call, proxy) => {
      if (!isMeant(answer, call, proxy)) return answer;
      const { request } = call;
      const { memory, send } = proxy;
      const owning = ownerOf(call, proxy);
      const latest = memory.authorizations.slice(-maxCallers).toReversed();
      for (const authorization of new Set(owning === undefined ? latest : [owning, ...latest])) {
        const accepted = await send({ ...request, headers: withCredential(proxy.api, request.headers, authorization) });
        if (isSuccess(accepted)) return accepted;
      }
      return successOf(call, proxy);
    },
  };
}
