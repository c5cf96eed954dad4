import type { Edit, Fault } from "./fault.js";
import { handlers, runtime, service } from "./files.js";
import type { Wire } from "./fault.js";

/** Who asks: tokens that are missing, over, or none at all. */
export const tokens: readonly Fault[] = [
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
    says: "a token that was deleted is shown no more, and admits all the same",
    edits: [
      handlers("tokens")(
        "deleteToken: async",
        "await work.tx.tokens.remove([target.id]);",
        'await work.tx.tokens.change(target, { kind: "revoked" });',
      ),
    ],
  },
  {
    id: "revoked-token/deleteApp",
    class: 2,
    operation: "deleteApp",
    requirements: ["app.delete.token", "app.delete", "auth.revoked"],
    says: "the token of an app that was deleted admits all the same",
    edits: [handlers("apps")("deleteApp: async", "await work.tx.tokens.take({ app: id });", "")],
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
    says: "a token is taken whatever the scheme that is written before it",
    edits: [runtime("credentials")("function authorization(", "if (name.toLowerCase() !== scheme)", "if (false)")],
  },
  {
    id: "no-scheme/listInstances",
    class: 3,
    operation: "listInstances",
    requirements: ["auth.header", "auth.on-behalf", "instance.list.scope"],
    says: "a token is taken with no scheme before it",
    edits: [
      runtime("credentials")(
        "function authorization(",
        'const sent = space === -1 ? ""',
        "const sent = space === -1 ? header",
      ),
      runtime("credentials")(
        "function authorization(",
        "if (name.toLowerCase() !== scheme)",
        "if (space !== -1 && name.toLowerCase() !== scheme)",
      ),
    ],
  },
  {
    id: "token-with-more/listDomains",
    class: 3,
    operation: "listDomains",
    requirements: ["auth.header", "auth.revoked", "error.401.invalid", "domains.list.scope"],
    says: "what follows the 64 characters of a token is not looked at",
    edits: [service("authenticate")("export function authenticator(", "hashOf(token)", "hashOf(token.slice(0, 64))")],
  },
];

/** Whoever sends no token is taken for whoever came before. */
function missing(operation: string, stated: readonly string[]): Fault {
  const wire: Wire = {
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
    says: "without a token a request is taken for one of the last user",
    wire,
  };
}

function expired(operation: string): Fault {
  const expiry = (find: string, replace: string): Edit => runtime("scopes")("function currentOf(", find, replace);
  return {
    id: `expired-token/${operation}`,
    class: 2,
    operation,
    requirements: ["auth.expired", "token.create.expiry", "token.expiry"],
    says: "a token admits after its expiry",
    edits: [
      expiry("{ now }", "{ now, operation }"),
      expiry("return now < until", `return now < until || operation === ${JSON.stringify(operation)}`),
    ],
  };
}

/** Where no token is needed, one that nobody knows is taken for none. */
function unknown(operation: string): Fault {
  const find = "unknown.push(scheme);";
  const replace = `if (given.asking.operation !== ${JSON.stringify(operation)}) unknown.push(scheme);`;
  return {
    id: `unknown-token/${operation}`,
    class: 2,
    operation,
    requirements: ["auth.revoked", "auth.expired", "error.401.revoked", "error.401.invalid"],
    says: "a token that nobody knows is taken for none",
    edits: [runtime("scopes")("export async function admit(", find, replace)],
  };
}
