import {
  type TextFile,
  code,
  identifier,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  printSourceFile,
  importType,
  type Code,
} from "@plumbline/kit/codegen";
import { type Api, type Operation, type SecurityScheme, memoize } from "@plumbline/kit/model";
import { clientRuntime } from "./runtime.js";

/** True if operations have to name their security schemes, because some of them need more than a bearer token. */
export function needsSecurityNames(api: Api): boolean {
  const used = namesOf(api);
  const others = api.securitySchemes.filter((scheme) => used.has(scheme.name) && !isBearer(scheme));
  return usedSchemes(api).length > 0 && others.some((scheme) => scheme.kind !== "mutualTLS");
}

/** True if the description requires credentials that a request can carry. Without them, the option `token` would have no meaning. */
export function acceptsToken(api: Api): boolean {
  return usedSchemes(api).length > 0;
}

/** True if calls can have a bearer token, and so one of OAuth 2. */
export function acceptsBearer(api: Api): boolean {
  return usedSchemes(api).some(isBearer);
}

/** True if an operation of the description requires credentials of any kind. */
export function requiresCredentials(api: Api): boolean {
  return namesOf(api).size > 0;
}

/** The type of the options of a call. */
export function callOptionsType(api: Api): "CallOptions" | "OpenCallOptions" {
  return acceptsToken(api) ? "CallOptions" : "OpenCallOptions";
}

/** Emits `client.ts`: `createClient`, with the base URL of the API and the types of its credentials. */
export function emitCreateClient(api: Api): TextFile {
  const address = api.servers[0]?.url;
  const isAbsolute = address !== undefined && /^https?:\/\//.test(address);
  const baseUrl = isAbsolute
    ? [code`/** The default base URL of the API. */\nexport const baseUrl = ${jsonLiteral(address)};`]
    : [];
  const statements = needsSecurityNames(api)
    ? [...baseUrl, ...withSchemes(api, isAbsolute)]
    : [...baseUrl, ...withToken(api, isAbsolute)];
  return { path: "src/gen/client.ts", text: printSourceFile(statements) };
}

function withToken(api: Api, hasAddress: boolean): readonly Code[] {
  const example = exampleOptions([...(hasAddress ? [] : ["baseUrl"]), ...(acceptsToken(api) ? ["token"] : [])]);
  return [
    optionsType({ hasAddress, common: importType(callOptionsType(api), clientRuntime), more: code`` }),
    code`/**
 * Creates a client, the first argument of every function of this package.
 *
 * @example
 * const client = createClient(${example});
 */
export function createClient(options: ClientOptions${hasAddress ? code` = {}` : code``}): ${importType("Client", clientRuntime)} {
  return ${importValue("createBaseClient", clientRuntime)}(options${hasAddress ? code`, baseUrl` : code``});
}`,
  ];
}

function exampleOptions(names: readonly string[]): Code {
  return names.length === 0 ? code`` : code`{ ${joinCode(names.map(identifier), code`, `)} }`;
}

function withSchemes(api: Api, hasAddress: boolean): readonly Code[] {
  const schemes = usedSchemes(api);
  const data = schemes.map((scheme) => code`${propertyKey(scheme.name)}: ${schemeData(scheme)}`);
  const credentials = schemes.map(
    (scheme) => code`readonly ${propertyKey(scheme.name)}?: ${credentialType(scheme)} | undefined;`,
  );
  return [
    code`/** The credentials of the caller, by security scheme. */\nexport interface Credentials {\n${credentials}\n}`,
    optionsType({
      hasAddress,
      // `credentials` of `fetch` are an option of calls.
      common: code`Omit<${importType(callOptionsType(api), clientRuntime)}, "credentials">`,
      more: code`\n  /** Each call uses the first of its security requirements for which all credentials are given. */\n  readonly credentials?: Credentials | undefined;`,
    }),
    code`const schemes = {\n${data.map((each) => code`${each},`)}\n};`,
    code`/**
 * Creates a client, the first argument of every function of this package.
 *
 * @example
 * const client = createClient(${exampleOptions([...(hasAddress ? [] : ["baseUrl"]), "credentials"])});
 */
export function createClient(options: ClientOptions${hasAddress ? code` = {}` : code``}): ${importType("Client", clientRuntime)} {
  const { credentials, ...rest } = options;
  const authorize = rest.authorize ?? (credentials && ${importValue("authorizeBySecurity", clientRuntime)}(schemes, credentials));
  return ${importValue("createBaseClient", clientRuntime)}({ ...rest, authorize }${hasAddress ? code`, baseUrl` : code``});
}`,
  ];
}

interface OptionsType {
  readonly hasAddress: boolean;
  /** The options that calls have, too. */
  readonly common: Code;
  readonly more: Code;
}

function optionsType({ hasAddress, common, more }: OptionsType): Code {
  const about = code`/** Options of all calls. Each call can override them. */`;
  if (hasAddress && more.parts.every((part) => part === ""))
    return code`${about}\nexport type ClientOptions = ${common};`;
  const address = hasAddress ? code`` : code`\n  /** The base URL of the API. */\n  readonly baseUrl: string;`;
  return code`${about}\nexport interface ClientOptions extends ${common} {${address}${more}\n}`;
}

/** Returns the security requirements of an operation, without the schemes of the connection (mutual TLS). */
export function requestSchemes({ security }: Operation, api: Api): readonly (readonly string[])[] {
  const silent = new Set(
    api.securitySchemes.filter((scheme) => scheme.kind === "mutualTLS").map((scheme) => scheme.name),
  );
  return security.map((alternative) => alternative.map((each) => each.scheme).filter((name) => !silent.has(name)));
}

const namesOf = memoize(
  ({ operations }) => new Set(operations.flatMap(({ security }) => security.flat().map((each) => each.scheme))),
);

/** The schemes that some operation requires and that a request can carry. The linter reports the others. */
const usedSchemes = memoize((api): readonly SecurityScheme[] => {
  const used = namesOf(api);
  return api.securitySchemes.filter(({ name, kind }) => used.has(name) && kind !== "http" && kind !== "mutualTLS");
});

function isBearer(scheme: SecurityScheme): boolean {
  return scheme.kind === "bearer" || scheme.kind === "oauth2" || scheme.kind === "openIdConnect";
}

/** Emits the function that adds the credential of a scheme to a request. */
function schemeData(scheme: SecurityScheme): Code {
  if (scheme.kind === "apiKey") {
    const place = code`{ in: ${jsonLiteral(scheme.in)}, name: ${jsonLiteral(scheme.key)} }`;
    return code`(key: ${importType("Secret", clientRuntime)}) => ${importValue("apiKeyAuth", clientRuntime)}(${place}, key)`;
  }
  if (scheme.kind === "basic")
    return code`({ user, password }: ${importType("BasicCredentials", clientRuntime)}) => ${importValue("basicAuth", clientRuntime)}(user, password)`;
  return importValue("bearerAuth", clientRuntime);
}

function credentialType(scheme: SecurityScheme): Code {
  return importType(scheme.kind === "basic" ? "BasicCredentials" : "Secret", clientRuntime);
}
