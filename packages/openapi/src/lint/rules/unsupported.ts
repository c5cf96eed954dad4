import type { LintFinding, LintRule } from "../rule.js";
import type { LintNode } from "../lint-node.js";

/** Security schemes that a request cannot carry. */
export const unsupportedSecurityRule: LintRule = function* (survey) {
  for (const [, each] of survey.root.get("components")?.get("securitySchemes")?.entries() ?? []) {
    const scheme = each.follow();
    if (scheme === undefined) continue;
    const name = scheme.text("scheme")?.toLowerCase() ?? "";
    if (scheme.text("type") === "mutualTLS") {
      const message = "A client certificate belongs to the connection, which a generated client does not open.";
      yield createFinding(
        "unsupported/security",
        scheme,
        message,
        'Give the client a "fetch" that has the certificate.',
      );
    } else if (scheme.text("type") === "http" && name !== "basic" && name !== "bearer") {
      const message = `The scheme "${name}" takes an exchange of its own, which a generated client does not make.`;
      yield createFinding("unsupported/security", scheme, message, 'Give the client an "authorize" that does.');
    }
  }
};

/** Operations with other servers than the API. */
export const unsupportedServersRule: LintRule = function* (survey) {
  const paths = (survey.root.get("paths")?.entries() ?? []).flatMap(([, item]) => item.follow() ?? []);
  const operations = survey.operations.filter((each) => each.path !== undefined).map((each) => each.node);
  for (const holder of [...paths, ...operations]) {
    const servers = holder.child("servers");
    const [address] = servers?.items() ?? [];
    if (servers === undefined || address === undefined) continue;
    const message = `This operation has the server "${address.text("url") ?? ""}", which a client does not use by default.`;
    yield createFinding("unsupported/servers", servers, message, 'Give such calls that address as "baseUrl".');
  }
};

/** Media types with another schema than the preferred one. */
export const unsupportedContentsRule: LintRule = function* (survey) {
  for (const { path, body, responses } of survey.operations) {
    if (path === undefined) continue;
    const successes = responses.filter(({ status }) => status.startsWith("2")).map(({ spot }) => spot);
    for (const holder of [...(body === undefined ? [] : [body]), ...successes]) {
      const contents = holder.child("content")?.entries() ?? [];
      const used = contents.find(([mediaType]) => isJson(mediaType)) ?? contents[0];
      const lost = contents.filter((each) => schemaOf(each[1]) !== schemaOf(used?.[1])).map(([mediaType]) => mediaType);
      const at = holder.child("content");
      if (used === undefined || at === undefined || lost.length === 0) continue;
      const message = `Of these, a client ${holder === body ? "sends" : "reads"} ${used[0]} only, not ${lost.join(" or ")}, which has another schema.`;
      yield createFinding("unsupported/content", at, message, "Make it an operation of its own, where it is needed.");
    }
  }
};

/** Parts of an encoding that are not supported. */
export const unsupportedEncodingsRule: LintRule = function* (survey) {
  for (const { path, body } of survey.operations) {
    if (path === undefined) continue;
    for (const [mediaType, content] of body?.child("content")?.entries() ?? []) {
      const media = content.follow();
      for (const [name, encoding] of media?.get("encoding")?.entries() ?? []) {
        const message = findEncodingIssue(encoding, mediaType, fieldOf(media?.get("schema"), name));
        if (message !== undefined) yield createFinding("unsupported/encoding", encoding, message);
      }
    }
  }
};

/** JSON Schema keywords that name or interpret schemas differently from OpenAPI. */
export const unsupportedKeywordsRule: LintRule = function* (survey) {
  const fix = "Name the schema under components/schemas, and refer to it there.";
  const schemas = survey.hosts.filter((host) => host.type === "Schema").map((host) => host.node);
  for (const schema of schemas) {
    for (const key of ["$id", "$anchor", "$dynamicRef", "$dynamicAnchor"]) {
      const at = schema.child(key);
      if (typeof at?.value === "string")
        yield createFinding("unsupported/keyword", at, `"${key}" is not followed.`, fix);
    }
  }
  for (const at of [survey.root.child("jsonSchemaDialect"), ...schemas.map((schema) => schema.child("$schema"))]) {
    if (typeof at?.value !== "string" || knownDialect.test(at.value)) continue;
    const message = `Schemas are read as JSON Schema 2020-12, not as "${at.value}".`;
    yield createFinding("unsupported/keyword", at, message, "Write them in that dialect, which is OpenAPI's own.");
  }
};

/** Constructs of OpenAPI 3.2 whose omission would change the meaning. */
export const unsupportedConstructsRule: LintRule = function* (survey) {
  for (const { type, node } of [{ type: "Root", node: survey.root }, ...survey.hosts]) {
    for (const key of Object.hasOwn(constructs, type) ? (constructs[type] ?? []) : []) {
      const at = node.child(key);
      if (at !== undefined) yield createFinding("unsupported/construct", at, `"${key}" of OpenAPI 3.2 cannot be read.`);
    }
    if (type === "Parameter" && node.text("in") === "querystring")
      yield createFinding(
        "unsupported/construct",
        node,
        'A parameter "in: querystring" of OpenAPI 3.2 cannot be read.',
      );
  }
};

const constructs: Readonly<Record<string, readonly string[]>> = {
  Root: ["$self"],
  PathItem: ["additionalOperations"],
  MediaType: ["itemSchema", "itemEncoding", "prefixEncoding"],
  Discriminator: ["defaultMapping"],
};

const knownDialect =
  /^https:\/\/(spec\.openapis\.org\/oas\/3\.[12]\/dialect\/|json-schema\.org\/draft\/2020-12\/schema)/;

function createFinding(code: LintFinding["code"], at: LintNode, message: string, fix?: string): LintFinding {
  return { code, at, message, ...(fix !== undefined && { fix }) };
}

function isJson(mediaType: string): boolean {
  return /^(application|text)\/([^/;]+\+)?json\s*(;|$)|^(application|\*)\/\*/i.test(mediaType);
}

function schemaOf(content: LintNode | undefined): string {
  return JSON.stringify(content?.follow()?.child("schema")?.value) ?? "";
}

function fieldOf(schema: LintNode | undefined, name: string): LintNode | undefined {
  const field = schema?.get("properties")?.get(name);
  return field?.text("type") === "array" ? field.get("items") : field;
}

function findEncodingIssue(encoding: LintNode, mediaType: string, field: LintNode | undefined): string | undefined {
  const contentType = encoding.text("contentType");
  if (/^application\/x-www-form-urlencoded/i.test(mediaType)) {
    if (encoding.object["allowReserved"] === true) return "Reserved characters of a form are encoded anyway.";
    const asUsual = contentType === "application/json" && field?.text("type") === "object";
    return contentType === undefined || asUsual ? undefined : `A field of a form is not written as ${contentType}.`;
  }
  if (encoding.has("headers")) return "A part has no headers of its own.";
  const isFile =
    field !== undefined && (field.text("format") === "binary" || field.has("contentMediaType") || !field.has("type"));
  const asUsual = contentType === undefined || isFile || contentType.startsWith("text/plain");
  return asUsual ? undefined : `A part that is not a file is sent as text, not as ${contentType}.`;
}
