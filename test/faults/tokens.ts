import { editFeature, editHttpRuntime, editRuntime, editService } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";
import type { WireChange } from "./fault.js";

/** Faults of tokens: missing, expired, unknown. */
export const tokenFaults: readonly Fault[] = [
  missing("listInstances", ["instance.list.scope"]),
  missing("getInstance", ["instance.get.scope"]),
  missing("createDomain", ["domains.create.scope"]),
  missing("listEvents", []),
  missing("listClusters", ["cluster.list.scope"]),
  missing("getProfile", ["profile.get.scope"]),
  missing("listTokens", ["token.list.scope"]),
  missing("createTag", ["tag.create.scope.open"]),
  expired("getProfile"),
  expired("listDomains"),
  expired("createTag"),
  expired("listInstances"),
  {
    id: "revoked-token/deleteToken",
    class: 2,
    operation: "deleteToken",
    requirements: ["auth.revoked", "error.401.revoked", "token.delete", "token.delete.self"],
    description: "a deleted token is hidden, but still accepted",
    edits: [
      editFeature("profile/credential-handlers")(
        "deleteToken: async",
        "await work.tx.tokens.remove([target.id]);",
        'await work.tx.tokens.patch(target, { kind: "revoked" });',
      ),
    ],
  },
  {
    id: "revoked-token/deleteApp",
    class: 2,
    operation: "deleteApp",
    requirements: ["app.delete.token", "app.delete", "auth.revoked"],
    description: "the token of a deleted app is still accepted",
    edits: [
      editFeature("profile/credential-handlers")(
        "deleteApp: async",
        "await work.tx.tokens.deleteReturning({ app: id });",
        "",
      ),
    ],
  },
  unknown("listImages"),
  unknown("getImage"),
  unknown("listRegions"),
  unknown("getRegion"),
  {
    id: "other-scheme/getProfile",
    class: 3,
    operation: "getProfile",
    requirements: ["auth.header", "auth.second.bearer", "auth.on-behalf", "error.401.invalid"],
    description: "a token is accepted with any scheme",
    edits: [
      editHttpRuntime("security/credentials")(
        "function authorization(",
        "if (name.toLowerCase() !== scheme)",
        "if (false)",
      ),
    ],
  },
  {
    id: "no-scheme/listInstances",
    class: 3,
    operation: "listInstances",
    requirements: ["auth.header", "auth.on-behalf", "instance.list.scope"],
    description: "a token is accepted without a scheme",
    edits: [
      editHttpRuntime("security/credentials")(
        "function authorization(",
        'schemeEnd === -1 ? ""',
        "schemeEnd === -1 ? header",
      ),
      editHttpRuntime("security/credentials")(
        "function authorization(",
        "if (name.toLowerCase() !== scheme)",
        "if (schemeEnd !== -1 && name.toLowerCase() !== scheme)",
      ),
    ],
  },
  {
    id: "token-with-more/listDomains",
    class: 3,
    operation: "listDomains",
    requirements: ["auth.header", "auth.revoked", "error.401.invalid", "domains.list.scope"],
    description: "characters after the 64 of a token are ignored",
    edits: [
      editService("access/authenticate")(
        "export function authenticator(",
        "hashOf(token)",
        "hashOf(token.slice(0, 64))",
      ),
    ],
  },
];

/** A request without a token counts as one of the previous caller. */
function missing(operation: string, stated: readonly string[]): Fault {
  const wire: WireChange = {
    onRequest: (asked, { last, of }) => {
      const before = of.get(`/v4${asked.target.split("?")[0]}`) ?? last;
      if ("authorization" in asked.headers || before === undefined) return asked;
      return { ...asked, headers: { ...asked.headers, authorization: before } };
    },
  };
  return {
    id: `missing-token/${operation}`,
    class: 1,
    operation,
    requirements: [...stated, "auth.on-behalf"],
    description: "a request without a token counts as one of the previous caller",
    wire,
  };
}

function expired(operation: string): Fault {
  const expiry = (find: string, replace: string): SourceEdit =>
    editRuntime("access/authentication")("function unexpiredCaller(", find, replace);
  return {
    id: `expired-token/${operation}`,
    class: 2,
    operation,
    requirements: ["auth.expired", "token.create.expiry", "token.expiry"],
    description: "a token is accepted after its expiry",
    edits: [
      expiry("{ now }", "{ now, operation }"),
      expiry("return now < until", `return now < until || operation === ${JSON.stringify(operation)}`),
    ],
  };
}

/** Public operations ignore an unknown token. */
function unknown(operation: string): Fault {
  const find = "unknown.push(scheme);";
  const replace = `if (attempt.request.operation !== ${JSON.stringify(operation)}) unknown.push(scheme);`;
  return {
    id: `unknown-token/${operation}`,
    class: 2,
    operation,
    requirements: ["auth.revoked", "auth.expired", "error.401.revoked", "error.401.invalid"],
    description: "an unknown token is ignored",
    edits: [editRuntime("access/authentication")("function authenticateRequest(", find, replace)],
  };
}
